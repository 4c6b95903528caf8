#pragma once

#include <cstdint>
#include <type_traits>

#include "compute/cuda/life/launch_tiles.cuh"
#include "compute/map/bounding_box.h"
#include "compute/map/thread_map.h"

namespace loom::cuda {

/// Shared memory for a T, which a kernel declares and no constructor touches. A T's content is undefined
/// until written.
template <typename T>
struct SharedMemory {
  __device__ __forceinline__ T& get() { return reinterpret_cast<T&>(bytes); }
  alignas(T) unsigned char bytes[sizeof(T)];
};

// Which tile, and which of its threads, a CUDA thread is.

template <typename Map>
inline constexpr bool kIsBox = std::is_same_v<Map, BoundingBoxMap<typename Map::Index>>;

/// The map's block that is tile `tile` of this thread block. It may lie outside the grid (in_launch()).
template <typename Int>
__device__ __forceinline__ Coord<Int> block_of_tile(const TileLayout& layout, std::uint32_t tile) {
  // There is one row of tiles, or two.
  const std::uint32_t row = tile >= layout.tiles_x;
  const std::uint32_t column = tile - row * layout.tiles_x;
  return {(static_cast<Int>(layout.first.x) + blockIdx.x) * layout.tiles_x + column,
          (static_cast<Int>(layout.first.y) + blockIdx.y) * layout.tiles_y + row};
}
template <typename Int>
__device__ __forceinline__ bool in_launch(const TileLayout& layout, Coord<Int> block) {
  return block.x < static_cast<Int>(layout.grid_x) && block.y < static_cast<Int>(layout.grid_y);
}

/// The calling thread's number in its thread block, and how many there are.
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

/// What a thread of a map other than the bounding box works on.
struct TileThread {
  std::uint32_t tile = 0;    ///< which of the tiles that are worked on at once; threads that only fill up a
                             ///< warp have one past the last
  std::uint32_t number = 0;  ///< within the tile
};

__device__ __forceinline__ TileThread tile_thread(const TileLayout& layout) {
  TileThread mine;
  mine.number = threadIdx.x;
  if (layout.threads_of_tile.value() != blockDim.x) {  // the same for all threads
    mine.tile = layout.threads_of_tile.divide(threadIdx.x);
    mine.number -= mine.tile * layout.threads_of_tile.value();
  }
  return mine;
}

/// Where in its tile a thread works, by the map's intra-block mapping.
template <typename Map>
__device__ __forceinline__ ThreadPosition position_in_tile(const Map& map, const TileLayout& layout,
                                                           const TileThread& mine) {
  return map.threads.position(map.blocked, mine.number, layout.rho_x);
}

}  // namespace loom::cuda
