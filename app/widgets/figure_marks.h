#pragma once

#include <imgui.h>

#include <cstddef>
#include <span>

#include "app/plot/style.h"

namespace loom::app {

// How the looks of style.h are drawn on the window's dark ground; `font` is the font's size.

/// The colour of a series' look.
ImU32 line_colour(std::size_t style_index);

/// A line through `places` with the dashes of `series_dash`, whose unit is 0.09 font sizes.
void dashed_line(ImDrawList& list, std::span<const ImVec2> places, ImU32 colour, std::span<const double> dash,
                 float font);

/// A marker of about `radius`.
void point_marker(ImDrawList& list, ImVec2 at, plot::Marker marker, ImU32 colour, float radius);

}  // namespace loom::app
