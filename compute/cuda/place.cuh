#pragma once

#include <cstdint>

#include "compute/cuda/tile.cuh"
#include "compute/cuda/warp_arithmetic.cuh"
#include "compute/workload/life_neighbours.h"

namespace loom::cuda {

// Where a thread block's tiles lie. All threads of the thread block take part in each function here.

/// The expanded block coordinate of the calling thread's tile. Where a few threads compute the places for
/// all, there is a barrier inside.
template <typename Map, typename Int>
__device__ __forceinline__ Coord<Int> place_of_tile(const Map& map, const TileLayout& layout,
                                                    const TileThread<Int>& mine) {
  if constexpr (Map::kComputedBy == ComputedBy::kEachThread) {
    return map.place(mine.block);
  } else {
    __shared__ Coord<Int> places[kMaxTiles];
    const std::uint32_t tiles = layout.tiles();
    if constexpr (Map::kComputedBy == ComputedBy::kWarp) {
      const std::uint32_t lane = threadIdx.x % 32;
      for (std::uint32_t i = threadIdx.x / 32; i < tiles; i += blockDim.x / 32) {
        const Coord<Int> place = warp_lambda(map.arithmetic, lane, block_of_tile<Int>(layout, i));
        if (lane == 0) places[i] = place;
      }
    } else {
      for (std::uint32_t i = threadIdx.x; i < tiles; i += blockDim.x) {
        places[i] = map.place(block_of_tile<Int>(layout, i));
      }
    }
    __syncthreads();
    return places[mine.tile < tiles ? mine.tile : 0];
  }
}

/// Where the nine blocks around each tile begin, written to shared memory (one BlockNeighbours a tile); a
/// barrier must follow.
template <typename Map, typename Int>
__device__ __forceinline__ void find_neighbours(const Map& map, const BlockedCompactStorage<Int>& storage,
                                                const TileLayout& layout, BlockNeighbours* neighbours) {
  const std::uint32_t tiles = layout.tiles();
  if constexpr (Map::kComputedBy == ComputedBy::kWarp) {
    // Each warp runs lambda for itself and then nu for its share of the neighbours.
    const std::uint32_t lane = threadIdx.x % 32;
    for (std::uint32_t i = threadIdx.x / 32; i < 9 * tiles; i += blockDim.x / 32) {
      const std::uint32_t tile = i / 9;
      const std::uint32_t which = i - 9 * tile;
      const Coord<Int> place = warp_lambda(map.arithmetic, lane, block_of_tile<Int>(layout, tile));
      const Coord<Int> at = neighbour_place(place, which);
      CompactCoord<Int> found;
      if (in_grid(storage.blocked, at)) found = warp_nu(map.arithmetic, lane, at);  // the same in all lanes
      if (lane == 0) {
        neighbours[tile].base[which] = found.present ? storage.block_base(found.omega) : kNoIndex;
      }
    }
  } else {
    // Each of nine threads a tile runs lambda for itself: this costs no more than one and saves a barrier.
    for (std::uint32_t i = threadIdx.x; i < 9 * tiles; i += blockDim.x) {
      const std::uint32_t tile = i / 9;
      const std::uint32_t which = i - 9 * tile;
      const Coord<Int> place = map.place(block_of_tile<Int>(layout, tile));
      neighbours[tile].base[which] = neighbour_base(storage, map.arithmetic, place, which);
    }
  }
}

/// A thread's cell, or none, and where it is stored.
template <typename Int>
struct ThreadCell {
  Coord<Int> cell;
  std::uint64_t offset = 0;
  bool present = false;
};

/// The calling thread's cell under a map, on any storage.
template <typename Map, typename Storage, typename Int = typename Map::Index>
__device__ __forceinline__ ThreadCell<Int> find_cell(const Map& map, const Storage& storage,
                                                     const TileLayout& layout) {
  const TileThread<Int> mine = tile_thread(map, layout);
  const Coord<Int> place = place_of_tile(map, layout, mine);
  ThreadCell<Int> found;
  if (!mine.present) return found;
  const ThreadPosition position = map.position(place, mine.thread);
  found.present = position.present;
  found.cell = cell_in_block(map.blocked, place, position.at);
  found.offset = storage.block_origin(mine.block, place) + position.at.y * storage.pitch() + position.at.x;
  return found;
}

}  // namespace loom::cuda
