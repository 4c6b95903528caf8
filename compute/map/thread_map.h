#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/intra_block_mapping.h"
#include "compute/map/shuffle_arithmetic.h"

namespace loom {

/// The parallel space of one generation: a grid of tiles, each with its own threads. A GPU puts one or more
/// tiles into a thread block (tiling.h).
struct LaunchShape {
  std::uint64_t tiles_x = 1;
  std::uint64_t tiles_y = 1;
  std::uint32_t threads_x = 1;
  std::uint32_t threads_y = 1;
  std::uint64_t first_y = 0;  ///< the first tile row, if only a partition's rows are launched
  std::uint64_t tiles() const { return tiles_x * tiles_y; }
  std::uint64_t threads() const { return tiles() * threads_x * threads_y; }
};

// The contract of a thread map. Each map is a trivially copyable value with
//
// - `using Index`: the coordinates' type, uint32_t or uint64_t;
// - `static constexpr ExecutionScope kExecutionScope`: the threads that compute place();
// - `TiledFractal tiled`: the fractal, its level and its tiles;
// - `LaunchShape launch_shape()`: the grid of tiles and the threads per tile;
// - `Coord<Index> place(Coord<Index> b)`: the expanded coordinate of the tile that grid position b works on,
//   if has_place();
// - `ThreadPosition position(Coord<Index> place, Coord32 thread)`: the position of a thread in its tile, or
//   none;
// - `static constexpr bool kTurned`: whether position() is that before the tile is turned by
//   `Symmetry symmetry(Coord<Index> b)`.
//
// The thread's cell is cell_in_tile(); cell_at() combines the steps. Over the whole grid, every cell of the
// fractal is the cell of exactly one thread.

/// A thread's cell in expanded coordinates, or none; the thread is then idle.
template <typename Int>
struct MaybeCell {
  Coord<Int> cell;
  bool present = false;
};

/// The cell at position `at` of the tile at expanded tile coordinate `place`.
template <typename Int>
LOOM_HOST_DEVICE Coord<Int> cell_in_tile(const TiledFractal& tiled, Coord<Int> place, Coord32 at) {
  return {place.x * tiled.rho_x + at.x, place.y * tiled.rho_y + at.y};
}

/// Whether a tile coordinate is inside the grid. Only TensorArithmetic with plain FP16 weights can leave the
/// grid; for all other maps the result is the constant true.
template <typename Map>
LOOM_HOST_DEVICE bool has_place(const Map& map, Coord<typename Map::Index> place) {
  if constexpr (Map::kExecutionScope != ExecutionScope::kMatrix) return true;
  return place.x < map.tiled.grid_x && place.y < map.tiled.grid_y;
}

/// A thread's position in a tile with this orientation; `symmetry` is not read unless the map is turned.
template <typename Map>
LOOM_HOST_DEVICE ThreadPosition position_in(const Map& map, Coord<typename Map::Index> place, Coord32 thread,
                                            Symmetry symmetry) {
  const ThreadPosition mine = map.position(place, thread);
  if constexpr (Map::kTurned) return turn(map.tiled, mine, symmetry);
  return mine;
}
/// The orientation of a tile of the grid; the identity if the map is not turned.
template <typename Map>
LOOM_HOST_DEVICE Symmetry symmetry_of(const Map& map, Coord<typename Map::Index> tile) {
  if constexpr (Map::kTurned) return map.symmetry(tile);
  return Symmetry::kIdentity;
}

/// The cell of one thread of one tile of the grid, or none.
template <typename Map>
LOOM_HOST_DEVICE MaybeCell<typename Map::Index> cell_at(const Map& map, Coord<typename Map::Index> tile,
                                                        Coord32 thread) {
  const Coord<typename Map::Index> place = map.place(tile);
  if (!has_place(map, place)) return {};
  const ThreadPosition mine = position_in(map, place, thread, symmetry_of(map, tile));
  return {cell_in_tile(map.tiled, place, mine.at), mine.present};
}

/// The parallel space of lambda at tile level, for any arithmetic: the tile rows that are held.
template <typename Threads>
LaunchShape tile_grid_shape(const TiledFractal& tiled, const Threads& threads) {
  return {tiled.orthotope_x, tiled.held.count, threads.threads_x, threads.threads_y, tiled.held.first};
}

/// Whether an arithmetic gives the orientations of tiles, by `turned_lambda`.
template <typename Arithmetic>
constexpr bool has_turns() {
  if constexpr (requires { Arithmetic::kTurned; }) {
    return Arithmetic::kTurned;
  } else {
    return false;
  }
}

/// lambda at tile level: one tile of threads for every occupied tile of the fractal, k^ceil(r_b/2) x
/// k^floor(r_b/2) of them. lambda maps the tile (Arithmetic says how it is computed), and the tile's threads
/// find their cells within it (Threads, an intra-block mapping). It is the lambda map on expanded storage and
/// one half of the compact map on tiled compact storage. Source: [lambda-2020] sections 4 and 5.
template <typename Int, typename Arithmetic, typename Threads>
class LambdaMap {
 public:
  using Index = Int;
  static constexpr ExecutionScope kExecutionScope = Arithmetic::kExecutionScope;
  static constexpr bool kTurned = has_turns<Arithmetic>();  ///< position() is that before the tile is turned

  LambdaMap(const TiledFractal& fractal, const Arithmetic& map_arithmetic, const Threads& tile_threads)
      : tiled(fractal), arithmetic(map_arithmetic), threads(tile_threads) {}

  LaunchShape launch_shape() const { return tile_grid_shape(tiled, threads); }
  LOOM_HOST_DEVICE Coord<Int> place(Coord<Int> omega) const { return arithmetic.lambda(omega); }
  LOOM_HOST_DEVICE ThreadPosition position(Coord<Int>, Coord32 thread) const {
    return threads.position(tiled, thread);
  }
  /// The orientation of the tile that grid position `omega` works on.
  LOOM_HOST_DEVICE Symmetry symmetry(Coord<Int> omega) const {
    if constexpr (kTurned) return arithmetic.turned_lambda(omega).symmetry;
    return Symmetry::kIdentity;
  }

  TiledFractal tiled;
  Arithmetic arithmetic;
  Threads threads;
};

}  // namespace loom
