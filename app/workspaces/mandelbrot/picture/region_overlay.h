#pragma once

#include <imgui.h>

#include <glm/vec2.hpp>
#include <span>
#include <string_view>

#include "app/gui/layout.h"
#include "app/workspaces/mandelbrot/picture/region_marks.h"
#include "app/workspaces/mandelbrot/scene/complex_view.h"

namespace loom::app {

/// Draws the marks inside the clip rectangle of the list. The picture begins at the corner of `area` and has
/// `scale` pixels per unit.
void draw_marks(ImDrawList& list, const Area& area, float scale, std::span<const PictureMark> marks);

/// Draws an orbit: its start, the following points, and the lines between them.
void draw_orbit(ImDrawList& list, const Area& area, float scale, const ComplexView& view, glm::ivec2 picture,
                glm::dvec2 point, std::uint32_t limit);

/// Draws a line of text over the top of the picture; nothing if it is empty.
void draw_text_line(ImDrawList& list, const Area& area, std::string_view words);

/// Draws frame and label of the Julia set inset.
void draw_julia_frame(ImDrawList& list, const Area& area, glm::dvec2 point);

}  // namespace loom::app
