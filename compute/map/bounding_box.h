#pragma once

#include "compute/map/intra_block_mapping.h"
#include "compute/map/thread_map.h"

namespace loom {

/// Bounding box: the identity map. There is one thread for every point of the n_x x n_y square; each tests
/// whether its point is a cell and is idle if not. Work Theta(n^2) for the k^r cells. Source: the baseline of
/// [lambda-2017]. Fractals that are not uniform have kernels of their own, because their levels' divisors
/// need registers.
template <typename Int, bool kUniform = true>
class BoundingBoxMap {
 public:
  using Index = Int;
  static constexpr ExecutionScope kExecutionScope = ExecutionScope::kEachThread;
  static constexpr bool kTurned = false;  // every thread tests its own point

  explicit BoundingBoxMap(const TiledFractal& fractal)
      : tiled(fractal), transform_(fractal.shape, fractal.levels, fractal.level) {}

  LaunchShape launch_shape() const { return {tiled.grid_x, tiled.grid_y, tiled.rho_x, tiled.rho_y}; }
  LOOM_HOST_DEVICE Coord<Int> place(Coord<Int> tile) const { return tile; }
  LOOM_HOST_DEVICE ThreadPosition position(Coord<Int> place, Coord32 thread) const {
    const Coord<Int> cell = cell_in_tile(tiled, place, thread);
    if constexpr (kUniform) return {thread, uniform_is_member(transform_, tiled.level, cell)};
    return {thread, level_is_member(transform_, tiled.level, cell)};
  }

  TiledFractal tiled;

 private:
  NbbTransform<Int> transform_;
};

template <typename Map>
inline constexpr bool kIsBox = false;
template <typename Int, bool kUniform>
inline constexpr bool kIsBox<BoundingBoxMap<Int, kUniform>> = true;

}  // namespace loom
