#pragma once

#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec3.hpp>

#include "app/explain/colour_by.h"

namespace loom::app::explain {

/// The colour of a value. Adjacent numbers differ in hue and lightness, an order goes from dark to light, so
/// both remain distinguishable in grey. A key without a value has the colour of idle threads and holes.
glm::u8vec3 data_colour(const ColourKey& key);

/// Opacity of colours over cells; living cells remain visible.
inline constexpr std::uint8_t kColourAlpha = 190;

/// The colour of a cell by its state.
glm::u8vec3 state_colour(bool alive);

/// The colour of a level of the Mandelbrot subdivision, for borders of regions and for grids in a timeline.
glm::u8vec3 level_colour(int level);

/// The colour at `share`, 0 to 1, of an ordered scale: Green's cubehelix ("A colour scheme for the display of
/// astronomical intensity images", 2011) without its darkest and lightest parts.
glm::u8vec3 ordered_colour(float share);

}  // namespace loom::app::explain
