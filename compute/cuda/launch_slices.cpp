#include "compute/cuda/launch_slices.h"

#include <cuda_runtime_api.h>

#include "compute/cuda/check.h"

namespace loom::cuda {

// The smallest devices have 64 lanes per multiprocessor.
LaunchSlices slices_of(int device) {
  constexpr double kMilliseconds = 50;
  constexpr double kLanes = 64;
  constexpr double kCycles = 10;
  int multiprocessors = 1;
  int kilohertz = 0;
  LOOM_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  LOOM_CUDA(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device));
  LaunchSlices slices;
  slices.max_steps =
      static_cast<std::uint64_t>(kMilliseconds * kilohertz * kLanes * multiprocessors / kCycles);
  slices.multiprocessors = static_cast<std::uint32_t>(multiprocessors);
  return slices;
}

}  // namespace loom::cuda
