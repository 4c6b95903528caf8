#pragma once

#include <cstdint>

#include "app/teach/colour_by.h"

namespace loom::app::teach {

struct DataColour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  friend bool operator==(const DataColour&, const DataColour&) = default;
};

/// The colour of a value. Numbers next to each other differ in hue and in lightness; an order goes from dark
/// to light, so that both survive a grey copy. A key without a value has the colour of idle threads and
/// holes.
DataColour data_colour(const ColourKey& key);

/// Over a picture of cells: living ones still shine through.
inline constexpr std::uint8_t kColourAlpha = 190;

/// A cell's state, where that is what the colour stands for.
DataColour state_colour(bool alive);

/// A level's of the Mandelbrot subdivision: the borders of its regions, its grids in a timeline.
DataColour level_colour(int level);

/// An order's colour at `share`, 0 to 1: Green's cubehelix ("A colour scheme for the display of astronomical
/// intensity images", 2011), with the darkest and lightest parts left out.
DataColour ordered_colour(float share);

}  // namespace loom::app::teach
