#pragma once

#include <imgui.h>

#include <span>
#include <string_view>

#include "app/gui/layout.h"
#include "app/mandelbrot/picture/region_marks.h"
#include "app/mandelbrot/scene/complex_view.h"

namespace loom::app {

/// Draws those of `marks` that the list's clip rectangle lets through, over a picture that begins at the
/// corner of `area`, `scale` pixels a unit.
void draw_marks(ImDrawList& list, const Area& area, float scale, std::span<const PictureMark> marks);

/// The orbit of a point: its start, the points after it, and the lines between.
void draw_orbit(ImDrawList& list, const Area& area, float scale, const ComplexView& view,
                render::Extent picture, const ComplexPoint& point, std::uint32_t limit);

/// A line of words over the top of the picture, where there are any.
void draw_words(ImDrawList& list, const Area& area, std::string_view words);

/// Frame and label of the Julia set's inset.
void draw_julia_frame(ImDrawList& list, const Area& area, const ComplexPoint& point);

}  // namespace loom::app
