#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"
#include "compute/cuda/mandelbrot/region/dwell_task.h"
#include "compute/cuda/timeline/recording.h"

namespace loom::cuda {

/// The data that launches from the device need in addition to the task.
struct DpState {
  /// With the optimisation `join`: one chain of grids per first region. A chain stores its regions of a level
  /// in its own part of the table of the level's parity; the part has the size of its largest level. Parts
  /// must not grow with the level, because chains advance independently and one that is two levels ahead
  /// would overwrite another chain's part.
  Coord32* tables[2] = {nullptr, nullptr};
  std::uint64_t chain_regions[2] = {0, 0};  ///< size of a chain's part in each table
  struct Chain {
    unsigned written;   ///< children that thread blocks of the running grid have written
    unsigned finished;  ///< thread blocks of the running grid that have finished
  };
  Chain* chains = nullptr;  ///< g^2 chains, all 0 at the start; null without `join`
  /// The coordinates of the regions that the host launches, if these are not all of level 0; otherwise null.
  /// Their number is at least 1.
  const Coord32* first_places = nullptr;
  std::uint32_t first_count = 0;
  std::uint32_t first_level = 0;  ///< level of those regions; 0 with `join`
  /// The first error of a launch from the device, a cudaError_t; 0 at the start.
  int* launch_error = nullptr;
  unsigned long long* launches = nullptr;  ///< counts the launches from the device

  LOOM_HOST_DEVICE Coord32* table_of(std::uint32_t chain, std::uint32_t level) const {
    return tables[level % 2] + chain * chain_regions[level % 2];
  }
};

/// The thread blocks of the first grid: all regions of level 0, or those that are listed.
inline dim3 first_blocks(const Subdivision& cut, const DpState& state) {
  if (state.first_places != nullptr) return dim3(state.first_count);
  if (state.chains != nullptr) return dim3(static_cast<unsigned>(cut.first_regions()));
  return dim3(cut.first_parts, cut.first_rows);
}

/// Enqueues Mariani-Silver by CUDA dynamic parallelism: one grid over some regions, whose thread blocks
/// launch all others themselves. When the stream has finished it, all regions are done, or *launch_error is
/// set and the image is incomplete. Returns the error of the first launch.
///
/// Device code with separable compilation, in a library of its own because separable compilation would cost
/// the other kernels registers and calls.
template <typename Evaluator, typename Dwell>
cudaError_t compute_by_dynamic_parallelism(const DwellTask<Evaluator, Dwell>& task, const DpState& state,
                                           BlockShape block, cudaStream_t stream);

/// The same by instrumented copies of the kernels, for single precision only.
template <typename Dwell>
cudaError_t record_dynamic_parallelism(const DwellTask<Direct<float>, Dwell>& task, const DpState& state,
                                       BlockShape block, const RecordingView& to, cudaStream_t stream);

/// The kernels of a computation in the order of their numbers in Timeline::launches: those of regions, and
/// those of parts of regions if several thread blocks share them.
struct DpKernel {
  const char* name;
  const void* timed;
  const void* recorded;
};
template <typename Dwell>
std::vector<DpKernel> dp_kernels(const DwellTask<Direct<float>, Dwell>& task);
/// Thread blocks that share the fill or the leaf of a region of a level.
std::uint32_t dp_parts_of_region(const Subdivision& cut, std::uint32_t level);

}  // namespace loom::cuda
