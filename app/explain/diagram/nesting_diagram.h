#pragma once

#include "app/explain/diagram/diagram.h"
#include "app/explain/timeline_lanes.h"

namespace loom::app::diagram {

/// Position of the grids: right of the names, on the time axis of the lanes above.
struct NestingStyle {
  float names = 4.5f;   ///< x where the axis begins, in font sizes
  float width = 60;     ///< width of the axis
  float height = 14;    ///< maximum height of all bands
  float least = 0.05f;  ///< minimum width of a grid that is drawn separately
  std::uint64_t duration = 1;
};

/// Draws the bands of a nesting, one per level. If there are few grids, a line connects each grid with the
/// one that launched it. Returns the y below it.
float draw_nesting(Diagram& diagram, float y, const explain::GridNesting& nesting, const Timeline& timeline,
                   const NestingStyle& style);

}  // namespace loom::app::diagram
