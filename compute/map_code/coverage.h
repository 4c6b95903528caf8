#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compute/engine/thread_count.h"
#include "compute/geometry/nbb_fractal.h"

namespace loom {

/// Bounds of one run. Points are those of the square around the fractal.
inline constexpr std::uint64_t kMaxMapThreads = std::uint64_t{1} << 26;
inline constexpr std::uint64_t kMaxMapPoints = std::uint64_t{1} << 26;
inline constexpr std::uint32_t kMaxMapBlock = 1024;
/// Thread blocks in x and y, as in CUDA.
inline constexpr std::int64_t kMaxMapGridX = (std::int64_t{1} << 31) - 1;
inline constexpr std::int64_t kMaxMapGridY = 65535;
/// Bounds on a GPU. Above those of the CPU it counts the coverage itself.
inline constexpr std::uint64_t kMaxGpuMapThreads = std::uint64_t{1} << 35;
inline constexpr std::uint64_t kMaxGpuMapPoints = std::uint64_t{1} << 34;

/// Where a single write through a map writes.
enum class MapStorage : std::int32_t {
  kNone,      ///< it is not measured
  kExpanded,  ///< a byte per point of the square
  kCompact,   ///< a byte per thread: the storage of the compact map, for its own threads
};

/// A launch as launch() of a map returned it. Valid: every member at least 1, block_x * block_y <=
/// kMaxMapBlock, the grid as in CUDA, threads() <= kMaxMapThreads (on a GPU kMaxGpuMapThreads).
struct MapLaunch {
  std::int64_t grid_x = 0;
  std::int64_t grid_y = 0;
  std::int64_t block_x = 0;
  std::int64_t block_y = 0;
  std::uint64_t blocks() const { return static_cast<std::uint64_t>(grid_x * grid_y); }
  std::uint32_t threads_per_block() const { return static_cast<std::uint32_t>(block_x * block_y); }
  std::uint64_t threads() const { return blocks() * threads_per_block(); }
  friend bool operator==(const MapLaunch&, const MapLaunch&) = default;
};
/// What is wrong with a launch; empty if it is valid. Never overflows.
std::string launch_problem(const MapLaunch& launch, std::uint64_t max_threads = kMaxMapThreads);

/// Throws InputError unless the square of this level has at most this number of points.
void check_map_level(const NbbFractal& fractal, int level, std::uint64_t max_points = kMaxMapPoints);

/// What a thread returned: a point, or none. The layout is that of Cell in the prelude.
struct MapPoint {
  static constexpr std::int32_t kNone = -2147483647 - 1;
  std::int32_t x = kNone;
  std::int32_t y = 0;
  bool is_none() const { return x == kNone; }
  friend bool operator==(const MapPoint&, const MapPoint&) = default;
};

/// A thread of a launch by its CUDA indices.
struct MapThread {
  std::int64_t block_x = 0;
  std::int64_t block_y = 0;
  std::int64_t thread_x = 0;
  std::int64_t thread_y = 0;
  friend bool operator==(const MapThread&, const MapThread&) = default;
};
/// Thread number `index`: thread blocks row by row, in each its threads row by row.
MapThread thread_of(const MapLaunch& launch, std::uint64_t index);

/// What a thread of a launch does. Of the threads that reach a cell, the first one is active.
enum class ThreadState : std::uint8_t { kActive, kNone, kHole, kOutside, kRepeated };

/// For each point of the square, row by row: 1 for a cell, else 0. `level`: from 0, with a square that fits.
std::vector<std::uint8_t> cells_of_square(const NbbShape& shape, int level);

/// How threads reach the points of a fractal.
struct MapCoverage {
  std::uint64_t cells = 0;    ///< of the fractal
  std::uint64_t threads = 0;  ///< launched
  std::uint64_t blocks = 0;
  std::uint64_t active = 0;        ///< threads that returned a cell of the fractal
  std::uint64_t none = 0;          ///< threads that returned none()
  std::uint64_t on_holes = 0;      ///< threads that returned a hole
  std::uint64_t outside = 0;       ///< threads that returned a point outside of the square
  std::uint64_t empty_blocks = 0;  ///< thread blocks without an active thread
  std::uint64_t once = 0;          ///< cells that one thread reached
  std::uint64_t repeated = 0;      ///< cells that several threads reached
  std::uint64_t missed = 0;        ///< cells that no thread reached
  std::uint64_t warps = 0;         ///< of 32 threads; the last of a thread block may be partial
  std::uint64_t active_warps = 0;  ///< warps with an active thread: each is one request
  std::uint64_t sectors = 0;       ///< of 32 bytes that these requests write, at a byte per point, row by row

  /// Each cell is reached once, and no thread returned anything else but none().
  bool is_exact() const { return once == cells && on_holes == 0 && outside == 0; }
  double utilization() const { return thread_utilization(active, threads); }
  /// Lanes of all warps, with those that fill up the last warp of a thread block.
  std::uint64_t lanes() const { return 32 * warps; }
  double idle_lanes() const { return idle_lane_fraction(active, lanes()); }
  double sectors_per_request() const {
    return active_warps == 0 ? 0 : static_cast<double>(sectors) / static_cast<double>(active_warps);
  }
  friend bool operator==(const MapCoverage&, const MapCoverage&) = default;
};

/// The first thread, in the order of thread_of(), that returned a hole, a point outside, or a cell that an
/// earlier thread had reached.
struct WrongThread {
  enum class Kind : std::uint8_t { kHole, kOutside, kRepeated };
  Kind kind = Kind::kHole;
  MapThread thread;
  MapPoint point;
};
std::string to_string(const WrongThread& wrong);

/// Collects the points of threads in order. Counts are of all threads so far.
class CoverageCounter {
 public:
  /// Throws as check_map_level().
  CoverageCounter(const NbbFractal& fractal, int level, const MapLaunch& launch);
  /// The points of the next threads: of whole thread blocks. Appends what each thread does to `states`, which
  /// may be null.
  void add(std::span<const MapPoint> points, std::vector<ThreadState>* states = nullptr);
  /// Counts what the threads missed. Call once, after the last thread.
  void finish();
  const MapCoverage& coverage() const { return coverage_; }
  const std::optional<WrongThread>& wrong() const { return wrong_; }
  /// The first cell in row order that no thread reached.
  const std::optional<MapPoint>& first_missed() const { return missed_; }
  /// For each point of the square, row by row: how many threads returned it, at most 255; and whether it is a
  /// cell.
  std::vector<std::uint8_t>& hits() { return hits_; }
  std::vector<std::uint8_t>& cells() { return cell_; }

 private:
  void add_block(std::span<const MapPoint> points, std::vector<ThreadState>* states);
  ThreadState add_point(const MapPoint& point, std::uint64_t thread);
  MapLaunch launch_;
  std::int64_t width_;
  std::int64_t height_;
  MapCoverage coverage_;
  std::optional<WrongThread> wrong_;
  std::optional<MapPoint> missed_;
  std::uint64_t threads_ = 0;  ///< so far
  std::vector<std::uint8_t> hits_;
  std::vector<std::uint8_t> cell_;
  std::vector<std::uint64_t> sector_request_;  ///< for each sector of the square: the last request for it
};

}  // namespace loom
