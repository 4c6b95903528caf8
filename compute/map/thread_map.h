#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/map/block_threads.h"
#include "compute/map/computed_by.h"

namespace loom {

/// The parallel space of one generation: a grid of thread blocks.
struct LaunchShape {
  std::uint64_t blocks_x = 1;
  std::uint64_t blocks_y = 1;
  std::uint32_t threads_x = 1;
  std::uint32_t threads_y = 1;
  std::uint64_t first_y = 0;  ///< the row of blocks that it begins with, where it is that of a part
  std::uint64_t blocks() const { return blocks_x * blocks_y; }
  std::uint64_t threads() const { return blocks() * threads_x * threads_y; }
};

// The contract of a thread map. Each map is a trivially copyable value with
//
// - `using Index`: the coordinates' type, uint32_t or uint64_t;
// - `static constexpr ComputedBy kComputedBy`: who in a block computes place();
// - `BlockedFractal blocked`: the fractal, its level and its blocks;
// - `LaunchShape launch_shape()`: the grid and the threads of a block;
// - `Coord<Index> place(Coord<Index> b)`: the expanded block coordinate that grid block b works on, if
//   has_place();
// - `ThreadPosition position(Coord<Index> place, Coord32 thread)`: where in its block a thread works, or
// none.
//
// The thread's cell is cell_in_block(); cell_at() joins the steps. Over the whole grid every cell of the
// fractal is some thread's cell exactly once.

/// A thread's cell in expanded coordinates, or none: the thread then idles.
template <typename Int>
struct MaybeCell {
  Coord<Int> cell;
  bool present = false;
};

/// The cell at position `at` of the block at expanded block coordinate `place`.
template <typename Int>
LOOM_HOST_DEVICE Coord<Int> cell_in_block(const BlockedFractal& blocked, Coord<Int> place, Coord32 at) {
  return {place.x * blocked.rho_x + at.x, place.y * blocked.rho_y + at.y};
}

/// Whether a block's place is in the grid. Only TensorArithmetic with plain FP16 weights leads elsewhere;
/// maps that cannot are spared the question.
template <typename Map>
LOOM_HOST_DEVICE bool has_place(const Map& map, Coord<typename Map::Index> place) {
  if constexpr (Map::kComputedBy != ComputedBy::kMatrix) return true;
  return place.x < map.blocked.grid_x && place.y < map.blocked.grid_y;
}

/// The cell of one thread of one grid block, or none.
template <typename Map>
LOOM_HOST_DEVICE MaybeCell<typename Map::Index> cell_at(const Map& map, Coord<typename Map::Index> block,
                                                        Coord32 thread) {
  const Coord<typename Map::Index> place = map.place(block);
  if (!has_place(map, place)) return {};
  const ThreadPosition mine = map.position(place, thread);
  return {cell_in_block(map.blocked, place, mine.at), mine.present};
}

}  // namespace loom
