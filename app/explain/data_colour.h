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

/// The colour of a value. Numbers next to each other differ in hue and in lightness; an order goes from dark
/// to light, so that both survive a grey copy. A key without a value has the colour of idle threads and
/// holes.
DataColour data_colour(const ColourKey& key);

/// Over a picture of cells: living ones still shine through.
inline constexpr std::uint8_t kColourAlpha = 190;

/// The colour of a cell by its state.
DataColour state_colour(bool alive);

/// A level's of the Mandelbrot subdivision: the borders of its regions, its grids in a timeline.
DataColour level_colour(int level);

/// The colour at `share`, 0 to 1, of an ordered scale: Green's cubehelix ("A colour scheme for the display of
/// astronomical intensity images", 2011) without its darkest and lightest parts.
DataColour ordered_colour(float share);

}  // namespace loom::app::explain
