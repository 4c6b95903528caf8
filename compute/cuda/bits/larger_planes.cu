#include "compute/cuda/bits/plane_cells.h"
#include "compute/cuda/check.h"
#include "compute/workload/larger_planes.h"

namespace loom::cuda {
namespace {

constexpr unsigned kThreads = 64;

/// A thread block per tile.
template <int kRadius>
__global__ void __launch_bounds__(kThreads)
    larger_planes_kernel(const __grid_constant__ LargeTiles tiles, std::uint8_t* now, std::uint8_t* next,
                         const __grid_constant__ LargeMasks rule, std::uint32_t first) {
  extern __shared__ std::uint32_t shared[];
  step_large_tile<kRadius>(
      tiles, rule, first + blockIdx.x, now, next, shared, threadIdx.x, kThreads, [] { __syncthreads(); },
      [](std::uint32_t& word, std::uint32_t bits) { atomicOr(&word, bits); });
}

}  // namespace

void step_larger_planes(const LargeTiles& tiles, std::uint8_t* now, std::uint8_t* next, const LifeRule& rule,
                        const LaunchSlices& slices, const Stream& stream) {
  // A step per point of the box and per row that a thread counts.
  const std::uint64_t steps =
      std::uint64_t{tiles.tiles_around()} * tiles.slots() + 32u * tiles.shared_words();
  const std::size_t bytes = tiles.shared_words() * sizeof(std::uint32_t);
  with_radius(static_cast<int>(tiles.radius), [&](auto radius) {
    slices.each_block(tiles.tiles(), steps, [&](std::uint64_t first, std::uint64_t end) {
      larger_planes_kernel<radius()><<<static_cast<unsigned>(end - first), kThreads, bytes, stream.get()>>>(
          tiles, now, next, LargeMasks(rule), static_cast<std::uint32_t>(first));
      LOOM_CUDA(cudaGetLastError());
    });
  });
}

}  // namespace loom::cuda
