#pragma once

#include <cstddef>
#include <span>

namespace loom::app::plot {

struct Colour {
  double red = 0;  ///< 0..1
  double green = 0;
  double blue = 0;
};

/// Colours that stay apart for colour-blind readers (Okabe and Ito's, without the yellow that white paper
/// swallows), ordered so that neighbours differ in lightness too.
inline constexpr std::size_t kColours = 8;
inline constexpr std::size_t kGrey = 7;  ///< the last: for what holds of all block sizes alike
Colour series_colour(std::size_t index);

/// Marker shapes; with as many as colours, each line is known without its colour.
enum class Marker { kCircle, kSquare, kTriangle, kDiamond, kDownTriangle, kCross, kStar, kRing };
Marker series_marker(std::size_t index);

/// Lengths of dashes and gaps; the first is a full line.
inline constexpr std::size_t kDashes = 8;
std::span<const double> series_dash(std::size_t index);

}  // namespace loom::app::plot
