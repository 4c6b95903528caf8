#pragma once

#include <imgui.h>

#include <glm/vec2.hpp>

#include "app/explain/diagram/diagram.h"

namespace loom::app {

/// The window's colour for a role in a diagram.
ImU32 colour_of_role(const diagram::Paint& paint);

/// The widths of texts in the window's fonts.
diagram::TextWidth window_text_width();

/// Paints a diagram with its corner at `at` and this font size. Returns the hot spot under the mouse, or
/// null. `over`: whether the mouse position counts.
const diagram::Hotspot* paint_diagram(ImDrawList& list, const diagram::Diagram& diagram, glm::vec2 at,
                                      float font_size, bool over);

}  // namespace loom::app
