#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/explain/diagram/diagram.h"
#include "app/explain/map_steps.h"
#include "app/explain/thread_space.h"

namespace loom::app::diagram {

/// How the map computes a tile position, number by number, in the selected arithmetic: rows for loop and
/// table, lanes and rounds for shuffle, matrices for the tensor forms; for the compact map also nu of one
/// neighbour.
struct StepsOptions {
  Coord64 block;      ///< of the map's grid
  int neighbour = 4;  ///< 0 to 7, in the order of TileNeighbours without the tile itself
  float width = 40;   ///< wanted, in font sizes; tables may be wider
  int marked = -1;    ///< a row to mark, by its tag
};
struct StepsDiagram {
  Diagram diagram;
  /// The square that a row of it is about, by the row's tag; none where it has none.
  std::vector<std::optional<explain::CellRect>> squares;
};
/// Throws InputError for a tile outside the grid.
StepsDiagram steps_diagram(const explain::ThreadSpace& threads, const StepsOptions& options);

/// "upper left" and so on: the position of a neighbour, y down.
std::string neighbour_name(int neighbour);
/// The offset of a neighbour in tiles, y down.
struct NeighbourOffset {
  int dx = 0;
  int dy = 0;
};
NeighbourOffset neighbour_offset(int neighbour);

}  // namespace loom::app::diagram
