#include <algorithm>
#include <cstdint>

#include "compute/cuda/check.h"
#include "compute/cuda/distributed/copy_segments.h"

namespace loom::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kMostBlocks = 64;  // few compared with the interior, and enough to saturate a link

/// One row of thread blocks per segment.
template <typename Unit>
__global__ void copy_segments_kernel(const __grid_constant__ SegmentCopyBatch stretches) {
  const SegmentCopy& copied = stretches.of[blockIdx.y];
  const auto* const from = static_cast<const Unit*>(copied.from);
  auto* const to = static_cast<Unit*>(copied.to);
  const std::size_t units = copied.bytes / sizeof(Unit);
  for (std::size_t i = blockIdx.x * kThreads + threadIdx.x; i < units; i += gridDim.x * kThreads)
    to[i] = from[i];
}

}  // namespace

void copy_segments(const SegmentCopyBatch& stretches, cudaStream_t stream) {
  std::size_t most = 0;
  std::uintptr_t places = 0;
  for (int i = 0; i < stretches.count; ++i) {
    const SegmentCopy& one = stretches.of[i];
    most = std::max(most, one.bytes);
    places |=
        reinterpret_cast<std::uintptr_t>(one.from) | reinterpret_cast<std::uintptr_t>(one.to) | one.bytes;
  }
  if (most == 0) return;
  const auto launch = [&]<typename Unit>(Unit) {
    const std::size_t blocks = (most / sizeof(Unit) + kThreads - 1) / kThreads;
    const dim3 grid(static_cast<unsigned>(std::min<std::size_t>(blocks, kMostBlocks)),
                    static_cast<unsigned>(stretches.count));
    copy_segments_kernel<Unit><<<grid, kThreads, 0, stream>>>(stretches);
  };
  places % sizeof(std::uint32_t) == 0 ? launch(std::uint32_t{}) : launch(std::uint8_t{});
  LOOM_CUDA(cudaGetLastError());
}

}  // namespace loom::cuda
