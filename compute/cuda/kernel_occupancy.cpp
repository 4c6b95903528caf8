#include "compute/cuda/kernel_occupancy.h"

#include "compute/cuda/check.h"

namespace loom::cuda {

Occupancy kernel_occupancy(const void* kernel, std::uint32_t threads, std::size_t dynamic_bytes) {
  int device = 0;
  LOOM_CUDA(cudaGetDevice(&device));
  cudaDeviceProp has{};
  LOOM_CUDA(cudaGetDeviceProperties(&has, device));
  cudaFuncAttributes takes{};
  LOOM_CUDA(cudaFuncGetAttributes(&takes, kernel));
  const auto count = [](auto value) { return static_cast<std::uint32_t>(value); };
  Occupancy occupancy = occupancy_limits({.threads = threads,
                                          .registers = count(takes.numRegs),
                                          .shared_bytes = count(takes.sharedSizeBytes + dynamic_bytes)},
                                         {.threads = count(has.maxThreadsPerMultiProcessor),
                                          .blocks = count(has.maxBlocksPerMultiProcessor),
                                          .registers = count(has.regsPerMultiprocessor),
                                          .shared_bytes = count(has.sharedMemPerMultiprocessor),
                                          .reserved_bytes = count(has.reservedSharedMemPerBlock)});
  int blocks = 0;
  LOOM_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads),
                                                          dynamic_bytes));
  occupancy.blocks = count(blocks);
  return occupancy;
}

}  // namespace loom::cuda
