#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/cuda/life/row_tiles.cuh"

namespace loom::cuda {

/// Bytes of shared memory that write_in_rows() needs.
inline std::size_t staged_states(const MapMethod& method, const TiledFractal& fractal) {
  const std::uint32_t bytes = tiling_of(method, fractal).tiles() * fractal.points_per_tile();
  return (bytes + 15) & ~15u;
}

/// Sets every cell of the thread block's tiles on expanded storage to state_of(ThreadCell), 0 or 1. States
/// are gathered in shared memory, with holes 0 as in storage, and written row by row. The launch must have
/// staged_states() bytes of dynamic shared memory. state_of must not read `cells`.
template <typename Map, typename Storage, typename StateOf, typename Int = typename Map::Index>
__device__ __forceinline__ void write_in_rows(const Map& map, const Storage& storage,
                                              const TileLayout& layout, const RowWork& work,
                                              std::uint8_t* __restrict__ cells, const StateOf& state_of) {
  __shared__ SharedMemory<typename CellsInTiles<Map>::Shared> memory;
  extern __shared__ uint4 dynamic[];
  auto* const states = reinterpret_cast<std::uint8_t*>(dynamic);
  typename CellsInTiles<Map>::Shared& shared = memory.get();
  const TiledFractal& fractal = map.tiled;
  const std::uint32_t tiles = layout.tiles();
  const std::uint32_t area = fractal.points_per_tile();
  clear(states, tiles * area);
  CellsInTiles<Map>::for_each_position(map, storage, layout, shared,
                                       [&](std::uint32_t tile, Coord32 at, const ThreadCell<Int>& cell) {
                                         states[tile * area + at.y * fractal.rho_x + at.x] = state_of(cell);
                                       });
  __syncthreads();
  const TileOrigin<Int>* const origins = shared.origins;
  write_rows(
      work, fractal, tiles, storage.pitch(), [=](std::uint32_t tile) { return origins[tile].offset; }, states,
      cells);
}

}  // namespace loom::cuda
