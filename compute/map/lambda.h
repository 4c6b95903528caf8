#pragma once

#include "compute/map/block_threads.h"
#include "compute/map/thread_map.h"

namespace loom {

/// The parallel space of lambda at tile level, for any arithmetic: the tile rows that are held.
template <typename Threads>
LaunchShape block_level_shape(const BlockedFractal& blocked, const Threads& threads) {
  return {blocked.orthotope_x, blocked.held.count, threads.threads_x, threads.threads_y, blocked.held.first};
}

/// lambda at tile level: one tile of threads for every occupied tile of the fractal, k^ceil(r_b/2) x
/// k^floor(r_b/2) of them. lambda maps the tile (Arithmetic says how it is computed), and the tile's threads
/// find their cells within it (Threads, an intra-block mapping). It is the lambda map on expanded storage and
/// one half of the compact map on tiled compact storage. Source: [lambda-2020] sections 4 and 5.
template <typename Int, typename Arithmetic, typename Threads>
class LambdaMap {
 public:
  using Index = Int;
  static constexpr ComputedBy kComputedBy = Arithmetic::kComputedBy;

  LambdaMap(const BlockedFractal& fractal, const Arithmetic& map_arithmetic, const Threads& block_threads)
      : blocked(fractal), arithmetic(map_arithmetic), threads(block_threads) {}

  LaunchShape launch_shape() const { return block_level_shape(blocked, threads); }
  LOOM_HOST_DEVICE Coord<Int> place(Coord<Int> block) const { return arithmetic.lambda(block); }
  LOOM_HOST_DEVICE ThreadPosition position(Coord<Int>, Coord32 thread) const {
    return threads.position(blocked, thread);
  }

  BlockedFractal blocked;
  Arithmetic arithmetic;
  Threads threads;
};

}  // namespace loom
