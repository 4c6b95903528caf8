#pragma once

#include <cstdint>
#include <type_traits>

#include "compute/cuda/life/tile.cuh"
#include "compute/cuda/warp/tensor_arithmetic.cuh"
#include "compute/cuda/warp/warp_arithmetic.cuh"
#include "compute/geometry/storage.h"
#include "compute/map/staging.h"
#include "compute/map/thread_map.h"
#include "compute/workload/life_neighbours.h"

namespace loom::cuda {

// The computation of lambda and nu for a thread block, one struct per execution scope. Each has
//
// - `Shared`, `NeighbourShared`: the shared memory for tile coordinates and for neighbours, which the caller
//   declares;
// - `lambda`, `nu`: one coordinate per warp. All 32 lanes must take part with the same arguments, and each
//   gets the result;
// - `for_each_place(arithmetic, layout, shared, use)`: lambda of the thread block's tiles. All its threads
//   must take part; `use(tile, place)` is called once, by one thread, for each tile in the grid, with the
//   tile's expanded coordinate;
// - `find_places(arithmetic, layout, shared)` and, after a barrier, `find_neighbours(arithmetic, storage,
//   layout, list, shared, neighbours)`: the offsets in compact storage of the tiles around each tile, at
//   least of those in the list. All threads must take part; neighbours[tile] is in shared memory.
//
// None of these functions contains a barrier of the thread block: the caller must pass one before other
// threads read the results, and before `shared` is reused.

/// One thread per tile, and per neighbour: nothing is shared.
template <typename Arithmetic, typename Int>
struct PlacesByThread {
  struct Shared {};
  static constexpr bool kTurned = has_turns<Arithmetic>();
  struct NeighbourShared {
    Coord<Int> places[kMaxTiles];
    [[no_unique_address]] TileTurns<kTurned> turns;
  };

  static __device__ __forceinline__ Coord<Int> lambda(const Arithmetic& arithmetic, Shared&,
                                                      Coord<Int> omega) {
    return arithmetic.lambda(omega);
  }
  static __device__ __forceinline__ CompactCoord<Int> nu(const Arithmetic& arithmetic, NeighbourShared&,
                                                         Coord<Int> place) {
    return arithmetic.nu(place);
  }
  template <typename Use>
  static __device__ __forceinline__ void for_each_place(const Arithmetic& arithmetic,
                                                        const TileLayout& layout, Shared&, const Use& use) {
    for (std::uint32_t i = threadIdx.x; i < layout.tiles(); i += blockDim.x) {
      const Coord<Int> omega = coord_of_tile<Int>(layout, i);
      if (in_launch(layout, omega)) use(i, arithmetic.lambda(omega));
    }
  }
  static __device__ __forceinline__ void find_places(const Arithmetic& arithmetic, const TileLayout& layout,
                                                     NeighbourShared& shared) {
    for (std::uint32_t i = threadIdx.x; i < layout.tiles(); i += blockDim.x) {
      if constexpr (kTurned) {
        const TurnedCoord<Int> turned = arithmetic.turned_lambda(coord_of_tile<Int>(layout, i));
        shared.places[i] = turned.at;
        shared.turns.set(i, turned.symmetry);
      } else {
        shared.places[i] = arithmetic.lambda(coord_of_tile<Int>(layout, i));
      }
    }
  }
  static __device__ __forceinline__ void find_neighbours(const Arithmetic& arithmetic,
                                                         const TiledCompactStorage<Int>& storage,
                                                         const TileLayout& layout, const NeighbourList& list,
                                                         const NeighbourShared& shared,
                                                         TileNeighbours* neighbours) {
    for (std::uint32_t i = threadIdx.x; i < list.count.value() * layout.tiles(); i += blockDim.x) {
      const std::uint32_t tile = list.count.divide(i);
      const std::uint32_t which = list.which(i - list.count.value() * tile);
      neighbours[tile].base[which] = neighbour_base(storage, arithmetic, shared.places[tile], which);
    }
  }
};

/// One warp per tile, and per neighbour, by shuffles.
template <typename Arithmetic, typename Int>
struct PlacesByWarp {
  struct Shared {};
  using NeighbourShared = Shared;

