#pragma once

#include <optional>
#include <string>

#include "app/explain/diagram/steps_diagram.h"
#include "app/gui/layout.h"
#include "app/workspaces/life/scene/thread_explanation.h"

namespace loom::app {

/// A pane with the computation of the map for the selected tile, by the selected map arithmetic.
class StepsPane {
 public:
  /// Draws the pane as a window at `area`, with the nu steps of `neighbour`, which the user can change.
  /// Returns the square of the row under the cursor.
  std::optional<explain::CellRect> show(const char* id, const Area& area,
                                        const ThreadExplanation& explanation, int& neighbour);

 private:
  struct Cached {
    FractalConfig config;
    Coord64 tile;
    int neighbour = 0;
    float room = 0;  ///< width, in units of the smallest text size
    int row = -1;    ///< the marked row; -1: none
    diagram::StepsDiagram steps;
  };
  std::optional<Cached> cached_;
  int row_ = -1;  ///< the row that was last under the cursor
};

}  // namespace loom::app
