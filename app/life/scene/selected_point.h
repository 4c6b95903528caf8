#pragma once

#include <optional>

#include "app/life/scene/life_settings.h"

namespace loom::app {

/// The point of the square whose thread is explained, while one is to be: the pinned one, else the one under
/// the cursor. A click pins what is under it (but paints while cells are edited), arrow keys walk the pinned
/// one instead of the view, Escape unpins it or goes back to the lesson's; a square that it lies outside of
/// unpins it.
std::optional<Coord64> selected_point(LifeEdit& edit, const FractalConfig& config,
                                      const std::optional<Coord64>& under_cursor, bool clicked);

}  // namespace loom::app
