#include "compute/cuda/launch.cuh"
#include "compute/cuda/life/cells.h"
#include "compute/engine/fractal_engine.h"
#include "compute/geometry/canonical_order.h"
#include "compute/geometry/stored_cells.h"

namespace loom::cuda {
namespace {

template <typename Int, typename Storage, typename Cells>
__global__ void fill_random_kernel(const __grid_constant__ CanonicalOrder<Int> order,
                                   const __grid_constant__ Storage storage,
                                   const __grid_constant__ Cells cells, std::uint64_t first,
                                   std::uint64_t count, std::uint64_t seed, std::uint64_t threshold) {
  for (std::uint64_t n = first + grid_thread(); n < first + count; n += grid_stride()) {
    const std::uint64_t i = order.held_index(n);
    cells.store(storage.index_of(order.cell(i)), random_cell(seed, i, threshold));
  }
}

__device__ __forceinline__ unsigned long long warp_sum(unsigned long long value) {
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(0xffffffffu, value, lanes);
  return value;
}

template <typename Int, typename Storage, typename Cells>
__global__ void census_kernel(const __grid_constant__ CanonicalOrder<Int> order,
                              const __grid_constant__ Storage storage, const __grid_constant__ Cells cells,
                              std::uint64_t first, std::uint64_t count, unsigned long long* totals) {
  Census census;
  for (std::uint64_t n = first + grid_thread(); n < first + count; n += grid_stride()) {
    const std::uint64_t i = order.held_index(n);
    if (const std::uint8_t state = cells.load(storage.index_of(order.cell(i)))) census.add(i, state);
  }
  const unsigned long long population = warp_sum(census.population);
  const unsigned long long hash = warp_sum(census.hash);
  if (threadIdx.x % 32 == 0 && hash) {
    atomicAdd(&totals[0], population);
    atomicAdd(&totals[1], hash);
  }
}

template <typename Int, typename Storage, typename Cells>
__global__ void gather_kernel(const __grid_constant__ CanonicalOrder<Int> order,
                              const __grid_constant__ Storage storage, const __grid_constant__ Cells cells,
                              std::uint64_t first, std::uint64_t count, std::uint32_t plane,
                              std::uint32_t* dense) {
  // A warp computes one word of `dense`, so that all of its lanes must take part to the end.
  for (std::uint64_t i = grid_thread(); i < (count + 31) / 32 * 32; i += grid_stride()) {
    const bool set = i < count && (cells.load(storage.index_of(order.cell(first + i))) >> plane & 1u) != 0;
    const std::uint32_t word = __ballot_sync(0xffffffffu, set);
    if (threadIdx.x % 32 == 0) dense[i / 32] = word;
  }
}

template <typename Int, typename Storage, typename Cells>
__global__ void scatter_kernel(const __grid_constant__ CanonicalOrder<Int> order,
                               const __grid_constant__ Storage storage, const __grid_constant__ Cells cells,
                               std::uint64_t first, std::uint64_t count, std::uint32_t plane,
                               const std::uint8_t* bits) {
  for (std::uint64_t i = grid_thread(); i < count; i += grid_stride()) {
    const std::uint64_t at = storage.index_of(order.cell(first + i));
    const std::uint32_t bit = bits[i / 8] >> (i % 8) & 1u;
    cells.store(at, static_cast<std::uint8_t>(plane == 0 ? bit : cells.load(at) | bit << plane));
  }
}

__global__ void drop_states_kernel(std::uint8_t* cells, std::uint64_t count, std::uint32_t states) {
  for (std::uint64_t at = grid_thread(); at < count; at += grid_stride()) {
    if (cells[at] >= states) cells[at] = 0;
  }
}

template <typename Cells>
__global__ void write_edits_kernel(const __grid_constant__ Cells cells, const CellWrite* writes,
                                   std::uint64_t count) {
  for (std::uint64_t i = grid_thread(); i < count; i += grid_stride()) {
    cells.store(writes[i].at, static_cast<std::uint8_t>(writes[i].state));
  }
}

template <typename Cells>
__global__ void load_cell_kernel(const __grid_constant__ Cells cells, std::uint64_t at, std::uint8_t* state) {
  *state = cells.load(at);
}

/// Calls `use` with the canonical order, the storage that maps cells to positions, and the cells by position.
template <typename Use>
void with_order(const StoredCells& cells, const Use& use) {
  with_stored(cells.stored, cells.fractal, cells.memory,
              [&]<typename Int>(Int, const auto& storage, const auto& held) {
                use(CanonicalOrder<Int>(cells.fractal), storage, held);
              });
}

}  // namespace

void fill_random(const StoredCells& cells, std::uint64_t first, std::uint64_t count, std::uint64_t seed,
                 std::uint64_t threshold, const Stream& stream) {
  with_order(cells, [&]<typename Int, typename Storage, typename Cells>(
                        const CanonicalOrder<Int>& order, const Storage& storage, const Cells& held) {
    launch_items(fill_random_kernel<Int, Storage, Cells>, count, stream, order, storage, held, first, count,
                 seed, threshold);
  });
}

void add_census(const StoredCells& cells, std::uint64_t first, std::uint64_t count,
                unsigned long long* totals, const Stream& stream) {
  with_order(cells, [&]<typename Int, typename Storage, typename Cells>(
                        const CanonicalOrder<Int>& order, const Storage& storage, const Cells& held) {
    launch_items(census_kernel<Int, Storage, Cells>, count, stream, order, storage, held, first, count,
                 totals);
  });
}

void gather_cells(const StoredCells& cells, std::uint64_t first, std::uint64_t count, std::uint32_t plane,
                  std::uint32_t* dense, const Stream& stream) {
  with_order(cells, [&]<typename Int, typename Storage, typename Cells>(
                        const CanonicalOrder<Int>& order, const Storage& storage, const Cells& held) {
    launch_items(gather_kernel<Int, Storage, Cells>, count, stream, order, storage, held, first, count, plane,
                 dense);
  });
}

void scatter_cells(const StoredCells& cells, std::uint64_t first, std::uint64_t count, std::uint32_t plane,
                   const std::uint8_t* bits, const Stream& stream) {
  with_order(cells, [&]<typename Int, typename Storage, typename Cells>(
                        const CanonicalOrder<Int>& order, const Storage& storage, const Cells& held) {
    launch_items(scatter_kernel<Int, Storage, Cells>, count, stream, order, storage, held, first, count,
                 plane, bits);
  });
}

void drop_states(std::uint8_t* cells, std::uint64_t count, std::uint32_t states, const Stream& stream) {
  launch_items(drop_states_kernel, count, stream, cells, count, states);
}

void write_edits(const StoredCells& cells, const CellWrite* writes, std::uint64_t count,
                 const Stream& stream) {
  with_stored(cells.stored, cells.fractal, cells.memory,
              [&]<typename Cells>(auto, const auto&, const Cells& held) {
                launch_items(write_edits_kernel<Cells>, count, stream, held, writes, count);
              });
}

void load_cell(const StoredCells& cells, std::uint64_t at, std::uint8_t* state, const Stream& stream) {
  with_stored(cells.stored, cells.fractal, cells.memory,
              [&]<typename Cells>(auto, const auto&, const Cells& held) {
                launch_items(load_cell_kernel<Cells>, 1, stream, held, at, state);
              });
}

}  // namespace loom::cuda
