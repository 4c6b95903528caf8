#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compute/device/device.h"
#include "compute/engine/progress_monitor.h"
#include "compute/engine/thread_count.h"
#include "compute/geometry/nbb_fractal.h"
#include "compute/map_code/program.h"

namespace loom {

// Runs of custom maps. Thread blocks run in an order that no map can know, each warp with fresh data on its
// own. The interpreter (compute/map_code/machine.h) runs a warp at a time and has nothing to escape from: no
// native code, no process, no system call, no memory but its own. run_map() in compute/backend/map_backend.h
// chooses between it and a GPU.

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

struct CoverageResult {
  MapCoverage coverage;
  std::optional<WrongThread> wrong;
  std::optional<MapPoint> first_missed;  ///< the first cell in row order that no thread reached
  /// For each point of the square, row by row: how many threads returned it, at most 255; and whether it is a
  /// cell. If it has at most kMaxMapPoints points.
  std::vector<std::uint8_t> hits, cells;
  std::vector<ThreadState> threads;  ///< in the order of thread_of(), if requested
};

/// Collects the points of threads in order.
class CoverageCounter {
 public:
  /// Throws as check_map_level().
  CoverageCounter(const NbbFractal& fractal, int level, const MapLaunch& launch, bool keep_states);
  /// The points of the next threads: of whole thread blocks.
  void add(std::span<const MapPoint> points);
  const CoverageResult& found() const { return found_; }
  /// What was counted, with what the threads missed, after the last thread.
  CoverageResult take();

 private:
  ThreadState add_point(const MapPoint& point);
  MapLaunch launch_;
  std::uint32_t width_, height_;
  bool keeps_states_;
  CoverageResult found_;
  std::uint64_t threads_ = 0;                  ///< so far
  std::vector<std::uint64_t> sector_request_;  ///< for each sector of the square: the last request for it
};

/// Instructions of one warp (and of launch()) until the run ends as kTimeout, on any machine.
inline constexpr std::uint64_t kMaxWarpInstructions = std::uint64_t{1} << 24;

struct MapRequest {
  std::string code;
  int level = 0;
  std::chrono::milliseconds time_limit{2000};  ///< beyond kMaxWarpInstructions: for all threads
  bool keep_points = false;                    ///< keep the point and the state of each thread in the result
  MapStorage measure = MapStorage::kNone;      ///< measure a single write through the map
  Device device = {};                          ///< the CPU by default, or one of MapBackend
  bool count = false;                          ///< MapResult::counts, lines and warps; on the CPU
};

/// How the run of a map ended.
enum class MapOutcome : std::uint8_t {
  kRan,       ///< every thread returned
  kRejected,  ///< the text has problems, or the launch is not valid
  kCrashed,   ///< division by zero, index outside of an array, too many calls within each other
  kTimeout,   ///< too many instructions of a warp, or the time limit
};
std::string_view name_of(MapOutcome outcome);

/// What an instruction, a line or a run did, as the interpreter counted it. A warp executes an instruction
/// once for all of its active lanes.
struct MapCounts {
  std::uint64_t instructions = 0;  ///< of warps
  std::uint64_t lanes = 0;         ///< active lanes of these: thread instructions
  std::uint64_t branches = 0;      ///< conditions of if, loops, switch, ?:, && and || that masks decide
  std::uint64_t divergent = 0;     ///< of these: active lanes went both ways
  std::uint64_t divisions = 0;     ///< instructions / and % of warps
  /// Mean share of active lanes, 0 to 1.
  double active_share() const {
    return instructions == 0 ? 0 : static_cast<double>(lanes) / (32.0 * static_cast<double>(instructions));
  }
  MapCounts& operator+=(const MapCounts& other);
  friend bool operator==(const MapCounts&, const MapCounts&) = default;
};
/// Of a line of the text: all instructions on it, and `executions` of the statements that begin on it.
struct LineCounts : MapCounts {
  std::uint64_t executions = 0;
  std::uint64_t executed_lanes = 0;  ///< active lanes of these executions
  std::uint32_t last_mask = 0;       ///< of the last execution; for a single warp
  std::uint64_t last = 0;            ///< the instructions that the warp had executed then
};

struct MapResult : CoverageResult {  ///< coverage: if it ran
  MapOutcome outcome = MapOutcome::kRejected;
  std::vector<CodeProblem> problems;  ///< empty if it ran
  bool is_slow = false;               ///< of kTimeout: the time limit, and no warp had too many instructions
  MapLaunch launch;                   ///< if launch() returned a valid one
  std::vector<MapPoint> points;       ///< of each thread, in the order of thread_of(), if requested
  MapCounts counts;                   ///< of cell_of_thread() in all warps, if requested
  std::vector<LineCounts> lines;      ///< by line, from 1 (0 is empty), if requested
  std::vector<MapCounts> warps;       ///< block by block, each warp by warp, if requested with keep_points
  double compile_milliseconds = 0;
  double run_milliseconds = 0;  ///< all threads
  /// If measured and exact: median of five on one CPU thread, or of nine on a GPU, after a warm-up. The code
  /// has no checks of indices and budgets there, which the run before showed to be unnecessary.
  std::optional<double> single_write_milliseconds;
  std::optional<double> checked_write_milliseconds;  ///< on a GPU: the same with the checks
};

/// Throws InputError for a level that is too large for a run on the CPU, or on a GPU.
void check_map_request(const NbbFractal& fractal, const MapRequest& request);

/// Runs a map without problems, for a request that check_map_request() has accepted, in the calling thread
/// and OpenMP's. Blocks until it ends, up to the time limit; `monitor` may cancel it (OperationCancelled) and
/// be null. The result does not depend on the number of threads or their order. run_map() calls it.
void run_map_on_cpu(const NbbFractal& fractal, const MapRequest& request, const MapProgram& program,
                    const ProgressMonitor* monitor, MapResult& result);

}  // namespace loom
