#pragma once

#include <type_traits>

#include "compute/cuda/life/place.cuh"
#include "compute/cuda/life/row_tiles.cuh"
#include "compute/map/dispatch.h"
#include "compute/workload/game_of_life.h"
#include "compute/workload/life_neighbours.h"

namespace loom::cuda {

// One thread block's work in a generation of life on compact storage, which the kernel that is timed and the
// one that a timeline records share.

/// Life on blocked compact storage: lambda places the tiles, nu finds their neighbours, and threads read
/// across a tile's rim, each for itself. All threads of the thread block take part.
template <typename Map, typename Int>
__device__ __forceinline__ void life_compact_block(const TileLayout& layout, const Map& map,
                                                   const BlockedCompactStorage<Int>& storage,
                                                   const NeighbourList& list,
                                                   const std::uint8_t* __restrict__ now,
                                                   std::uint8_t* __restrict__ next, LifeRule rule) {
  using Places = PlacesOf<Map>;
  __shared__ SharedMemory<typename Places::NeighbourShared> shared;
  extern __shared__ uint4 dynamic[];
  const BlockedFractal& fractal = map.blocked;
  auto* const neighbours = reinterpret_cast<BlockNeighbours*>(dynamic);
  Places::find_places(map.arithmetic, layout, shared.get());
  __syncthreads();
  Places::find_neighbours(map.arithmetic, storage, layout, list, shared.get(), neighbours);
  const TileThread mine = tile_thread(layout);
  const ThreadPosition position = position_in_tile(map, layout, mine);
  __syncthreads();
  if (mine.tile >= layout.parallel || !position.present) return;
  const int x = static_cast<int>(position.at.x);
  const int y = static_cast<int>(position.at.y);
  // Tiles are neighbours in a row of the grid, so that they follow one another in memory.
  const std::uint64_t first =
      storage.block_base(block_of_tile<Int>(layout, 0)) + position.at.y * fractal.rho_x + position.at.x;
#pragma unroll 3
  for (std::uint32_t tile = mine.tile; tile < layout.tiles(); tile += layout.parallel) {
    const std::uint64_t at = first + tile * fractal.block_area();
    next[at] = next_state(rule, now[at], count_across_blocks(fractal, now, neighbours[tile], x, y));
  }
}

/// The same with the tiles and their rims staged in shared memory, and the tiles written whole.
template <typename Map, typename Int>
__device__ __forceinline__ void life_compact_rows_block(
    const TileLayout& layout, const Map& map, const BlockedCompactStorage<Int>& storage,
    const NeighbourList& list, const RowWork& work, const RimCell* __restrict__ rim, std::uint32_t rim_cells,
    const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next, LifeRule rule) {
  using Places = PlacesOf<Map>;
  __shared__ SharedMemory<typename Places::NeighbourShared> shared;
  extern __shared__ uint4 dynamic[];
  const BlockedFractal& fractal = map.blocked;
  const std::uint32_t tiles = layout.tiles();
  const std::uint32_t area = fractal.block_area();
  const RowMemory memory = row_memory(fractal, tiles, tiles * sizeof(BlockNeighbours));
  auto* const states = reinterpret_cast<std::uint8_t*>(dynamic);
  auto* const neighbours = reinterpret_cast<BlockNeighbours*>(states + memory.beside);
  std::uint8_t* const staged = states + memory.staged;
  // Tiles are neighbours in a row of the grid, so that they follow one another in memory.
  const std::uint64_t first = storage.block_base(block_of_tile<Int>(layout, 0));

  clear(states, memory.bytes);
  Places::find_places(map.arithmetic, layout, shared.get());
  const TileThread mine = tile_thread(layout);
  const ThreadPosition position = position_in_tile(map, layout, mine);
  __syncthreads();
  Places::find_neighbours(map.arithmetic, storage, layout, list, shared.get(), neighbours);
  stage_rows(
      work, fractal, tiles, fractal.rho_x, [=](std::uint32_t tile) { return first + tile * area; }, now,
      staged);
  __syncthreads();
  stage_rims(work, fractal, tiles, rim, rim_cells, staged, [=](RimCell cell) {
    return [=, of_block = &neighbours->base[cell.block()], from = now + cell.source()](std::uint32_t tile) {
      const std::uint64_t base = of_block[tile * (sizeof(BlockNeighbours) / sizeof(std::uint64_t))];
      return base != kNoIndex ? from[base] : std::uint8_t{0};
    };
  });
  __syncthreads();
  step_staged(layout, fractal, mine, position, rule, staged, beside_chunks(states, first));
  __syncthreads();
  write_run(states, first, tiles * area, next);
}

/// Calls `use(kernel, map, shared bytes, arguments...)` with the kernel that a method's map and storage take,
/// and its arguments after the map and up to the cells: Kernels::compact<Map, Int>() or
/// Kernels::compact_rows<Map, Int>(). Does nothing where the storage is not compact.
template <typename Kernels, typename Map, typename Storage, typename Use>
void with_compact_kernel(const MapMethod& method, bool halo, const BlockedFractal& fractal,
                         const MapTables& tables, const Map& map, const Storage& storage, const Use& use) {
  using Int = typename Map::Index;
  if constexpr (std::is_same_v<Storage, BlockedCompactStorage<Int>>) {
    const std::uint32_t tiles = tiling_of(method, fractal).tiles();
    const std::uint32_t neighbours = tiles * sizeof(BlockNeighbours);
    if (halo) {
      use(Kernels::template compact_rows<Map, Int>(), map,
          std::size_t{row_memory(fractal, tiles, neighbours).bytes}, storage,
          neighbour_list(tables.blocks_of_rim),
          row_work(fractal, fractal.rho_x, tables.rim_cells, threads_of(method, map)), tables.rim,
          tables.rim_cells);
    } else {
      use(Kernels::template compact<Map, Int>(), map, std::size_t{neighbours}, storage,
          neighbour_list(kAllAround));
    }
  }
}

}  // namespace loom::cuda
