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
  kGathered,     ///< the same, but states are gathered in shared memory and written in rows
  kRows,         ///< expanded: tiles and their halos are staged in shared memory and written in rows
  kCompact,      ///< compact: nine byte loads, possibly in other tiles, one byte store
  kCompactRows,  ///< compact with halo: as kRows, tiles written as they lie in memory
};
LifeKernel life_kernel_of(const ThreadSpace& space);

/// A lane's work in one round.
struct LaneWork {
  std::optional<ThreadLocation> thread;  ///< nothing: padding of the warp, or a tile outside the grid
  bool works() const { return thread && thread->has_cell; }
  /// Byte offsets of the 3 x 3 cells around its own, at [(dy + 1) * 3 + dx + 1], including holes that have a
  /// byte. Nothing if there is no byte, and for an idle lane.
  std::array<std::optional<std::uint64_t>, 9> around;
};

/// One of the tiles that a warp's threads work on one after the other.
struct WarpRound {
  std::array<LaneWork, kWarpLanes> lanes;
  std::vector<MemoryRequest> requests;  ///< in the order of the kernel; only requests with active lanes
};

struct WarpMemoryAccess {
  LifeKernel kernel = LifeKernel::kBytes;
  Coord64 thread_block;
  std::uint32_t number = 0;           ///< of the warp in its thread block
  std::vector<MemoryRequest> before;  ///< position look-up, staging: the warp's share of what all do
  std::vector<WarpRound> rounds;
  std::vector<MemoryRequest> after;  ///< rows written from shared memory
  WarpTraffic traffic() const;
};

/// Warps per thread block.
std::uint32_t warps_of_thread_block(const ThreadSpace& space);

/// Throws InputError for a warp that the launch does not have, and where the storage has more bytes than 64
/// bits number.
WarpMemoryAccess warp_memory_access(const ThreadSpace& space, Coord64 thread_block, std::uint32_t number);
/// Of the warp that a thread is in.
WarpMemoryAccess warp_memory_access(const ThreadSpace& space, const ThreadRef& ref);

/// Sums over the warps of a launch, or over a sample of them.
struct LaunchTraffic {
  WarpTraffic sum;
  std::uint64_t warps = 0;  ///< that were looked at
  bool exact = false;       ///< all of the launch's
};
/// All warps if the launch has at most `most`; otherwise `most` random warps, the same each time. About 100
/// microseconds per warp. Throws InputError like warp_memory_access().
LaunchTraffic launch_traffic(const ThreadSpace& space, std::uint64_t most);

/// Which loads and stores of global memory a method's kernel makes that the lens leaves out, in words:
/// "nothing", "the arithmetic's tables".
std::string unmodelled_accesses(const MapMethod& method);

}  // namespace loom::app::explain
