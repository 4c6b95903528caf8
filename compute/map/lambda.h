#pragma once

#include "compute/map/intra_block_mapping.h"
#include "compute/map/thread_map.h"

namespace loom {

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
