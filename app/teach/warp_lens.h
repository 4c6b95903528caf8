#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/teach/memory_request.h"
#include "app/teach/thread_space.h"

namespace loom::app::teach {

// What a warp does to memory in one generation of life on a GPU: the requests of compute/cuda/life's kernels,
// from the map and the storage alone, without a device.
//
// Left out: what finds the places of tiles and of their neighbours (powers and tables of the arithmetics,
// matrices, and what these share in shared memory: tile origins, neighbour bases), kernel parameters, and,
// with plain FP16 weights on the compact map, tiles whose place lies outside of the square. What a compiler
// may still change: a request whose lanes take different branches counts once for each branch here. What is
// in is what a profiler counts: tests/teach/profiled_traffic_test.cpp has the requests and sectors of whole
// launches on an H200, and they are the same.

/// The kernel that runs life under a method (step_life_expanded, step_life_compact).
enum class LifeKernel {
  kBytes,        ///< expanded: nine loads of a byte, a byte written
  kWords,        ///< expanded, rows of whole words: three loads of eight bytes, a byte written
  kGathered,     ///< the same, but states are gathered in shared memory and written in rows
  kRows,         ///< expanded: tiles and their rims are staged in shared memory and written in rows
  kCompact,      ///< compact: nine loads of a byte across blocks, a byte written
  kCompactRows,  ///< compact with halo: likewise, and the tiles written as they lie together
};
LifeKernel life_kernel_of(const ThreadSpace& space);

/// A lane's work in one round.
struct LaneWork {
  std::optional<ThreadPlace> thread;  ///< none: it fills up the warp, or its tile lies outside of the grid
  bool works() const { return thread && thread->has_cell; }
  /// The bytes of the nine cells around and at its own, at [(dy + 1) * 3 + dx + 1]; holes that the storage
  /// has a byte for included. Nothing where there is none, and for a lane that idles.
  std::array<std::optional<std::uint64_t>, 9> around;
};

/// One of the tiles that a warp's threads work on one after the other.
struct WarpRound {
  std::array<LaneWork, kWarpLanes> lanes;
  std::vector<MemoryRequest> requests;  ///< in the kernel's order; none that no lane takes part in
};

struct WarpLens {
  LifeKernel kernel = LifeKernel::kBytes;
  Coord64 thread_block;
  std::uint32_t number = 0;           ///< of the warp in its thread block
  std::vector<MemoryRequest> before;  ///< position look-up, staging: the warp's share of what all do
  std::vector<WarpRound> rounds;
  std::vector<MemoryRequest> after;  ///< rows written from shared memory, likewise
  WarpTraffic traffic() const;
};

/// Warps in a thread block.
std::uint32_t warps_of_thread_block(const ThreadSpace& space);

/// Throws InputError for a warp that the launch does not have, and where the storage has more bytes than 64
/// bits number.
WarpLens warp_lens(const ThreadSpace& space, Coord64 thread_block, std::uint32_t number);
/// Of the warp that a thread is in.
WarpLens warp_lens(const ThreadSpace& space, const ThreadRef& ref);

/// Sums over the warps of a launch, or over a sample of them.
struct LaunchTraffic {
  WarpTraffic sum;
  std::uint64_t warps = 0;  ///< that were looked at
  bool exact = false;       ///< all of the launch's
};
/// All warps where the launch has at most `most` of them; else `most` that are drawn at random, the same each
/// time. Some 100 microseconds a warp. Throws InputError like warp_lens().
LaunchTraffic launch_traffic(const ThreadSpace& space, std::uint64_t most);

/// Which loads and stores of global memory a method's kernel makes that the lens leaves out, in words:
/// "nothing", "the arithmetic's tables".
std::string left_out_of_the_lens(const MapMethod& method);

}  // namespace loom::app::teach
