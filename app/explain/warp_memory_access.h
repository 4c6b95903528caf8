#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/explain/memory_request.h"
#include "app/explain/thread_space.h"

namespace loom::app::explain {

// Memory accesses of a warp in one generation of life on a GPU: the requests of the kernels of
// compute/cuda/life, computed from map and storage, without a device. Excluded: accesses that compute
// positions of tiles and neighbours (powers and tables of the arithmetics, matrices, and values shared in
// shared memory), kernel parameters, and, with plain FP16 weights on the compact map, tiles outside the
// square. A compiler may still merge requests: a request whose lanes take different branches counts once per
// branch. tests/explain/profiled_traffic_test.cpp compares requests and sectors of whole launches with a
// profiler on an H200; they are equal.

/// The kernel that runs life under a method (step_life_expanded, step_life_compact).
enum class LifeKernel {
  kBytes,        ///< expanded: nine loads of a byte, a byte written
  kWords,        ///< expanded, rows of whole words: three loads of eight bytes, a byte written
  kGathered,     ///< as kWords, but states are gathered in shared memory and written in rows
  kRows,         ///< expanded: tiles and their halos are staged in shared memory and written in rows
  kCompact,      ///< compact: nine byte loads, possibly in other tiles, one byte store
  kCompactRows,  ///< compact with halo: as kRows, tiles written in memory order
};
LifeKernel life_kernel_of(const MapMethod& method, const TiledFractal& fractal);
LifeKernel life_kernel_of(const ThreadSpace& space);
/// Its name in compute/cuda/life: "life_compact_kernel".
std::string_view kernel_name(LifeKernel kernel);

/// The work of a lane in one round.
struct LaneWork {
  std::optional<ThreadLocation> thread;  ///< empty: padding of the warp, or a tile outside the grid
  bool works() const { return thread && thread->has_cell; }
  /// Byte offsets of the 3 x 3 neighbourhood of its cell, at [(dy + 1) * 3 + dx + 1], including holes that
  /// have a byte. Empty if there is no byte, and for an idle lane.
  std::array<std::optional<std::uint64_t>, 9> around;
};

/// One round of a warp: each of its threads processes one of its tiles.
struct WarpRound {
  std::array<LaneWork, kWarpLanes> lanes;
  std::vector<MemoryRequest> requests;  ///< in the order of the kernel; only requests with active lanes
};

struct WarpMemoryAccess {
  LifeKernel kernel = LifeKernel::kBytes;
  Coord64 thread_block;
  std::uint32_t number = 0;           ///< index of the warp in its thread block
  std::vector<MemoryRequest> before;  ///< the warp's share of position look-up and staging
  std::vector<WarpRound> rounds;
  std::vector<MemoryRequest> after;  ///< rows written from shared memory
  WarpTraffic traffic() const;
};

/// Warps per thread block.
std::uint32_t warps_of_thread_block(const ThreadSpace& space);

/// Throws InputError for a warp that the launch does not have, and if byte offsets of the storage exceed 64
/// bits.
WarpMemoryAccess warp_memory_access(const ThreadSpace& space, Coord64 thread_block, std::uint32_t number);
/// The memory accesses of the warp of a thread.
WarpMemoryAccess warp_memory_access(const ThreadSpace& space, const ThreadRef& ref);

/// Sums over the warps of a launch, or over a sample of them.
struct LaunchTraffic {
  WarpTraffic sum;
  std::uint64_t warps = 0;  ///< number of warps in the sum
  bool exact = false;       ///< the sum covers all warps of the launch
};
/// All warps if the launch has at most `most`; otherwise `most` random warps, the same each time. About 100
/// microseconds per warp. Throws InputError like warp_memory_access().
LaunchTraffic launch_traffic(const ThreadSpace& space, std::uint64_t most);

/// The global memory accesses of a method's kernel that warp_memory_access() excludes, in words: "nothing",
/// "the matrices and powers for tile positions on tensor cores".
std::string unmodelled_accesses(const MapMethod& method);

}  // namespace loom::app::explain
