#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compute/core/coord.h"
#include "compute/engine/fractal_config.h"
#include "compute/engine/timeline.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_tables.h"
#include "compute/map/thread_map.h"
#include "compute/map/tiling.h"
#include "compute/workload/life_neighbours.h"

namespace loom::app::explain {

inline constexpr std::uint32_t kWarpLanes = 32;
inline constexpr std::uint32_t kLineBytes = 128;   ///< cache line of a GPU
inline constexpr std::uint32_t kSectorBytes = 32;  ///< unit of memory transfers

/// One thread of a launch. A CUDA thread that processes several tiles one after another counts as several,
/// one per tile, as in the launch shape of the map.
struct ThreadRef {
  Coord64 tile;              ///< tile index: omega, or the tile position for the bounding box
  std::uint32_t thread = 0;  ///< thread index in tile, row by row
  friend bool operator==(const ThreadRef&, const ThreadRef&) = default;
};

/// The position of a thread in the launch, and its cell.
struct ThreadLocation {
  ThreadRef ref;
  // In the launch, as CUDA runs it.
  Coord64 thread_block;     ///< blockIdx, counted over all parts of a launch beyond the limits of CUDA
  std::uint32_t tile = 0;   ///< index of the tile `ref.tile` in its thread block
  std::uint32_t round = 0;  ///< number of tiles that the CUDA thread processes before this one
  std::uint32_t rank = 0;   ///< index of the CUDA thread in its thread block: z, y, x as in CUDA
  std::uint32_t warp() const { return rank / kWarpLanes; }  ///< in its thread block
  std::uint32_t lane() const { return rank % kWarpLanes; }
  // On the fractal.
  bool has_position = false;  ///< false only if plain FP16 weights lead out of the square
  Coord64 place;              ///< tile position in the square, in tiles
  Coord32 at;                 ///< position in the tile
  Coord64 cell;               ///< its point in the square
  bool has_cell = false;      ///< the point is a cell: the thread is active
  // In memory: byte offset of the cell in one generation. Empty for an idle thread, and if the offset exceeds
  // 64 bits.
  std::optional<std::uint64_t> address;
  std::uint64_t line() const { return address.value_or(0) / kLineBytes; }
  std::uint64_t sector() const { return address.value_or(0) / kSectorBytes; }
};

/// A warp. A lane is empty if its thread only pads the warp or the thread block, or belongs to a tile outside
/// the grid.
struct Warp {
  Coord64 thread_block;
  std::uint32_t number = 0;  ///< in its thread block
  std::uint32_t round = 0;   ///< see ThreadLocation
  std::array<std::optional<ThreadRef>, kWarpLanes> lanes;
};

/// The launch of one generation under a configuration, with queries from thread, cell or byte to the others.
/// Uses the maps and storages of the engines for one thread at a time: a query takes microseconds at every
/// level, and nothing is enumerated. Needs no engine; takes some kilobytes.
///
/// Points are expanded coordinates, 0 <= x < width, 0 <= y < height; queries outside return nothing.
class ThreadSpace {
 public:
  /// Throws InputError for an invalid configuration (validate()).
  explicit ThreadSpace(const FractalConfig& config);

  const FractalConfig& config() const { return config_; }
  const TiledFractal& tiled() const { return tiled_; }
  /// The grid of tiles of the map, and the threads per tile.
  const LaunchShape& shape() const { return shape_; }
  /// The same launch in CUDA thread blocks.
  const GpuLaunch& launch() const { return launch_; }
  const HostMapTables& tables() const { return tables_; }
  /// Threads per tile.
  std::uint32_t threads_per_tile() const { return launch_.threads_of_tile; }
  /// Threads of the launch; empty if the number exceeds 64 bits (the bounding box at high levels).
  std::optional<std::uint64_t> threads() const { return threads_; }
  /// Bytes of one generation; empty if the number exceeds 64 bits.
  std::optional<std::uint64_t> bytes() const { return bytes_; }

  /// Throws InputError for a thread that the launch does not have, as do all functions that take a thread.
  ThreadLocation location_of(const ThreadRef& ref) const;

