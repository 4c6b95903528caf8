#pragma once

#include <cstdint>

#include "compute/cuda/life/tile.cuh"
#include "compute/cuda/warp/tensor_arithmetic.cuh"
#include "compute/cuda/warp/warp_arithmetic.cuh"

namespace loom::cuda {

// Where a thread block's tiles lie, by each arithmetic. All threads of the thread block take part.

/// Warps of a thread block that make matrix products; the others wait for them.
inline constexpr std::uint32_t kTensorWarps = 4;

/// Calls `use(tile, place)` once for each tile of the thread block, by one thread of the block: the expanded
/// block coordinate of the tile's block, which lambda gives. Tiles outside the grid are left out.
template <typename Map, typename Use, typename Int = typename Map::Index>
__device__ __forceinline__ void for_each_place(const Map& map, const TileLayout& layout, const Use& use) {
  const std::uint32_t tiles = layout.tiles();
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t warp = threadIdx.x / 32;
  if constexpr (Map::kComputedBy == ComputedBy::kOneThread) {
    for (std::uint32_t i = threadIdx.x; i < tiles; i += blockDim.x) {
      const Coord<Int> block = block_of_tile<Int>(layout, i);
      if (in_launch(layout, block)) use(i, map.place(block));
    }
  } else if constexpr (Map::kComputedBy == ComputedBy::kWarp) {
    for (std::uint32_t i = warp; i < tiles; i += blockDim.x / 32) {
      const Coord<Int> block = block_of_tile<Int>(layout, i);
      const Coord<Int> place = warp_lambda(map.arithmetic, lane, block);
      if (lane == 0 && in_launch(layout, block)) use(i, place);
    }
  } else {
    static_assert(Map::kComputedBy == ComputedBy::kMatrix);
    __shared__ TensorScratch scratch[kTensorWarps];
    __shared__ Coord<Int> places[kTensorWarps][8];
    const std::uint32_t warps = min(blockDim.x / 32, kTensorWarps);
    if (warp >= warps) return;
    const std::uint32_t group = layout.tiles_of_product;
    for (std::uint32_t i = warp * group; i < tiles; i += warps * group) {
      const std::uint32_t count = min(group, tiles - i);
      warp_tensor_lambda(
          map.arithmetic, scratch[warp], lane,
          [&](std::uint32_t t) { return block_of_tile<Int>(layout, i + t); }, count, places[warp]);
      if (lane < count && in_launch(layout, block_of_tile<Int>(layout, i + lane))) {
        use(i + lane, places[warp][lane]);
      }
      __syncwarp();
    }
  }
}

/// A tile, as its threads need it: the expanded coordinate of its corner, and the corner's byte in storage.
template <typename Int>
struct TileOrigin {
  Coord<Int> corner;
  std::uint64_t offset = 0;
};
/// The offset of a tile that has no cells: outside the grid, or sent there by plain FP16 weights.
inline constexpr std::uint64_t kNoTile = ~std::uint64_t{0};

/// The origin of each tile, in shared memory; a barrier must follow.
template <typename Map, typename Storage, typename Int = typename Map::Index>
__device__ __forceinline__ void find_origins(const Map& map, const Storage& storage, const TileLayout& layout,
                                             TileOrigin<Int>* origins) {
  if (layout.tiles_y > 1) {  // only then may some lie outside the grid
    for (std::uint32_t i = threadIdx.x; i < layout.tiles(); i += blockDim.x) origins[i].offset = kNoTile;
    __syncthreads();
  }
  for_each_place(map, layout, [&](std::uint32_t tile, Coord<Int> place) {
    const bool there = has_place(map, place);
    origins[tile].corner = cell_in_block(map.blocked, place, {0, 0});
    origins[tile].offset = there ? storage.block_origin(block_of_tile<Int>(layout, tile), place) : kNoTile;
  });
}

}  // namespace loom::cuda
