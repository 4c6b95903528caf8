#pragma once

#include <cstdint>

#include "compute/cuda/life/place.cuh"

namespace loom::cuda {

/// A thread's cell, by its expanded coordinate, and the byte where it is stored.
template <typename Int>
struct ThreadCell {
  Coord<Int> cell;
  std::uint64_t offset;
};

// Each function calls `use` with the calling thread's cells, one after the other. All threads of the thread
// block take part in what comes before.

/// Every thread for itself: the identity needs no help.
template <typename Map, typename Storage, typename Use, typename Int = typename Map::Index>
__device__ __forceinline__ void for_cell_in_box(const Map& map, const Storage& storage,
                                                const TileLayout& layout, const Use& use) {
  const Coord<Int> place{(static_cast<Int>(layout.first.x) + blockIdx.x) * layout.tiles_x + threadIdx.z,
                         static_cast<Int>(layout.first.y) + blockIdx.y};
  const ThreadPosition position = map.position(place, {threadIdx.x, threadIdx.y});
  if (!position.present) return;
  const Coord<Int> cell = cell_in_block(map.blocked, place, position.at);
  use(ThreadCell<Int>{cell, storage.offset_of(cell)});
}

/// The thread block's matrix products give every position its own coordinate; a tile is a thread block.
template <typename Map, typename Storage, typename Use, typename Int = typename Map::Index>
__device__ __forceinline__ void for_cell_by_products(const Map& map, const Storage& storage,
                                                     const TileLayout& layout, const Use& use) {
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
  if (mine.tile > 0) return;
  const ThreadPosition position = map.position(block, thread_of_map<Map>(layout, mine));
  if (!position.present) return;
  const std::uint32_t at = position.at.y * map.blocked.rho_x + position.at.x;
  const Coord<Int> cell{xs[at], ys[at]};
  use(ThreadCell<Int>{cell, storage.offset_of(cell)});
}

/// A few threads find where the tiles lie; every thread has the same position in each tile that it works on.
/// Calls `use(tile, position, cell)`. `origins` is shared memory; other threads see it, and what they wrote
/// before this call, in `use`.
template <typename Map, typename Storage, typename Use, typename Int = typename Map::Index>
__device__ __forceinline__ void for_positions_in_tiles(const Map& map, const Storage& storage,
                                                       const TileLayout& layout, TileOrigin<Int>* origins,
                                                       const Use& use) {
  find_origins(map, storage, layout, origins);
  const TileThread mine = tile_thread(layout);
  // Looked up before the barrier, so that the load's latency is over with the wait.
  const ThreadPosition position = map.position({}, thread_of_map<Map>(layout, mine));
  __syncthreads();
  if (mine.tile >= layout.parallel || !position.present) return;
  const std::uint64_t within = std::uint64_t{position.at.y} * storage.pitch() + position.at.x;
#pragma unroll 3
  for (std::uint32_t tile = mine.tile; tile < layout.tiles(); tile += layout.parallel) {
    const TileOrigin<Int> origin = origins[tile];
    if (origin.offset == kNoTile) continue;
    use(tile, position.at,
        ThreadCell<Int>{{origin.corner.x + position.at.x, origin.corner.y + position.at.y},
                        origin.offset + within});
  }
}
template <typename Map, typename Storage, typename Use, typename Int = typename Map::Index>
__device__ __forceinline__ void for_cells_in_tiles(const Map& map, const Storage& storage,
                                                   const TileLayout& layout, const Use& use) {
  __shared__ TileOrigin<Int> origins[kMaxTiles];
  for_positions_in_tiles(map, storage, layout, origins,
                         [&](std::uint32_t, Coord32, const ThreadCell<Int>& cell) { use(cell); });
}

/// The calling thread's cells under a map, on any storage.
template <typename Map, typename Storage, typename Use>
__device__ __forceinline__ void for_each_cell(const Map& map, const Storage& storage,
                                              const TileLayout& layout, const Use& use) {
  if constexpr (kIsBox<Map>) {
    for_cell_in_box(map, storage, layout, use);
  } else if constexpr (Map::kComputedBy == ComputedBy::kMatrixCells) {
    for_cell_by_products(map, storage, layout, use);
  } else {
    for_cells_in_tiles(map, storage, layout, use);
  }
}

}  // namespace loom::cuda
