#include "compute/cuda/launch.cuh"
#include "compute/cuda/life/cells.h"
#include "compute/geometry/canonical_order.h"

namespace loom::cuda {
namespace {

template <typename Int, typename Storage>
__global__ void fill_random_kernel(const __grid_constant__ CanonicalOrder<Int> order,
                                   const __grid_constant__ Storage storage, std::uint8_t* cells,
                                   std::uint64_t first, std::uint64_t count, std::uint64_t seed,
                                   std::uint64_t threshold) {
  for (std::uint64_t i = first + grid_thread(); i < first + count; i += grid_stride()) {
    cells[storage.index_of(order.cell(i))] = random_cell(seed, i, threshold);
  }
}

__device__ __forceinline__ unsigned long long warp_sum(unsigned long long value) {
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(0xffffffffu, value, lanes);
  return value;
}

template <typename Int, typename Storage>
__global__ void census_kernel(const __grid_constant__ CanonicalOrder<Int> order,
                              const __grid_constant__ Storage storage, const std::uint8_t* cells,
                              std::uint64_t first, std::uint64_t count, unsigned long long* totals) {
  unsigned long long population = 0;
  unsigned long long hash = 0;
  for (std::uint64_t i = first + grid_thread(); i < first + count; i += grid_stride()) {
    if (cells[storage.index_of(order.cell(i))]) {
      ++population;
      hash += hash_term(i);
    }
  }
  population = warp_sum(population);
  hash = warp_sum(hash);
  if (threadIdx.x % 32 == 0 && population) {
    atomicAdd(&totals[0], population);
    atomicAdd(&totals[1], hash);
  }
}

template <typename Int, typename Storage>
__global__ void gather_kernel(const __grid_constant__ CanonicalOrder<Int> order,
                              const __grid_constant__ Storage storage, const std::uint8_t* cells,
                              std::uint64_t first, std::uint64_t count, std::uint8_t* dense) {
  for (std::uint64_t i = grid_thread(); i < count; i += grid_stride()) {
    dense[i] = cells[storage.index_of(order.cell(first + i))];
  }
}

template <typename Int, typename Storage>
__global__ void scatter_kernel(const __grid_constant__ CanonicalOrder<Int> order,
                               const __grid_constant__ Storage storage, std::uint8_t* cells,
                               std::uint64_t first, std::uint64_t count, const std::uint8_t* dense) {
  for (std::uint64_t i = grid_thread(); i < count; i += grid_stride()) {
    cells[storage.index_of(order.cell(first + i))] = dense[i] ? 1 : 0;
  }
}

__global__ void write_edits_kernel(std::uint8_t* cells, const CellWrite* writes, std::uint64_t count) {
  for (std::uint64_t i = grid_thread(); i < count; i += grid_stride()) {
    cells[writes[i].at] = static_cast<std::uint8_t>(writes[i].alive);
  }
}

/// Calls `use` with the order and the storage of a layout, both in the right integer width.
template <typename Use>
void with_order(StorageLayout layout, const BlockedFractal& fractal, const Use& use) {
  with_storage(layout, fractal,
               [&]<typename Int, template <typename> typename Storage>(const Storage<Int>& storage) {
                 use(CanonicalOrder<Int>(fractal), storage);
               });
}

}  // namespace

void fill_random(StorageLayout layout, const BlockedFractal& fractal, std::uint8_t* cells,
                 std::uint64_t first, std::uint64_t count, std::uint64_t seed, std::uint64_t threshold,
                 const Stream& stream) {
  with_order(layout, fractal,
             [&]<typename Int, typename Storage>(const CanonicalOrder<Int>& order, const Storage& storage) {
               launch_items(fill_random_kernel<Int, Storage>, count, stream, order, storage, cells, first,
                            count, seed, threshold);
             });
}

void add_census(StorageLayout layout, const BlockedFractal& fractal, const std::uint8_t* cells,
                std::uint64_t first, std::uint64_t count, unsigned long long* totals, const Stream& stream) {
  with_order(layout, fractal,
             [&]<typename Int, typename Storage>(const CanonicalOrder<Int>& order, const Storage& storage) {
               launch_items(census_kernel<Int, Storage>, count, stream, order, storage, cells, first, count,
                            totals);
             });
}

void gather_cells(StorageLayout layout, const BlockedFractal& fractal, const std::uint8_t* cells,
                  std::uint64_t first, std::uint64_t count, std::uint8_t* dense, const Stream& stream) {
  with_order(layout, fractal,
             [&]<typename Int, typename Storage>(const CanonicalOrder<Int>& order, const Storage& storage) {
               launch_items(gather_kernel<Int, Storage>, count, stream, order, storage, cells, first, count,
                            dense);
             });
}

void scatter_cells(StorageLayout layout, const BlockedFractal& fractal, std::uint8_t* cells,
                   std::uint64_t first, std::uint64_t count, const std::uint8_t* dense,
                   const Stream& stream) {
  with_order(layout, fractal,
             [&]<typename Int, typename Storage>(const CanonicalOrder<Int>& order, const Storage& storage) {
               launch_items(scatter_kernel<Int, Storage>, count, stream, order, storage, cells, first, count,
                            dense);
             });
}

void write_edits(std::uint8_t* cells, const CellWrite* writes, std::uint64_t count, const Stream& stream) {
  launch_items(write_edits_kernel, count, stream, cells, writes, count);
}

}  // namespace loom::cuda
