#pragma once

#include <imgui.h>

namespace loom::app {

/// The box that a drag from `start` to the cursor has spanned so far.
void draw_rubber_band(ImDrawList& list, const ImVec2& start);

}  // namespace loom::app
