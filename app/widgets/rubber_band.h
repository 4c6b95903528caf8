#pragma once

#include <imgui.h>

#include <glm/vec2.hpp>

namespace loom::app {

/// Draws the rectangle of a drag from `start` to the cursor.
void draw_rubber_band(ImDrawList& list, glm::vec2 start);

}  // namespace loom::app
