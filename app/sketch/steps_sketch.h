#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/sketch/sketch.h"
#include "app/teach/stepper.h"
#include "app/teach/thread_space.h"

namespace loom::app::sketch {

/// How the map computes a tile position, number by number, in the selected arithmetic: rows for loop and
/// table, lanes and rounds for shuffle, matrices for the tensor forms; for the compact map also nu of one
/// neighbour.
struct StepsWish {
  Coord64 block;      ///< of the map's grid
  int neighbour = 4;  ///< 0 to 7, in the order of BlockNeighbours without the tile itself
  float width = 40;   ///< wanted, in font sizes; tables may be wider
  int marked = -1;    ///< a row to mark, by its tag
};
struct StepsSketch {
  Sketch sketch;
  /// The square that a row of it is about, by the row's tag; none where it has none.
  std::vector<std::optional<teach::CellSquare>> squares;
};
/// Throws InputError for a tile outside the grid.
StepsSketch steps_sketch(const teach::ThreadSpace& threads, const StepsWish& wish);

/// "upper left" and so on: the position of a neighbour, y down.
std::string name_of_neighbour(int neighbour);
/// The offset of a neighbour in tiles, y down.
struct NeighbourOffset {
  int dx = 0;
  int dy = 0;
};
NeighbourOffset offset_of_neighbour(int neighbour);

}  // namespace loom::app::sketch
