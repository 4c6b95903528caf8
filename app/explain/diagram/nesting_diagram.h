#pragma once

#include "app/explain/diagram/diagram.h"
#include "app/explain/grid_nesting.h"

namespace loom::app::diagram {

/// Where the grids go: right of the names, on the time axis of the lanes above them.
struct NestingStyle {
  float names = 4.5f;   ///< where the axis begins, in font sizes
  float width = 60;     ///< of the axis
  float height = 14;    ///< of all bands, where their rows need as much
  float least = 0.05f;  ///< minimum width of a grid that is drawn separately
  std::uint64_t duration = 1;
};

/// The bands of a nesting, one a level, with a line from each grid down from what launched it where there are
/// few. Returns the y below it.
float draw_nesting(Diagram& diagram, float y, const explain::GridNesting& nesting, const Timeline& timeline,
                   const NestingStyle& style);

}  // namespace loom::app::diagram
