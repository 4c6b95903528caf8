#pragma once

#include <cstdint>

#include "compute/cuda/life/place.cuh"
#include "compute/workload/life_neighbours.h"

namespace loom::cuda {

/// Where the nine blocks around each tile begin in compact storage, written to shared memory (one
/// BlockNeighbours a tile); a barrier must follow. All threads of the thread block take part.
template <typename Map, typename Int>
__device__ __forceinline__ void find_neighbours(const Map& map, const BlockedCompactStorage<Int>& storage,
                                                const TileLayout& layout, BlockNeighbours* neighbours) {
  const std::uint32_t tiles = layout.tiles();
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t warp = threadIdx.x / 32;
  if constexpr (Map::kComputedBy == ComputedBy::kOneThread) {
    // Each of nine threads a tile runs lambda for itself: this costs no more than one and saves a barrier.
    for (std::uint32_t i = threadIdx.x; i < 9 * tiles; i += blockDim.x) {
      const std::uint32_t tile = i / 9;
      const std::uint32_t which = i - 9 * tile;
      const Coord<Int> place = map.place(block_of_tile<Int>(layout, tile));
      neighbours[tile].base[which] = neighbour_base(storage, map.arithmetic, place, which);
    }
  } else if constexpr (Map::kComputedBy == ComputedBy::kWarp) {
    // Each warp runs lambda for itself and then nu for its share of the neighbours.
    for (std::uint32_t i = warp; i < 9 * tiles; i += blockDim.x / 32) {
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
    // One product places a tile, another finds its eight neighbours; the tile itself is known.
    static_assert(Map::kComputedBy == ComputedBy::kMatrix);
    __shared__ TensorScratch scratch[kTensorWarps];
    __shared__ Coord<Int> places[kTensorWarps];
    __shared__ CompactCoord<Int> found[kTensorWarps][8];
    const std::uint32_t warps = min(blockDim.x / 32, kTensorWarps);
    if (warp >= warps) return;
    const auto which_of = [](std::uint32_t i) { return i < 4 ? i : i + 1; };
    for (std::uint32_t tile = warp; tile < tiles; tile += warps) {
      const Coord<Int> block = block_of_tile<Int>(layout, tile);
      warp_tensor_lambda(
          map.arithmetic, scratch[warp], lane, [&](std::uint32_t) { return block; }, 1, &places[warp]);
      const Coord<Int> place = places[warp];
      const auto neighbour = [&](std::uint32_t i) { return neighbour_place(place, which_of(i)); };
      warp_tensor_nu(
          map.arithmetic, scratch[warp], lane,
          [&](std::uint32_t i) {
            const Coord<Int> at = neighbour(i);
            return in_grid(storage.blocked, at) ? at : Coord<Int>{0, 0};
          },
          8, found[warp]);
      if (lane < 8) {
        const CompactCoord<Int>& omega = found[warp][lane];
        const bool there = omega.present && in_grid(storage.blocked, neighbour(lane));
        neighbours[tile].base[which_of(lane)] = there ? storage.block_base(omega.omega) : kNoIndex;
      }
      if (lane == 8) neighbours[tile].base[4] = storage.block_base(block);
      __syncwarp();
    }
  }
}

}  // namespace loom::cuda
