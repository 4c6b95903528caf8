#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/sketch/sketch.h"
#include "app/teach/stepper.h"
#include "app/teach/thread_space.h"

namespace loom::app::sketch {

/// How the map in use finds a block's place, number by number, by its own arithmetic: rows for loop and
/// table, lanes and rounds for shuffle, matrices for the tensor forms; then, for the compact map, nu of one
/// of its neighbours likewise.
struct StepsWish {
  Coord64 block;      ///< of the map's grid
  int neighbour = 4;  ///< 0 to 7, in the order of BlockNeighbours without the block itself
  float width = 40;   ///< wanted, in font sizes; tables may be wider
  int marked = -1;    ///< a row to mark, by its tag
};
struct StepsSketch {
  Sketch sketch;
  /// The square that a row of it is about, by the row's tag; none where it has none.
  std::vector<std::optional<teach::CellSquare>> squares;
};
/// Throws InputError for a block that the grid does not have.
StepsSketch steps_sketch(const teach::ThreadSpace& threads, const StepsWish& wish);

/// "north-west" and so on: the neighbour's place beside the block, y down.
std::string name_of_neighbour(int neighbour);
/// By so many blocks to the right and down.
struct NeighbourOffset {
  int dx = 0;
  int dy = 0;
};
NeighbourOffset offset_of_neighbour(int neighbour);

}  // namespace loom::app::sketch
