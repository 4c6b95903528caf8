#pragma once

#include <cstdint>

#include "app/explain/colour_by.h"

namespace loom::app::explain {

struct DataColour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  friend bool operator==(const DataColour&, const DataColour&) = default;
};

/// The colour of a value. Adjacent numbers differ in hue and lightness, an order goes from dark to light, so
/// both remain distinguishable in grey. A key without a value has the colour of idle threads and holes.
DataColour data_colour(const ColourKey& key);

/// Opacity of colours over cells; living cells remain visible.
inline constexpr std::uint8_t kColourAlpha = 190;

/// The colour of a cell by its state.
DataColour state_colour(bool alive);

/// The colour of a level of the Mandelbrot subdivision, for borders of regions and for grids in a timeline.
DataColour level_colour(int level);

/// The colour at `share`, 0 to 1, of an ordered scale: Green's cubehelix ("A colour scheme for the display of
/// astronomical intensity images", 2011) without its darkest and lightest parts.
DataColour ordered_colour(float share);

}  // namespace loom::app::explain
