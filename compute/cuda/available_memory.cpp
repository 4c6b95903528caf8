#include "compute/cuda/available_memory.h"

#include <cuda_runtime_api.h>

#include "compute/cuda/check.h"

namespace loom::cuda {

std::uint64_t available_memory(int device) {
  // Reserve for the image's buffers, the driver and the window.
  constexpr std::uint64_t kReserve = std::uint64_t{256} << 20;
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  LOOM_CUDA(cudaSetDevice(device));
  LOOM_CUDA(cudaMemGetInfo(&free_bytes, &total_bytes));
  return free_bytes > kReserve ? free_bytes - kReserve : 0;
}

}  // namespace loom::cuda
