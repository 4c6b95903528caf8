#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/cuda/life/thread_cell.cuh"
#include "compute/map/row_chunk.h"

namespace loom::cuda {

// Writing tiles of expanded storage in whole rows. Cells of a fractal are scattered bytes: written one by one
// they make the memory read each sector before it can change a few of its bytes. So a thread block gathers
// its cells' states in shared memory, holes 0 as they are in storage, and writes whole rows.

/// Maps whose thread blocks can gather their tiles.
template <typename Map>
inline constexpr bool kWritesRows = !kIsBox<Map> && Map::kComputedBy != ComputedBy::kMatrixCells;

/// Shared memory that write_in_rows() needs.
inline std::size_t staged_states(const MapMethod& method, const BlockedFractal& fractal) {
  return tiling_of(method, fractal).tiles() * std::size_t{fractal.block_area()};
}

/// Copies the states of tiles from shared memory to where the tiles lie, a Chunk at a time.
template <typename Chunk, typename Int>
__device__ __forceinline__ void copy_rows(const TileLayout& layout, const BlockedFractal& fractal,
                                          const TileOrigin<Int>* origins, const std::uint8_t* states,
                                          std::uint8_t* __restrict__ cells) {
  const std::uint32_t bytes = layout.tiles() * fractal.block_area();
  for (std::uint32_t i = threadIdx.x * sizeof(Chunk); i < bytes; i += blockDim.x * sizeof(Chunk)) {
    const std::uint32_t row = layout.rho_x.divide(i);  // over all tiles
    const std::uint32_t tile = layout.rho_y.divide(row);
    if (origins[tile].offset == kNoTile) continue;
    const std::uint64_t at = origins[tile].offset +
                             std::uint64_t{row - tile * fractal.rho_y} * static_cast<Int>(fractal.width) +
                             (i - row * fractal.rho_x);
    *reinterpret_cast<Chunk*>(cells + at) = *reinterpret_cast<const Chunk*>(states + i);
  }
}

/// Every cell of the thread block's tiles takes state_of(ThreadCell), 0 or 1. `chunk` is row_chunk(), 4 or
/// 16; the launch has staged_states() bytes of dynamic shared memory. state_of must not read `cells`.
template <typename Map, typename Storage, typename StateOf, typename Int = typename Map::Index>
__device__ __forceinline__ void write_in_rows(const Map& map, const Storage& storage,
                                              const TileLayout& layout, std::uint32_t chunk,
                                              std::uint8_t* __restrict__ cells, const StateOf& state_of) {
  __shared__ SharedMemory<typename CellsInTiles<Map>::Shared> memory;
  extern __shared__ uint4 dynamic[];
  auto* const states = reinterpret_cast<std::uint8_t*>(dynamic);
  typename CellsInTiles<Map>::Shared& shared = memory.get();
  const BlockedFractal& fractal = map.blocked;
  const std::uint32_t area = fractal.block_area();
  for (std::uint32_t i = threadIdx.x * 4; i < layout.tiles() * area; i += blockDim.x * 4) {
    *reinterpret_cast<std::uint32_t*>(states + i) = 0;
  }
  CellsInTiles<Map>::for_each_position(map, storage, layout, shared,
                                       [&](std::uint32_t tile, Coord32 at, const ThreadCell<Int>& cell) {
                                         states[tile * area + at.y * fractal.rho_x + at.x] = state_of(cell);
                                       });
  __syncthreads();
  if (chunk == 16) {
    copy_rows<uint4>(layout, fractal, shared.origins, states, cells);
  } else {
    copy_rows<std::uint32_t>(layout, fractal, shared.origins, states, cells);
  }
}

}  // namespace loom::cuda
