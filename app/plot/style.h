#pragma once

#include <cstddef>
#include <glm/vec2.hpp>
#include <limits>
#include <span>

#include "app/explain/diagram/diagram.h"

namespace loom::app::plot {

/// Style of lines that are equal for all tile sizes: grey with ring markers.
inline constexpr std::size_t kUniformStyle = std::numeric_limits<std::size_t>::max();

/// Colours that colour-blind readers can distinguish (Okabe and Ito, without yellow, which is invisible on
/// white), ordered so that neighbours also differ in lightness. They repeat after kColours.
inline constexpr std::size_t kColours = 7;
diagram::ColourPair series_colour(std::size_t style_index);

/// Marker shapes, so that lines can be distinguished without colour; when colours repeat, shapes differ.
enum class Marker { kCircle, kSquare, kTriangle, kDiamond, kDownTriangle, kCross, kStar, kRing };
Marker series_marker(std::size_t style_index);
/// Draws a marker of about `radius` font sizes.
void draw_marker(diagram::Diagram& diagram, glm::vec2 centre, float radius, Marker marker,
                 const diagram::Paint& paint);

/// Lengths of dashes and gaps in font sizes; the first is a solid line.
inline constexpr std::size_t kDashes = 8;
std::span<const float> series_dash(std::size_t index);

}  // namespace loom::app::plot
