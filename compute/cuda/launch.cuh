#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "compute/core/coord.h"
#include "compute/cuda/check.h"
#include "compute/cuda/stream.h"
#include "compute/map/thread_map.h"

namespace loom::cuda {

/// The block of a thread map that this thread block is, under launch_map().
template <typename Int>
__device__ __forceinline__ Coord<Int> map_block(Coord64 first) {
  return {static_cast<Int>(first.x + blockIdx.x), static_cast<Int>(first.y + blockIdx.y)};
}

/// Launches one thread block for every block of a thread map; the kernel's first argument is the map's block
/// at blockIdx (0, 0). Grids beyond CUDA's limits (2^31 - 1 blocks in x, 65535 in y) are launched in parts.
template <typename... Parameters, typename... Arguments>
void launch_map(void (*kernel)(Coord64, Parameters...), const LaunchShape& shape, std::size_t shared_bytes,
                const Stream& stream, const Arguments&... arguments) {
  constexpr std::uint64_t kMaxX = (std::uint64_t{1} << 31) - 1;
  constexpr std::uint64_t kMaxY = 65535;
  const dim3 threads(shape.threads_x, shape.threads_y);
  for (std::uint64_t y = 0; y < shape.blocks_y; y += kMaxY) {
    for (std::uint64_t x = 0; x < shape.blocks_x; x += kMaxX) {
      const dim3 blocks(static_cast<unsigned>(std::min(kMaxX, shape.blocks_x - x)),
                        static_cast<unsigned>(std::min(kMaxY, shape.blocks_y - y)));
      kernel<<<blocks, threads, shared_bytes, stream.get()>>>(Coord64{x, y}, arguments...);
      LOOM_CUDA(cudaGetLastError());
    }
  }
}

/// Launches threads that share out `count` items in a grid-stride loop (grid_stride() is their stride).
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
