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
  /// Draws it as a window at `area`, with the neighbour whose nu is shown. Returns the square of the row that
  /// the cursor is on.
  std::optional<explain::CellRect> show(const char* id, const Area& area,
                                        const ThreadExplanation& explanation, int& neighbour);

 private:
  struct Cached {
    FractalConfig config;
    Coord64 block;
    int neighbour = 0;
    float room = 0;  ///< in the smallest letters
    int row = -1;    ///< marked
    diagram::StepsDiagram steps;
  };
  std::optional<Cached> cached_;
  int row_ = -1;  ///< that the cursor was on last
};

}  // namespace loom::app
