#pragma once

#include <optional>

#include "app/gui/layout.h"
#include "app/picture/block_space.h"
#include "app/report.h"

namespace loom::app {

/// The line under the picture: what the map launches, as a legend of the overlay's colours, and below it the cell,
/// block and thread under the cursor. `alive` is the state of the hovered cell. Sits at the bottom of `area` and
/// returns the height it took.
float caption(const Area& area, const Report& report, const std::optional<Place>& hovered, bool alive);

}  // namespace loom::app