  static __device__ __forceinline__ Coord<Int> lambda(const Arithmetic& arithmetic, Shared&,
                                                      Coord<Int> omega) {
    return warp_lambda(arithmetic, threadIdx.x % 32, omega);
  }
  static __device__ __forceinline__ CompactCoord<Int> nu(const Arithmetic& arithmetic, Shared&,
                                                         Coord<Int> place) {
    return warp_nu(arithmetic, threadIdx.x % 32, place);
  }
  template <typename Use>
  static __device__ __forceinline__ void for_each_place(const Arithmetic& arithmetic,
                                                        const TileLayout& layout, Shared& shared,
                                                        const Use& use) {
    for (std::uint32_t i = threadIdx.x / 32; i < layout.tiles(); i += blockDim.x / 32) {
      const Coord<Int> omega = coord_of_tile<Int>(layout, i);
      const Coord<Int> place = lambda(arithmetic, shared, omega);
      if (threadIdx.x % 32 == 0 && in_launch(layout, omega)) use(i, place);
    }
  }
  static __device__ __forceinline__ void find_places(const Arithmetic&, const TileLayout&, NeighbourShared&) {
  }
  /// Each warp computes lambda and then nu for its share of the neighbours.
  static __device__ __forceinline__ void find_neighbours(const Arithmetic& arithmetic,
                                                         const TiledCompactStorage<Int>& storage,
                                                         const TileLayout& layout, const NeighbourList& list,
                                                         NeighbourShared& shared,
                                                         TileNeighbours* neighbours) {
    for (std::uint32_t i = threadIdx.x / 32; i < list.count.value() * layout.tiles(); i += blockDim.x / 32) {
      const std::uint32_t tile = list.count.divide(i);
      const std::uint32_t which = list.which(i - list.count.value() * tile);
      const Coord<Int> place = lambda(arithmetic, shared, coord_of_tile<Int>(layout, tile));
      const Coord<Int> at = neighbour_place(place, which);
      CompactCoord<Int> found;
      if (in_grid(storage.tiled, at)) found = nu(arithmetic, shared, at);  // the same in all lanes
      if (threadIdx.x % 32 == 0) {
        neighbours[tile].base[which] = storage.held_base(found);
      }
    }
  }
};

/// Warps of a thread block that compute matrix products; the others are idle.
inline constexpr std::uint32_t kTensorWarps = 4;
__device__ __forceinline__ std::uint32_t tensor_warps() {
  return min(blockDim.x / 32, kTensorWarps);
}

/// One warp by matrix products: several tiles per product if the layout allows it, and eight neighbours per
/// product.
template <typename Arithmetic, typename Int>
struct PlacesByMatrix {
  static constexpr std::uint32_t kAtOnce = Arithmetic::kMappedAtOnce;
  struct Shared {
    TensorScratch scratch[kTensorWarps];
    Coord<Int> places[kTensorWarps][kAtOnce];
  };
  struct NeighbourShared : Shared {
    CompactCoord<Int> found[kTensorWarps][kAtOnce];
  };

