#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "compute/cuda/check.h"
#include "compute/cuda/stream.h"

namespace loom::cuda {

/// Launches threads that process `count` items in a grid-stride loop (grid_stride() is the stride).
template <typename... Parameters, typename... Arguments>
void launch_items(void (*kernel)(Parameters...), std::uint64_t count, const Stream& stream,
                  const Arguments&... arguments) {
  constexpr std::uint64_t kThreads = 256;
  constexpr std::uint64_t kMaxBlocks = 1 << 16;
  if (count == 0) return;
  const std::uint64_t blocks = std::min(kMaxBlocks, (count + kThreads - 1) / kThreads);
  kernel<<<static_cast<unsigned>(blocks), kThreads, 0, stream.get()>>>(arguments...);
  LOOM_CUDA(cudaGetLastError());
}
__device__ __forceinline__ std::uint64_t grid_thread() {
  return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ std::uint64_t grid_stride() {
  return std::uint64_t{gridDim.x} * blockDim.x;
}

}  // namespace loom::cuda
