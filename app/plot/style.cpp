#include "app/plot/style.h"

#include <array>

namespace loom::app::plot {
namespace {

constexpr std::array<Colour, kColours> kPalette = {{{0.000, 0.000, 0.000},
                                                    {0.902, 0.624, 0.000},
                                                    {0.000, 0.447, 0.698},
                                                    {0.337, 0.706, 0.914},
                                                    {0.835, 0.369, 0.000},
                                                    {0.000, 0.620, 0.451},
                                                    {0.800, 0.475, 0.655}}};
constexpr Colour kGrey = {0.450, 0.450, 0.450};
// The same hues, lighter for a dark background. White replaces black.
constexpr std::array<Colour, kColours> kLightPalette = {{{0.950, 0.950, 0.950},
                                                         {0.940, 0.680, 0.110},
                                                         {0.240, 0.560, 0.960},
                                                         {0.560, 0.840, 0.980},
                                                         {0.960, 0.470, 0.180},
                                                         {0.110, 0.740, 0.560},
                                                         {0.900, 0.590, 0.770}}};
constexpr Colour kLightGrey = {0.660, 0.690, 0.740};

constexpr std::array<Marker, kColours> kMarkers = {Marker::kCircle,  Marker::kSquare,       Marker::kTriangle,
                                                   Marker::kDiamond, Marker::kDownTriangle, Marker::kCross,
                                                   Marker::kStar};

constexpr double kShort[] = {5, 3};
constexpr double kDots[] = {1.5, 2.5};
constexpr double kDashDot[] = {7, 2.5, 1.5, 2.5};
constexpr double kLong[] = {11, 4};
constexpr double kDashDotDot[] = {7, 2.5, 1.5, 2.5, 1.5, 2.5};
constexpr double kTwoDash[] = {8, 2, 3, 2};
constexpr double kSparse[] = {2, 6};

}  // namespace

Colour series_colour(std::size_t style_index, Background background) {
  if (background == Background::kScreen)
    return style_index == kUniformStyle ? kLightGrey : kLightPalette[style_index % kColours];
  return style_index == kUniformStyle ? kGrey : kPalette[style_index % kColours];
}

Marker series_marker(std::size_t style_index) {
  constexpr std::size_t kShift = 3;
  return style_index == kUniformStyle ? Marker::kRing
                                      : kMarkers[(style_index + style_index / kColours * kShift) % kColours];
}

std::span<const double> series_dash(std::size_t index) {
  switch (index % kDashes) {
    case 1:
      return kShort;
    case 2:
      return kDots;
    case 3:
      return kDashDot;
    case 4:
      return kLong;
    case 5:
      return kDashDotDot;
    case 6:
      return kTwoDash;
    case 7:
      return kSparse;
    default:
      return {};
  }
}

}  // namespace loom::app::plot
