#pragma once

#include "compute/map/thread_map.h"

namespace loom {

/// lambda at block level: one block for every occupied block of the fractal, k^ceil(r_b/2) x k^floor(r_b/2)
/// of them; lambda places the block, and its rho x rho threads are a bounding sub-box of the level-j fractal
/// within. Used on expanded storage as the lambda map and on blocked compact storage as half of the compact
/// map. Source: [lambda-2020] sections 4 and 5.
template <typename Int>
class LambdaMap {
 public:
  static constexpr bool kBlockComputation = true;

  explicit LambdaMap(const BlockedFractal& fractal) : blocked(fractal), transform_(fractal.shape) {}

  LaunchShape launch_shape() const {
    return {blocked.orthotope_x, blocked.orthotope_y, blocked.rho_x, blocked.rho_y};
  }
  LOOM_HOST_DEVICE Coord<Int> place(Coord<Int> block) const {
    return lambda_map(transform_, blocked.coarse_level, block);
  }
  LOOM_HOST_DEVICE bool has_cell(Coord<Int>, Coord32 thread) const {
    return blocked.micro_member(thread.y * blocked.rho_x + thread.x);
  }

  BlockedFractal blocked;

 private:
  NbbTransform<Int> transform_;
};

}  // namespace loom
