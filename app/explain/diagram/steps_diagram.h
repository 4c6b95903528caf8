#pragma once

#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/explain/diagram/diagram.h"
#include "app/explain/map_steps.h"
#include "app/explain/thread_space.h"

namespace loom::app::diagram {

/// How the map computes a tile position, number by number, in the selected arithmetic: rows for loop and
/// table, lanes and rounds for shuffle, matrices for tensor arithmetics; for the compact map also nu of one
/// neighbour.
struct StepsOptions {
  Coord64 tile;       ///< tile in the grid of the map
  int neighbour = 4;  ///< 0 to 7, in the order of TileNeighbours without the tile itself
  float width = 40;   ///< target width in font sizes; tables may be wider
  int marked = -1;    ///< tag of the row to mark; -1 for none
};
struct StepsDiagram {
  Diagram diagram;
  /// The square that a row of the diagram describes, by tag; empty if there is none.
  std::vector<std::optional<explain::CellRect>> squares;
};
/// Throws InputError for a tile outside the grid.
StepsDiagram steps_diagram(const explain::ThreadSpace& threads, const StepsOptions& options);

/// The name of a neighbour: "upper left" and so on, y down.
std::string neighbour_name(int neighbour);
/// The offset of a neighbour in tiles, y down.
glm::ivec2 neighbour_offset(int neighbour);

}  // namespace loom::app::diagram
