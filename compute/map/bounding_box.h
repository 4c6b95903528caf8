#pragma once

#include "compute/map/block_threads.h"
#include "compute/map/thread_map.h"

namespace loom {

/// Bounding box: the identity map. There is one thread for every point of the n_x x n_y square; each tests
/// whether its point is a cell and is idle if not. Work Theta(n^2) for the k^r cells. Source: the baseline of
/// [lambda-2017].
template <typename Int>
class BoundingBoxMap {
 public:
  using Index = Int;
  static constexpr ComputedBy kComputedBy = ComputedBy::kEachThread;

  explicit BoundingBoxMap(const BlockedFractal& fractal) : blocked(fractal), transform_(fractal.shape) {}

  LaunchShape launch_shape() const { return {blocked.grid_x, blocked.grid_y, blocked.rho_x, blocked.rho_y}; }
  LOOM_HOST_DEVICE Coord<Int> place(Coord<Int> block) const { return block; }
  LOOM_HOST_DEVICE ThreadPosition position(Coord<Int> place, Coord32 thread) const {
    return {thread, is_member(transform_, blocked.level, cell_in_block(blocked, place, thread))};
  }

  BlockedFractal blocked;

 private:
  NbbTransform<Int> transform_;
};

}  // namespace loom