  /// The thread launched for a point, which is idle if the point is a hole; empty if there is none. With
  /// plain FP16 weights the thread may compute another point.
  std::optional<ThreadRef> thread_at(Coord64 point) const;
  /// The thread that computes a cell; empty for a hole.
  std::optional<ThreadRef> thread_of(Coord64 cell) const;
  /// The thread that writes a byte of a generation; empty for the byte of a hole and beyond the end.
  std::optional<ThreadRef> thread_at_address(std::uint64_t byte) const;

  /// The thread index in the launch: tiles row by row, and the threads within them. Throws InputError if 64
  /// bits do not suffice.
  std::uint64_t number_of(const ThreadRef& ref) const;
  /// The inverse. Throws InputError with the allowed range.
  ThreadRef thread_by_number(std::uint64_t number) const;
  /// The canonical index of a cell; empty for a hole.
  std::optional<std::uint64_t> index_of_cell(Coord64 cell) const;
  /// The inverse. Throws InputError with the allowed range.
  Coord64 cell_by_index(std::uint64_t index) const;

  Warp warp_of(const ThreadRef& ref) const;
  /// A warp by its thread block, its index in it and the round; its lanes are empty if there is none.
  Warp warp_at(Coord64 thread_block, std::uint32_t number, std::uint32_t round) const;
  /// location_of() of all threads of a warp, faster than one call per thread.
  std::array<std::optional<ThreadLocation>, kWarpLanes> locations_of(const Warp& warp) const;

  /// location_of() of all threads of a tile, in order. Throws InputError for a tile outside the grid.
  std::vector<ThreadLocation> locations_in_tile(Coord64 tile) const;

  /// "thread 37 of tile ω (2, 5) → cell (17, 40) → byte 12 345, cache line 96"; for an idle thread, its hole.
  std::string sentence(const ThreadRef& ref) const;

 private:
  void check(const ThreadRef& ref) const;
  /// A thread with its position in the launch; its cell is not set yet.
  ThreadLocation in_launch(const ThreadRef& ref) const;
  /// The thread for a position in the tile omega, active or idle; not for the bounding box.
  std::optional<ThreadRef> thread_in_tile(Coord64 omega, Coord32 at) const;

  FractalConfig config_;
  TiledFractal tiled_;
  HostMapTables tables_;
  LaunchShape shape_;
  GpuLaunch launch_;
  std::optional<std::uint64_t> threads_;
  std::optional<std::uint64_t> bytes_;
};

/// A tile of a thread block.
struct PlacedTile {
  bool there = false;           ///< the tile is in the grid and has a position in the square
  std::uint64_t origin = 0;     ///< byte offset of its corner
  Coord64 corner;               ///< its expanded coordinates
  TileNeighbours neighbours{};  ///< only for compact storage
};

/// The tiles of a thread block, computed as in the kernels.
std::vector<PlacedTile> tiles_of(const ThreadSpace& space, Coord64 thread_block);

/// The multiprocessor (CPU: thread) that ran each tile of one recorded launch of life, for colours. Another
/// launch of the same method may be distributed differently.
class ThreadBlockWorkers {
 public:
  /// `timeline` must contain a launch.
  ThreadBlockWorkers(const FractalConfig& config, const Timeline& timeline);
  /// Null unless the recording is a single launch, because only then tile indices identify threads.
  static std::shared_ptr<const ThreadBlockWorkers> of(const FractalConfig& config, const Timeline& timeline);

  /// The recorded configuration. The data applies only to its threads.
  const FractalConfig& config() const { return config_; }
  bool gpu() const { return gpu_; }
  std::uint32_t workers() const { return workers_; }
  /// Empty for a tile whose span was not recorded.
  std::optional<std::uint32_t> worker_of(const ThreadSpace& threads, const ThreadLocation& place) const;
  /// Number of spans that were not recorded.
  std::uint64_t left_out() const { return left_out_; }

 private:
  struct Run {
    std::uint64_t first = 0;
    std::uint64_t count = 1;
    std::uint32_t worker = 0;
  };
  FractalConfig config_;
  bool gpu_ = false;
  std::uint32_t workers_ = 0;
  std::vector<Run> runs_;  ///< sorted by first tile
  std::uint64_t left_out_ = 0;
};

}  // namespace loom::app::explain
