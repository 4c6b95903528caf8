#pragma once

#include <imgui.h>

#include <cstddef>
#include <span>

#include "app/plot/style.h"

namespace loom::app {

// The styles of style.h on the window's dark background; `font` is the font size.

/// The colour of a series style.
ImU32 line_colour(std::size_t style_index);

/// A line through `places` with the dash pattern `dash` (see series_dash), in units of 0.09 font sizes.
void dashed_line(ImDrawList& list, std::span<const ImVec2> places, ImU32 colour, std::span<const double> dash,
                 float font);

/// A marker of about `radius`.
void point_marker(ImDrawList& list, ImVec2 at, plot::Marker marker, ImU32 colour, float radius);

}  // namespace loom::app
