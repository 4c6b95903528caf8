#pragma once

#include <cstdint>

#include "compute/cuda/life/place.cuh"

namespace loom::cuda {

/// A thread's cell: its expanded coordinate and its position in storage.
template <typename Int>
struct ThreadCell {
  Coord<Int> cell;
  std::uint64_t offset;
};

/// A tile as its threads need it: the expanded coordinate of its corner and the corner's position in storage.
template <typename Int>
struct TileOrigin {
  Coord<Int> corner;
  std::uint64_t offset = 0;
};
/// The position of a tile that has no cells: outside of the grid, or mapped outside by plain FP16 weights.
inline constexpr std::uint64_t kNoTile = ~std::uint64_t{0};

// The computation of the threads' cells, one struct per execution scope. Each has `Shared`, the shared memory
// that it needs and that the caller declares, and `for_each(map, storage, layout, shared, use)`, which calls
// `use` with the calling thread's cells, one after the other. All threads of the thread block must take part;
// threads without a cell do not call `use`.

/// Every thread for itself: for the identity map.
template <typename Map, typename Int = typename Map::Index>
struct CellsInBox {
  struct Shared {};

  template <typename Storage, typename Use>
  static __device__ __forceinline__ void for_each(const Map& map, const Storage& storage,
                                                  const TileLayout& layout, Shared&, const Use& use) {
    const Coord<Int> place{(static_cast<Int>(layout.first.x) + blockIdx.x) * layout.tiles_x + threadIdx.z,
                           static_cast<Int>(layout.first.y) + blockIdx.y};
    const ThreadPosition position = map.position(place, {threadIdx.x, threadIdx.y});
    if (!position.present) return;
    const Coord<Int> cell = cell_in_tile(map.tiled, place, position.at);
    use(ThreadCell<Int>{cell, storage.offset_of(cell)});
  }
};

/// Matrix products give every position of a tile its own cell; a thread block has one tile.
template <typename Map, typename Int = typename Map::Index>
struct CellsByProducts {
  using Cells = CellsByMatrix<decltype(Map::arithmetic), Int>;
  using Shared = typename Cells::Shared;

  template <typename Storage, typename Use>
  static __device__ __forceinline__ void for_each(const Map& map, const Storage& storage,
                                                  const TileLayout& layout, Shared& shared, const Use& use) {
    Cells::find(map.arithmetic, shared, coord_of_tile<Int>(layout, 0));
    __syncthreads();
    const TileThread mine = tile_thread(layout);
    if (mine.tile > 0) return;
    const ThreadPosition position = position_in_tile(map, layout, mine);
    if (!position.present) return;
    const Coord<Int> cell = Cells::cell(map.tiled, shared, position.at);
    use(ThreadCell<Int>{cell, storage.offset_of(cell)});
  }
};

/// A few threads compute the tiles' coordinates; every thread has the same position in each tile that it
/// processes.
template <typename Map, typename Int = typename Map::Index>
struct CellsInTiles {
  using Places = PlacesOf<Map>;
  struct Shared {
    [[no_unique_address]] typename Places::Shared places;
    TileOrigin<Int> origins[kMaxTiles];  ///< valid in `use` and, after it, until the next call
    [[no_unique_address]] TileTurns<Map::kTurned> turns;
  };

  template <typename Storage, typename Use>
  static __device__ __forceinline__ void for_each(const Map& map, const Storage& storage,
                                                  const TileLayout& layout, Shared& shared, const Use& use) {
    for_each_position(map, storage, layout, shared,
                      [&](std::uint32_t, Coord32, const ThreadCell<Int>& cell) { use(cell); });
  }

  /// The same by `use(tile, position in the tile, cell)`. Contains a barrier: `use` sees what other threads
  /// wrote to shared memory before this call.
  template <typename Storage, typename Use>
  static __device__ __forceinline__ void for_each_position(const Map& map, const Storage& storage,
                                                           const TileLayout& layout, Shared& shared,
                                                           const Use& use) {
    find_origins(map, storage, layout, shared);
    const TileThread mine = tile_thread(layout);
    // Before the barrier, so that the wait hides the load's latency.
    const ThreadPosition position = position_in_tile(map, layout, mine);
    __syncthreads();
    if (mine.tile >= layout.parallel || !position.present) return;
    const std::uint64_t within = std::uint64_t{position.at.y} * storage.pitch() + position.at.x;
#pragma unroll 3
    for (std::uint32_t tile = mine.tile; tile < layout.tiles(); tile += layout.parallel) {
      const TileOrigin<Int> origin = shared.origins[tile];
      if (origin.offset == kNoTile) continue;
      if constexpr (Map::kTurned) {
        const Coord32 at = shared.turns.apply_to(tile, position.at, map.tiled.rho_x);
        use(tile, at,
            ThreadCell<Int>{{origin.corner.x + at.x, origin.corner.y + at.y},
                            origin.offset + std::uint64_t{at.y} * storage.pitch() + at.x});
        continue;
      }
      use(tile, position.at,
          ThreadCell<Int>{{origin.corner.x + position.at.x, origin.corner.y + position.at.y},
                          origin.offset + within});
    }
  }

  /// Computes the tiles' origins; the caller must pass a barrier.
  template <typename Storage>
  static __device__ __forceinline__ void find_origins(const Map& map, const Storage& storage,
                                                      const TileLayout& layout, Shared& shared) {
    TileOrigin<Int>* const origins = shared.origins;
    if (layout.tiles_y > 1) {  // only then may some tiles be outside of the grid
      for (std::uint32_t i = threadIdx.x; i < layout.tiles(); i += blockDim.x) origins[i].offset = kNoTile;
      __syncthreads();
    }
    const auto set_origin = [&](std::uint32_t tile, Coord<Int> place) {
      const bool there = has_place(map, place);
      origins[tile].corner = cell_in_tile(map.tiled, place, {0, 0});
      origins[tile].offset = there ? storage.tile_origin(coord_of_tile<Int>(layout, tile), place) : kNoTile;
    };
    if constexpr (Map::kTurned) {
      for (std::uint32_t i = threadIdx.x; i < layout.tiles(); i += blockDim.x) {
        const Coord<Int> omega = coord_of_tile<Int>(layout, i);
        if (!in_launch(layout, omega)) continue;
        const TurnedCoord<Int> turned = map.arithmetic.turned_lambda(omega);
        set_origin(i, turned.at);
        shared.turns.set(i, turned.symmetry);
      }
    } else {
      Places::for_each_place(map.arithmetic, layout, shared.places, set_origin);
    }
  }
};

/// The cell computation of a map, for any storage.
template <typename Map>
using CellsOf = std::conditional_t<kIsBox<Map>, CellsInBox<Map>,
                                   std::conditional_t<Map::kExecutionScope == ExecutionScope::kMatrixCells,
                                                      CellsByProducts<Map>, CellsInTiles<Map>>>;

/// The calling thread's cells for a map, for kernels that need no other shared memory.
template <typename Map, typename Storage, typename Use>
__device__ __forceinline__ void for_each_cell(const Map& map, const Storage& storage,
                                              const TileLayout& layout, const Use& use) {
  __shared__ SharedMemory<typename CellsOf<Map>::Shared> shared;
  CellsOf<Map>::for_each(map, storage, layout, shared.get(), use);
}

}  // namespace loom::cuda
