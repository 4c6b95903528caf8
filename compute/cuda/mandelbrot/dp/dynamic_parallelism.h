#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"
#include "compute/cuda/mandelbrot/region/dwell_task.h"
#include "compute/cuda/timeline/recording.h"

namespace loom::cuda {

/// What launches from the device need beside the task.
struct DpState {
  /// With the idea `join`: a chain of grids for each first region, which holds its regions of a level in its
  /// own part of the table of the level's parity, as large as the finest such level needs. Chains run at
  /// their own pace: where parts grew with the level, one that was two levels ahead wrote over another's.
  Coord32* tables[2] = {nullptr, nullptr};
  std::uint64_t chain_regions[2] = {0, 0};  ///< of a chain's part of each
  struct Chain {
    unsigned written;   ///< children that blocks of the running grid have written
    unsigned finished;  ///< its blocks that are done
  };
  Chain* chains = nullptr;  ///< g^2 of them, all 0 at the start; null without `join`
  /// The places of the regions that the host starts, where these are not all of level 0; else null. Their
  /// number is at least 1.
  const Coord32* first_places = nullptr;
  std::uint32_t first_count = 0;
  std::uint32_t first_level = 0;  ///< theirs; 0 with `join`
  /// The first error of a launch from the device, a cudaError_t; 0 at the start.
  int* launch_error = nullptr;

  LOOM_HOST_DEVICE Coord32* table_of(std::uint32_t chain, std::uint32_t level) const {
    return tables[level % 2] + chain * chain_regions[level % 2];
  }
};

/// Enqueues Mariani-Silver by CUDA dynamic parallelism: one grid over some regions, whose blocks launch
/// all others themselves. When the stream has come past it, all of them are done, or *launch_error says that
/// the image has holes. Returns the error of the first launch.
///
/// Device code with separable compilation; it stands in a library of its own, since that costs the other
/// kernels registers and calls.
template <typename Real, typename Dwell>
cudaError_t compute_by_dynamic_parallelism(const DwellTask<Real, Dwell>& task, const DpState& state,
                                           BlockShape block, cudaStream_t stream);

/// The same by instrumented copies of the kernels, in single precision alone.
template <typename Dwell>
cudaError_t record_dynamic_parallelism(const DwellTask<float, Dwell>& task, const DpState& state,
                                       BlockShape block, const RecordingView& to, cudaStream_t stream);

/// The kernels of a computation in the order of their number in Timeline::launches: of regions, and of their
/// parts where several blocks share them.
struct DpKernel {
  const char* name;
  const void* timed;
  const void* recorded;
};
template <typename Dwell>
std::vector<DpKernel> dp_kernels(const DwellTask<float, Dwell>& task);
/// Thread blocks that share the fill or the leaf of a region of a level.
std::uint32_t dp_parts_of_region(const Subdivision& cut, std::uint32_t level);

}  // namespace loom::cuda
