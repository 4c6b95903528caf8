#include <algorithm>

#include "compute/cuda/distributed/add_sums.h"
#include "compute/cuda/launch.cuh"
#include "compute/engine/pixel_lookup.h"

namespace loom::cuda {
namespace {

constexpr unsigned kThreads = 256;

__device__ __forceinline__ unsigned long long total_of(const PartitionSums& sums, std::size_t pixel) {
  unsigned long long total = 0;
  for (int i = 0; i < sums.count; ++i) total += sums.of[i][pixel];
  return total;
}

__global__ void add_sums_kernel(const __grid_constant__ PartitionSums sums, std::size_t area,
                                unsigned long long* __restrict__ total) {
  const std::size_t pixel = grid_thread();
  if (pixel < area) total[pixel] = total_of(sums, pixel);
}

__global__ void draw_sums_kernel(const unsigned long long* __restrict__ cells,
                                 const __grid_constant__ PartitionSums living, std::uint32_t states,
                                 std::size_t area, std::uint16_t* __restrict__ pixels) {
  const std::size_t pixel = grid_thread();
  if (pixel < area) pixels[pixel] = density_value(cells[pixel] * (states - 1), total_of(living, pixel));
}

unsigned blocks_of(std::size_t area) {
  return static_cast<unsigned>((area + kThreads - 1) / kThreads);
}

}  // namespace

void add_sums(const PartitionSums& sums, std::size_t area, unsigned long long* total, cudaStream_t stream) {
  add_sums_kernel<<<blocks_of(area), kThreads, 0, stream>>>(sums, area, total);
  LOOM_CUDA(cudaGetLastError());
}

void draw_sums(const unsigned long long* cells, const PartitionSums& living, std::uint32_t states,
               std::size_t area, std::uint16_t* pixels, cudaStream_t stream) {
  draw_sums_kernel<<<blocks_of(area), kThreads, 0, stream>>>(cells, living, states, area, pixels);
  LOOM_CUDA(cudaGetLastError());
}

}  // namespace loom::cuda
