#pragma once

#include <cstdint>
#include <type_traits>

#include "compute/cuda/life/launch_tiles.cuh"
#include "compute/map/bounding_box.h"
#include "compute/map/thread_map.h"

namespace loom::cuda {

/// Uninitialized shared memory for a T, declared by a kernel. The content is undefined until written.
template <typename T>
struct SharedMemory {
  __device__ __forceinline__ T& get() { return reinterpret_cast<T&>(bytes); }
  alignas(T) unsigned char bytes[sizeof(T)];
};

// The tile, and the thread index in it, of a CUDA thread.

/// The orientations of a thread block's tiles, in shared memory; nothing if replicas are not turned.
template <bool kTurned>
struct TileTurns {
  __device__ __forceinline__ void set(std::uint32_t tile, Symmetry symmetry) { of[tile] = symmetry; }
  __device__ __forceinline__ Coord32 apply_to(std::uint32_t tile, Coord32 at, std::uint32_t side) const {
    return apply(of[tile], at, side);
  }
  Symmetry of[kMaxTiles];
};
template <>
struct TileTurns<false> {
  __device__ __forceinline__ void set(std::uint32_t, Symmetry) {}
  __device__ __forceinline__ Coord32 apply_to(std::uint32_t, Coord32 at, std::uint32_t) const { return at; }
};

/// The grid coordinate of tile `tile` of this thread block. It may be outside of the grid (in_launch()).
template <typename Int>
__device__ __forceinline__ Coord<Int> coord_of_tile(const TileLayout& layout, std::uint32_t tile) {
  // There are one or two rows of tiles.
  const std::uint32_t row = tile >= layout.tiles_x;
  const std::uint32_t column = tile - row * layout.tiles_x;
  return {(static_cast<Int>(layout.first.x) + blockIdx.x) * layout.tiles_x + column,
          (static_cast<Int>(layout.first.y) + blockIdx.y) * layout.tiles_y + row};
}
template <typename Int>
__device__ __forceinline__ bool in_launch(const TileLayout& layout, Coord<Int> omega) {
  return omega.x < static_cast<Int>(layout.grid_x) && omega.y < static_cast<Int>(layout.grid_y);
}

/// The calling thread's index in its thread block, and the number of threads.
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

/// The work of a thread of a map other than the bounding box.
struct TileThread {
  std::uint32_t tile = 0;    ///< index among the tiles that are processed in parallel; threads that only fill
                             ///< up a warp have one past the last
  std::uint32_t number = 0;  ///< thread index in the tile
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

/// A thread's position in its tile, by the map's intra-block mapping; before the tile is turned.
template <typename Map>
__device__ __forceinline__ ThreadPosition position_in_tile(const Map& map, const TileLayout& layout,
                                                           const TileThread& mine) {
  return map.threads.position(map.tiled, mine.number, layout.rho_x);
}

}  // namespace loom::cuda
