#pragma once

#include <imgui.h>

#include "app/sketch/sketch.h"

namespace loom::app {

/// The window's colours of a sketch's roles.
ImU32 painted(const sketch::Paint& paint);

/// Paints a diagram at `at` with this font size. Returns the hot spot under the mouse, or null; `over`:
/// whether the mouse counts.
const sketch::Hot* paint_sketch(ImDrawList& list, const sketch::Sketch& sketch, ImVec2 at, float font_size,
                                bool over);

}  // namespace loom::app
