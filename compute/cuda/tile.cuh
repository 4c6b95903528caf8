#pragma once

#include <cstdint>
#include <type_traits>

#include "compute/cuda/launch.cuh"
#include "compute/map/bounding_box.h"
#include "compute/map/thread_map.h"

namespace loom::cuda {

/// What a thread of a map kernel works on.
template <typename Int>
struct TileThread {
  std::uint32_t tile = 0;  ///< which tile of its thread block
  Coord<Int> block;        ///< the tile's block in the map's grid
  Coord32 thread;          ///< within the tile, as the map's intra-block mapping numbers its threads
  bool present = false;    ///< false in threads that only fill up a warp, and in tiles outside the grid
};

template <typename Map>
inline constexpr bool kIsBox = std::is_same_v<Map, BoundingBoxMap<typename Map::Index>>;

/// The map's block that is tile `tile` of this thread block. It may lie outside the grid.
template <typename Int>
__device__ __forceinline__ Coord<Int> block_of_tile(const TileLayout& layout, std::uint32_t tile) {
  // There is one row of tiles, or two.
  const bool lower = tile >= layout.tiles_x;
  const std::uint32_t column = lower ? tile - layout.tiles_x : tile;
  return {static_cast<Int>((layout.first.x + blockIdx.x) * layout.tiles_x + column),
          static_cast<Int>((layout.first.y + blockIdx.y) * layout.tiles_y + lower)};
}

/// The calling thread's number in its thread block.
template <typename Map>
__device__ __forceinline__ std::uint32_t rank_in_block() {
  if constexpr (kIsBox<Map>) return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  return threadIdx.x;
}
template <typename Map>
__device__ __forceinline__ std::uint32_t threads_in_block() {
  if constexpr (kIsBox<Map>) return blockDim.x * blockDim.y * blockDim.z;
  return blockDim.x;
}

/// The calling thread's tile and place in it.
template <typename Map, typename Int = typename Map::Index>
__device__ __forceinline__ TileThread<Int> tile_thread(const Map&, const TileLayout& layout) {
  if constexpr (kIsBox<Map>) {
    return {threadIdx.z, block_of_tile<Int>(layout, threadIdx.z), {threadIdx.x, threadIdx.y}, true};
  } else {
    TileThread<Int> mine;
    mine.tile = layout.threads_of_tile.divide(threadIdx.x);
    mine.block = block_of_tile<Int>(layout, mine.tile);
    const std::uint32_t number = threadIdx.x - mine.tile * layout.threads_of_tile.value();
    if constexpr (Map::kSquareThreads) {
      const std::uint32_t row = layout.rho_x.divide(number);
      mine.thread = {number - row * layout.rho_x.value(), row};
    } else {
      mine.thread = {number, 0};
    }
    mine.present = mine.tile < layout.tiles() && mine.block.x < layout.grid_x && mine.block.y < layout.grid_y;
    return mine;
  }
}

}  // namespace loom::cuda
