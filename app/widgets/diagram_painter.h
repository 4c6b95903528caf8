#pragma once

#include <imgui.h>

#include "app/explain/diagram/diagram.h"

namespace loom::app {

/// The window's colours of a diagram's roles.
ImU32 colour_of_role(const diagram::Paint& paint);

/// Paints a diagram at `at` with this font size. Returns the hot spot under the mouse, or null; `over`:
/// whether the mouse counts.
const diagram::Hotspot* paint_diagram(ImDrawList& list, const diagram::Diagram& diagram, ImVec2 at,
                                      float font_size, bool over);

}  // namespace loom::app
