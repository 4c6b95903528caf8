#include <mma.h>

#include <cstddef>

#include "compute/cuda/life/byte_kernels.h"
#include "compute/cuda/life/thread_cell.cuh"
#include "compute/map/dispatch.h"
#include "compute/workload/cell_work.h"

namespace loom::cuda {
namespace {

static_assert(kMaxTiles * kLargestReductionValue <= 2048, "FP16 holds every integer up to 2048");

/// Warps and thread blocks add their sums to one of this number of elements, which reduces contention.
constexpr std::uint32_t kPartialSums = 4096;

/// The sum over the calling warp, valid in its first lane. The last warp may have fewer than 32 lanes.
__device__ __forceinline__ std::uint32_t sum_of_warp(std::uint32_t value, std::uint32_t rank,
                                                     std::uint32_t threads) {
  const std::uint32_t lanes = min(32u, threads - rank / 32 * 32);
  const std::uint32_t mask = lanes == 32 ? ~0u : (1u << lanes) - 1;
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(mask, value);
#else
  const std::uint32_t lane = rank % 32;
  for (std::uint32_t distance = 16; distance > 0; distance /= 2) {
    const std::uint32_t other = __shfl_down_sync(mask, value, distance);
    if (lane + distance < lanes) value += other;
  }
  return value;
#endif
}

/// The sum over a thread block by matrix products: the thread block's values, 256 to a 16 x 16 matrix, times
/// a matrix of ones are the sums of its rows, accumulated over the matrices. Exact: a thread has at most
/// kMaxTiles cells of at most 8, 2048 in all, which FP16 represents; a row's sum is at most 16 * 4 * 2048,
/// which FP32 represents.
struct SumByMatrix {
  struct alignas(32) Shared {
    float rows[256];
    half values[kMaxBlockThreads];  ///< one matrix per 256 threads of the thread block
  };
  static constexpr std::uint32_t matrices(std::uint32_t threads) { return (threads + 255) / 256; }
  /// The part of Shared that a thread block uses, which is its dynamic shared memory.
  static std::size_t bytes(std::uint32_t threads) {
    return offsetof(Shared, values) + matrices(threads) * 256 * sizeof(half);
  }

  /// All threads of the thread block must take part, and there must be at least one whole warp. Contains a
  /// barrier. Valid in thread 0.
  static __device__ __forceinline__ std::uint32_t sum(Shared& shared, std::uint32_t value, std::uint32_t rank,
                                                      std::uint32_t threads) {
    using namespace nvcuda;
    shared.values[rank] = __float2half(static_cast<float>(value));
    for (std::uint32_t i = threads + rank; i < matrices(threads) * 256; i += threads) {
      shared.values[i] = __float2half(0);
    }
    __syncthreads();
    if (rank >= 32) return 0;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> ones;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
    wmma::fill_fragment(ones, __float2half(1));
    wmma::fill_fragment(sums, 0.0f);
    for (std::uint32_t m = 0; m < matrices(threads); ++m) {
      wmma::load_matrix_sync(a, shared.values + m * 256, 16);
      wmma::mma_sync(sums, a, ones, sums);
    }
    wmma::store_matrix_sync(shared.rows, sums, 16, wmma::mem_row_major);
    __syncwarp();
    // All columns hold the sums; lanes 0 to 15 read one row each.
    return warp_sum(rank < 16 ? static_cast<std::uint32_t>(shared.rows[rank * 16]) : 0u);
  }
};

__device__ __forceinline__ void add_to(unsigned long long* partial, std::uint32_t place, bool by_me,
                                       std::uint32_t sum) {
  if (by_me && sum != 0) atomicAdd(&partial[place % kPartialSums], std::uint64_t{sum});
}

/// kByMatrix: the launch must have SumByMatrix::bytes() of dynamic shared memory. It is a template argument
/// because matrix products in the same kernel need registers: as a run-time branch they made the bounding
/// box's warp sums 21 % slower.
template <bool kByMatrix, typename Map, typename Storage>
__global__ void __launch_bounds__(kMaxBlockThreads)
    reduction_kernel(const __grid_constant__ TileLayout layout, const __grid_constant__ Map map,
                     const __grid_constant__ Storage storage, const std::uint8_t* __restrict__ cells,
                     unsigned long long* __restrict__ partial) {
  std::uint32_t value = 0;
  for_each_cell(map, storage, layout,
                [&](const auto& mine) { value += reduction_value(mine.cell, cells[mine.offset]); });
  const std::uint32_t rank = rank_in_block<Map>();
  const std::uint32_t threads = threads_in_block<Map>();
  const std::uint32_t block = blockIdx.y * gridDim.x + blockIdx.x;
  if constexpr (kByMatrix) {
    extern __shared__ SumByMatrix::Shared of_sum[];
    add_to(partial, block, rank == 0, SumByMatrix::sum(*of_sum, value, rank, threads));
  } else {
    // Each warp adds its own sum: no thread waits for another warp, and most warps of a bounding box have
    // nothing to add.
    add_to(partial, block * ((threads + 31) / 32) + rank / 32, rank % 32 == 0,
           sum_of_warp(value, rank, threads));
  }
}

/// One thread block adds the partial sums and writes the total after them.
__global__ void add_partial_sums_kernel(unsigned long long* partial) {
  __shared__ unsigned long long total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  unsigned long long sum = 0;
  for (std::uint32_t i = threadIdx.x; i < kPartialSums; i += blockDim.x) sum += partial[i];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) atomicAdd(&total, sum);
  __syncthreads();
  if (threadIdx.x == 0) partial[kPartialSums] = total;
}

}  // namespace

Reducer::Reducer() : partial_(kPartialSums + 1) {}

void Reducer::reduce(ReductionMethod reduction, const MapMethod& method, const TiledFractal& fractal,
                     const MapTables& tables, const std::uint8_t* cells, const LaunchSlices& slices,
                     const Stream& stream) {
  LOOM_CUDA(cudaMemsetAsync(partial_.data(), 0, kPartialSums * sizeof(unsigned long long), stream.get()));
  with_kernel_map(
      method, fractal, tables, [&]<typename Map, typename Storage>(const Map& map, const Storage& storage) {
        const std::uint32_t threads = gpu_launch(method, fractal, map.launch_shape()).threads;
        // Matrix products need a whole warp.
        const bool by_matrix = reduction == ReductionMethod::kTensor && threads >= 32;
        const auto kernel =
            by_matrix ? reduction_kernel<true, Map, Storage> : reduction_kernel<false, Map, Storage>;
        launch_tiles(kernel, map, method, by_matrix ? SumByMatrix::bytes(threads) : 0, slices, stream, map,
                     storage, cells, partial_.data());
      });
  add_partial_sums_kernel<<<1, 256, 0, stream.get()>>>(partial_.data());
  LOOM_CUDA(cudaGetLastError());
}

void Reducer::copy_sum(unsigned long long* to, const Stream& stream) const {
  LOOM_CUDA(
      cudaMemcpyAsync(to, partial_.data() + kPartialSums, sizeof(*to), cudaMemcpyDeviceToHost, stream.get()));
}

}  // namespace loom::cuda
