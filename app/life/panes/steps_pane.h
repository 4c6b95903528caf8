#pragma once

#include <optional>
#include <string>

#include "app/gui/layout.h"
#include "app/life/scene/explained.h"
#include "app/sketch/steps_sketch.h"

namespace loom::app {

/// A pane with the computation of the map for the selected tile, by the selected map arithmetic.
class StepsPane {
 public:
  /// Draws it as a window at `area`, with the neighbour whose nu is shown. Returns the square of the row that
  /// the cursor is on.
  std::optional<teach::CellSquare> show(const char* id, const Area& area, const Explained& explained,
                                        int& neighbour);

 private:
  struct Made {
    FractalConfig config;
    Coord64 block;
    int neighbour = 0;
    float room = 0;  ///< in the smallest letters
    int row = -1;    ///< marked
    sketch::StepsSketch steps;
  };
  std::optional<Made> made_;
  int row_ = -1;  ///< that the cursor was on last
};

}  // namespace loom::app
