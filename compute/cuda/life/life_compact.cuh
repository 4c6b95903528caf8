#pragma once

#include <type_traits>

#include "compute/cuda/life/place.cuh"
#include "compute/map/dispatch.h"
#include "compute/map/staged_tile.h"
#include "compute/workload/game_of_life.h"
#include "compute/workload/life_neighbours.h"

namespace loom::cuda {

// One thread block's work in a generation of life on compact storage, which the kernel that is timed and the
// one that a timeline records share.

/// Copies a thread block's tiles into shared memory. In compact storage they lie one after the other, `first`
/// is the first one's byte.
__device__ __forceinline__ void stage_tiles(const TileLayout& layout, const BlockedFractal& fractal,
                                            const StagedTile& staged, std::uint32_t tiles,
                                            const std::uint8_t* __restrict__ first, std::uint8_t* shared) {
  const std::uint32_t area = fractal.block_area();
  const bool words = fractal.rho_x % 4 == 0;
  const std::uint32_t step = words ? 4 : 1;
  for (std::uint32_t i = threadIdx.x * step; i < tiles * area; i += blockDim.x * step) {
    const std::uint32_t row = layout.rho_x.divide(i);  // over all tiles
    const std::uint32_t tile = layout.rho_y.divide(row);
    std::uint8_t* const to =
        shared + tile * staged.bytes() +
        staged.at(static_cast<int>(i - row * fractal.rho_x), static_cast<int>(row - tile * fractal.rho_y));
    if (words) {
      *reinterpret_cast<std::uint32_t*>(to) = *reinterpret_cast<const std::uint32_t*>(first + i);
    } else {
      *to = first[i];
    }
  }
}

/// Copies the rims of the tiles into shared memory. `rim` lists the cells of one.
__device__ __forceinline__ void stage_rims(const TileLayout& layout, const StagedTile& staged,
                                           const RimCell* __restrict__ rim, std::uint32_t rim_cells,
                                           const std::uint8_t* __restrict__ now,
                                           const BlockNeighbours* neighbours, std::uint8_t* shared) {
  const TileThread mine = tile_thread(layout);
  if (mine.tile >= layout.parallel) return;
  for (std::uint32_t i = mine.number; i < rim_cells; i += layout.threads_of_tile.value()) {
    const RimCell cell = rim[i];
    for (std::uint32_t t = mine.tile; t < layout.tiles(); t += layout.parallel) {
      const std::uint64_t base =
          cell.block() < RimCell::kNowhere ? neighbours[t].base[cell.block()] : kNoIndex;
      shared[t * static_cast<std::uint32_t>(staged.bytes()) + cell.target()] =
          base != kNoIndex ? now[base + cell.source()] : std::uint8_t{0};
    }
  }
}

/// Life on blocked compact storage: lambda places the tiles, nu finds their neighbours, and threads read
/// across a tile's rim, through a copy in shared memory (kHalo) or each for itself. All threads of the thread
/// block take part.
template <bool kHalo, typename Map, typename Int>
__device__ __forceinline__ void life_compact_block(const TileLayout& layout, const Map& map,
                                                   const BlockedCompactStorage<Int>& storage,
                                                   const RimCell* __restrict__ rim, std::uint32_t rim_cells,
                                                   const std::uint8_t* __restrict__ now,
                                                   std::uint8_t* __restrict__ next, LifeRule rule) {
  using Places = PlacesOf<Map>;
  __shared__ SharedMemory<typename Places::NeighbourShared> shared;
  extern __shared__ std::uint64_t staged_memory[];
  const BlockedFractal& fractal = map.blocked;
  const std::uint32_t tiles = layout.tiles();
  auto* const neighbours = reinterpret_cast<BlockNeighbours*>(staged_memory);
  const StagedTile staged{static_cast<int>(fractal.rho_x), static_cast<int>(fractal.rho_y)};
  auto* const copies = reinterpret_cast<std::uint8_t*>(neighbours + tiles);

  Places::find_neighbours(map.arithmetic, storage, layout, shared.get(), neighbours);
  if constexpr (kHalo) {
    const std::uint8_t* const first = now + storage.block_base(block_of_tile<Int>(layout, 0));
    stage_tiles(layout, fractal, staged, tiles, first, copies);
  }
  const TileThread mine = tile_thread(layout);
  const ThreadPosition position = position_in_tile(map, layout, mine);
  __syncthreads();
  if constexpr (kHalo) {
    stage_rims(layout, staged, rim, rim_cells, now, neighbours, copies);
    __syncthreads();
  }
  if (mine.tile >= layout.parallel || !position.present) return;
  const int x = static_cast<int>(position.at.x);
  const int y = static_cast<int>(position.at.y);
  // Tiles are neighbours in a row of the grid, so that they follow one another in memory.
  const std::uint64_t first =
      storage.block_base(block_of_tile<Int>(layout, 0)) + position.at.y * fractal.rho_x + position.at.x;
#pragma unroll 3
  for (std::uint32_t tile = mine.tile; tile < tiles; tile += layout.parallel) {
    const std::uint64_t at = first + tile * fractal.block_area();
    if constexpr (kHalo) {
      const std::uint8_t* const own = copies + static_cast<int>(tile) * staged.bytes() + staged.at(x, y);
      next[at] = next_state(rule, *own, count_in_tile(own, staged.pitch()));
    } else {
      next[at] = next_state(rule, now[at], count_across_blocks(fractal, now, neighbours[tile], x, y));
    }
  }
}

/// Calls `use(kernel, map, shared bytes, storage)` with the kernel that a method's map and storage take:
/// Kernels::compact<kHalo, Map, Int>(). Does nothing where the storage is not compact.
template <typename Kernels, typename Map, typename Storage, typename Use>
void with_compact_kernel(const MapMethod& method, bool halo, const BlockedFractal& fractal, const Map& map,
                         const Storage& storage, const Use& use) {
  using Int = typename Map::Index;
  if constexpr (std::is_same_v<Storage, BlockedCompactStorage<Int>>) {
    const StagedTile staged{static_cast<int>(fractal.rho_x), static_cast<int>(fractal.rho_y)};
    const std::size_t tiles = tiling_of(method, fractal).tiles();
    const std::size_t shared_bytes =
        tiles * (sizeof(BlockNeighbours) + (halo ? static_cast<std::size_t>(staged.bytes()) : 0));
    use(halo ? Kernels::template compact<true, Map, Int>() : Kernels::template compact<false, Map, Int>(),
        map, shared_bytes, storage);
  }
}

}  // namespace loom::cuda
