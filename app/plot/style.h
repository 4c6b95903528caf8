#pragma once

#include <cstddef>
#include <limits>
#include <span>

namespace loom::app::plot {

struct Colour {
  double red = 0;  ///< 0..1
  double green = 0;
  double blue = 0;
};

/// Style of lines that are equal for all tile sizes: grey with ring markers.
inline constexpr std::size_t kUniformStyle = std::numeric_limits<std::size_t>::max();

/// Colours that colour-blind readers can distinguish (Okabe and Ito, without yellow, which is invisible on
/// white), ordered so that neighbours also differ in lightness. They repeat after kColours.
inline constexpr std::size_t kColours = 7;
enum class Background { kPaper, kScreen };  ///< white, or the dark background of the window
Colour series_colour(std::size_t style_index, Background background = Background::kPaper);

/// Marker shapes, so that lines can be distinguished without colour; when colours repeat, shapes differ.
enum class Marker { kCircle, kSquare, kTriangle, kDiamond, kDownTriangle, kCross, kStar, kRing };
Marker series_marker(std::size_t style_index);

/// Lengths of dashes and gaps; the first is a solid line.
inline constexpr std::size_t kDashes = 8;
std::span<const double> series_dash(std::size_t index);

}  // namespace loom::app::plot
