#pragma once

#include <imgui.h>

namespace loom::app {

/// Draws the rectangle of a drag from `start` to the cursor.
void draw_rubber_band(ImDrawList& list, const ImVec2& start);

}  // namespace loom::app
