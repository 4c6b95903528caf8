#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/fractal/blocked_fractal.h"
#include "compute/map/transforms.h"

namespace loom {

/// The parallel space of one generation: a grid of thread blocks.
struct LaunchShape {
  std::uint64_t blocks_x = 1;
  std::uint64_t blocks_y = 1;
  std::uint32_t threads_x = 1;  ///< rho_x
  std::uint32_t threads_y = 1;  ///< rho_y
  std::uint64_t blocks() const { return blocks_x * blocks_y; }
  std::uint64_t threads() const { return blocks() * threads_x * threads_y; }
};

// The contract of a thread map. Each map is a trivially copyable value, `template <typename Int> class
// ...Map`, with
//
//   BlockedFractal blocked             the fractal, its level and its blocks
//   static constexpr kBlockComputation true where place() is worth computing once and sharing among a block's
//   threads LaunchShape launch_shape()         the grid; every map launches rho_x x rho_y threads a block
//   Coord<Int> place(Coord<Int> b)     the expanded block coordinate that grid block b works on; b <
//   launch_shape() bool has_cell(Coord<Int> place, Coord32 thread)
//                                      whether that thread, (t_x, t_y) < (rho_x, rho_y), has a cell of the
//                                      fractal
//
// The cell itself is cell_in_block(); cell_at() joins the steps. Over the whole grid every cell of the
// fractal is some thread's cell exactly once.

/// A thread's cell in expanded coordinates, or none: the thread then idles.
template <typename Int>
struct MaybeCell {
  Coord<Int> cell;
  bool present = false;
};

/// The cell at position `thread` of the block at expanded block coordinate `place`.
template <typename Int>
LOOM_HOST_DEVICE Coord<Int> cell_in_block(const BlockedFractal& blocked, Coord<Int> place, Coord32 thread) {
  return {place.x * blocked.rho_x + thread.x, place.y * blocked.rho_y + thread.y};
}

/// The cell of one thread of one grid block, or none.
template <typename Int, template <typename> typename Map>
LOOM_HOST_DEVICE MaybeCell<Int> cell_at(const Map<Int>& map, Coord<Int> block, Coord32 thread) {
  const Coord<Int> place = map.place(block);
  return {cell_in_block(map.blocked, place, thread), map.has_cell(place, thread)};
}

}  // namespace loom