  static __device__ __forceinline__ Coord<Int> lambda(const Arithmetic& arithmetic, Shared& shared,
                                                      Coord<Int> omega) {
    const std::uint32_t warp = threadIdx.x / 32;
    warp_tensor_lambda(
        arithmetic, shared.scratch[warp], threadIdx.x % 32, [&](std::uint32_t) { return omega; }, 1,
        shared.places[warp]);
    return shared.places[warp][0];
  }
  static __device__ __forceinline__ CompactCoord<Int> nu(const Arithmetic& arithmetic,
                                                         NeighbourShared& shared, Coord<Int> place) {
    const std::uint32_t warp = threadIdx.x / 32;
    warp_tensor_nu(
        arithmetic, shared.scratch[warp], threadIdx.x % 32, [&](std::uint32_t) { return place; }, 1,
        shared.found[warp]);
    return shared.found[warp][0];
  }
  template <typename Use>
  static __device__ __forceinline__ void for_each_place(const Arithmetic& arithmetic,
                                                        const TileLayout& layout, Shared& shared,
                                                        const Use& use) {
    const std::uint32_t lane = threadIdx.x % 32;
    const std::uint32_t warp = threadIdx.x / 32;
    const std::uint32_t warps = tensor_warps();
    if (warp >= warps) return;
    const std::uint32_t tiles = layout.tiles();
    const std::uint32_t group = layout.tiles_of_product;
    for (std::uint32_t i = warp * group; i < tiles; i += warps * group) {
      const std::uint32_t count = min(group, tiles - i);
      warp_tensor_lambda(
          arithmetic, shared.scratch[warp], lane,
          [&](std::uint32_t t) { return coord_of_tile<Int>(layout, i + t); }, count, shared.places[warp]);
      if (lane < count && in_launch(layout, coord_of_tile<Int>(layout, i + lane))) {
        use(i + lane, shared.places[warp][lane]);
      }
      __syncwarp();
    }
  }
  static __device__ __forceinline__ void find_places(const Arithmetic&, const TileLayout&, NeighbourShared&) {
  }
  /// One product maps a tile, another one its eight neighbours; the tile itself is known.
  static __device__ __forceinline__ void find_neighbours(const Arithmetic& arithmetic,
                                                         const TiledCompactStorage<Int>& storage,
                                                         const TileLayout& layout, const NeighbourList&,
                                                         NeighbourShared& shared,
                                                         TileNeighbours* neighbours) {
    const std::uint32_t lane = threadIdx.x % 32;
    const std::uint32_t warp = threadIdx.x / 32;
    const std::uint32_t warps = tensor_warps();
    if (warp >= warps) return;
    const auto which_of = [](std::uint32_t i) { return i < 4 ? i : i + 1; };
    for (std::uint32_t tile = warp; tile < layout.tiles(); tile += warps) {
      const Coord<Int> omega = coord_of_tile<Int>(layout, tile);
      const Coord<Int> place = lambda(arithmetic, shared, omega);
      const auto neighbour = [&](std::uint32_t i) { return neighbour_place(place, which_of(i)); };
      warp_tensor_nu(
          arithmetic, shared.scratch[warp], lane,
          [&](std::uint32_t i) {
            const Coord<Int> at = neighbour(i);
            return in_grid(storage.tiled, at) ? at : Coord<Int>{0, 0};
          },
          kAtOnce, shared.found[warp]);
      if (lane < kAtOnce) {
        const bool there = in_grid(storage.tiled, neighbour(lane));
        neighbours[tile].base[which_of(lane)] =
            there ? storage.held_base(shared.found[warp][lane]) : kNoIndex;
      }
      if (lane == kAtOnce) neighbours[tile].base[4] = storage.tile_base(omega);
      __syncwarp();
    }
  }
};

/// The execution scope of a map's tile coordinates.
template <typename Map, typename Arithmetic = decltype(Map::arithmetic), typename Int = typename Map::Index>
using PlacesOf =
    std::conditional_t<Map::kExecutionScope == ExecutionScope::kOneThread, PlacesByThread<Arithmetic, Int>,
                       std::conditional_t<Map::kExecutionScope == ExecutionScope::kWarp,
                                          PlacesByWarp<Arithmetic, Int>, PlacesByMatrix<Arithmetic, Int>>>;

/// All warps of a thread block by matrix products, which give every position of one tile its own cell.
template <typename Arithmetic, typename Int>
struct CellsByMatrix {
  struct Shared {
    TensorScratch scratch[kTensorWarps];
    Int xs[kMaxBlockThreads];
    Int ys[kMaxBlockThreads];
  };

  /// All threads of the thread block must take part. After a barrier, which this function does not contain,
  /// all threads can read the cells of the tile at `omega`.
  static __device__ __forceinline__ void find(const Arithmetic& arithmetic, Shared& shared,
                                              Coord<Int> omega) {
    const std::uint32_t warps = tensor_warps();
    const std::uint32_t warp = threadIdx.x / 32;
    if (warp >= warps) return;
    tile_tensor_cells(arithmetic, shared.scratch[warp], threadIdx.x % 32, warp, warps, omega, shared.xs,
                      shared.ys);
  }
  /// The cell at position `at`, in expanded coordinates.
  static __device__ __forceinline__ Coord<Int> cell(const TiledFractal& fractal, const Shared& shared,
                                                    Coord32 at) {
    const std::uint32_t position = at.y * fractal.rho_x + at.x;
    return {shared.xs[position], shared.ys[position]};
  }
};

}  // namespace loom::cuda
