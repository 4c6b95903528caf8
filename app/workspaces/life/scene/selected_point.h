#pragma once

#include <optional>

#include "app/workspaces/life/scene/life_settings.h"

namespace loom::app {

/// The point whose thread is explained: the pinned point, otherwise the one under the cursor. A click pins
/// the point under the cursor (in edit mode it paints), arrow keys move the pinned point instead of the view,
/// Escape unpins it or returns to the point of the lesson. A point outside the square is unpinned.
/// `tile`: the size of a tile, by which Shift with an arrow key moves.
std::optional<Coord64> selected_point(LifeEdit& edit, const FractalConfig& config, Coord64 tile,
                                      const std::optional<Coord64>& under_cursor, bool clicked);

}  // namespace loom::app
