#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom::app::explain {

// The maps compute with 32 bits if the space fits, otherwise with 64. Explanations show 64-bit numbers.

/// Calls `use` with a zero of the integer width that a configuration's maps compute in.
template <typename Use>
decltype(auto) with_width(const TiledFractal& tiled, const Use& use) {
  return tiled.fits_32_bits() ? use(std::uint32_t{}) : use(std::uint64_t{});
}
template <typename Int>
Coord64 widened(Coord<Int> c) {
  return {c.x, c.y};
}
template <typename Int>
Coord<Int> narrowed(Coord64 c) {
  return {static_cast<Int>(c.x), static_cast<Int>(c.y)};
}

}  // namespace loom::app::explain
