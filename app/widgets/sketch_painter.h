#pragma once

#include <imgui.h>

#include "app/sketch/sketch.h"

namespace loom::app {

/// The window's colours of a sketch's roles.
ImU32 painted(const sketch::Paint& paint);

/// Paints a sketch with letters of `font_size`, its corner at `at`. Returns what the cursor is on among what
/// is hot, or null; `over`: whether the cursor is to be looked at.
const sketch::Hot* paint_sketch(ImDrawList& list, const sketch::Sketch& sketch, ImVec2 at, float font_size,
                                bool over);

}  // namespace loom::app
