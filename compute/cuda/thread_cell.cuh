#pragma once

#include <cstdint>

#include "compute/cuda/place.cuh"

namespace loom::cuda {

/// A thread's cell, or none, and the byte where it is stored.
template <typename Int>
struct ThreadCell {
  Coord<Int> cell;
  std::uint64_t offset = 0;
  bool present = false;
};

/// Every thread for itself: the identity needs no help.
template <typename Map, typename Storage, typename Int = typename Map::Index>
__device__ __forceinline__ ThreadCell<Int> find_cell_in_box(const Map& map, const Storage& storage,
                                                            const TileLayout& layout) {
  const Coord<Int> place = block_of_tile<Int>(layout, threadIdx.z);
  const ThreadPosition position = map.position(place, {threadIdx.x, threadIdx.y});
  ThreadCell<Int> found;
  found.present = position.present;
  found.cell = cell_in_block(map.blocked, place, position.at);
  if (found.present) found.offset = storage.offset_of(found.cell);
  return found;
}

/// The thread block's matrix products give every position its own coordinate; a tile is a thread block.
template <typename Map, typename Storage, typename Int = typename Map::Index>
__device__ __forceinline__ ThreadCell<Int> find_cell_by_products(const Map& map, const Storage& storage,
                                                                 const TileLayout& layout) {
  __shared__ TensorScratch scratch[kTensorWarps];
  __shared__ Int xs[kMaxBlockThreads];
  __shared__ Int ys[kMaxBlockThreads];
  const TileThread mine = tile_thread(layout);
  const Coord<Int> block = block_of_tile<Int>(layout, 0);
  const std::uint32_t warps = min(blockDim.x / 32, kTensorWarps);
  const std::uint32_t warp = threadIdx.x / 32;
  if (warp < warps) {
    block_tensor_cells(map.arithmetic, scratch[warp], threadIdx.x % 32, warp, warps, block, xs, ys);
  }
  __syncthreads();
  ThreadCell<Int> found;
  if (mine.tile > 0) return found;
  const ThreadPosition position = map.position(block, thread_of_map<Map>(layout, mine));
  found.present = position.present;
  if (!found.present) return found;
  const std::uint32_t at = position.at.y * map.blocked.rho_x + position.at.x;
  found.cell = {xs[at], ys[at]};
  found.offset = storage.offset_of(found.cell);
  return found;
}

/// A few threads find where the tiles lie, and every thread its place in its tile.
template <typename Map, typename Storage, typename Int = typename Map::Index>
__device__ __forceinline__ ThreadCell<Int> find_cell_in_tile(const Map& map, const Storage& storage,
                                                             const TileLayout& layout) {
  __shared__ TileOrigin<Int> origins[kMaxTiles];
  find_origins(map, storage, layout, origins);
  const TileThread mine = tile_thread(layout);
  // Looked up before the barrier, so that the load's latency is over with the wait.
  const ThreadPosition position = map.position({}, thread_of_map<Map>(layout, mine));
  __syncthreads();
  ThreadCell<Int> found;
  if (mine.tile >= layout.tiles() || !position.present) return found;
  const TileOrigin<Int> origin = origins[mine.tile];
  found.present = origin.offset != kNoTile;
  found.cell = {origin.corner.x + position.at.x, origin.corner.y + position.at.y};
  found.offset = origin.offset + std::uint64_t{position.at.y} * storage.pitch() + position.at.x;
  return found;
}

/// The calling thread's cell under a map, on any storage. All threads of the thread block take part.
template <typename Map, typename Storage, typename Int = typename Map::Index>
__device__ __forceinline__ ThreadCell<Int> find_cell(const Map& map, const Storage& storage,
                                                     const TileLayout& layout) {
  if constexpr (kIsBox<Map>) {
    return find_cell_in_box(map, storage, layout);
  } else if constexpr (Map::kComputedBy == ComputedBy::kMatrixCells) {
    return find_cell_by_products(map, storage, layout);
  } else {
    return find_cell_in_tile(map, storage, layout);
  }
}

}  // namespace loom::cuda
