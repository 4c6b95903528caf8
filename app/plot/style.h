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

/// The look of what holds of all block sizes alike: a grey with rings.
inline constexpr std::size_t kAllAlike = std::numeric_limits<std::size_t>::max();

/// Colours that stay apart for colour-blind readers (Okabe and Ito's, without the yellow that white paper
/// swallows), ordered so that neighbours differ in lightness too. They come round after kColours.
inline constexpr std::size_t kColours = 7;
enum class Ground { kPaper, kScreen };  ///< white, or the window's dark one
Colour series_colour(std::size_t look, Ground ground = Ground::kPaper);

/// Marker shapes, so that each line is known without its colour; on the next round of colours each colour has
/// another shape.
enum class Marker { kCircle, kSquare, kTriangle, kDiamond, kDownTriangle, kCross, kStar, kRing };
Marker series_marker(std::size_t look);

/// Lengths of dashes and gaps; the first is a full line.
inline constexpr std::size_t kDashes = 8;
std::span<const double> series_dash(std::size_t index);

}  // namespace loom::app::plot
