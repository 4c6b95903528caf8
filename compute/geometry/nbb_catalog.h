#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "compute/core/coord.h"
#include "compute/geometry/nbb_fractal.h"
#include "compute/geometry/nbb_shape.h"

namespace loom {

/// The nine built-in fractals of one generator, in the order of the catalogue in docs/reference/fractals.md.
/// The first one is sierpinski-gasket.
const std::vector<NbbFractal>& catalog();

/// The built-in fractals whose generators differ by level or whose replicas are turned, in the order of
/// docs/reference/fractals.md.
const std::vector<NbbFractal>& level_catalog();

/// All built-in fractals: catalog(), then level_catalog().
const std::vector<NbbFractal>& built_in_fractals();

/// What a built-in fractal that is not uniform consists of, as one sentence; empty for any other name.
std::string_view description_of(std::string_view name);

/// The built-in fractal with this name. Throws InputError with the list of names.
const NbbFractal& find_fractal(std::string_view name);

/// A catalogue fractal as compile-time constants, so that kernels can be unrolled for it.
struct CatalogShape {
  std::string_view name;
  std::uint32_t s_x = 0;
  std::uint32_t s_y = 0;
  std::uint32_t k = 0;
  std::array<Coord32, 12> offsets = {};

  constexpr NbbShape shape() const {
    NbbShape result;
    result.k = k;
    result.s_x = s_x;
    result.s_y = s_y;
    for (std::int8_t& replica : result.replica_at) replica = -1;
    for (std::uint32_t b = 0; b < k; ++b) {
      result.offset_x[b] = static_cast<std::uint8_t>(offsets[b].x);
      result.offset_y[b] = static_cast<std::uint8_t>(offsets[b].y);
      result.replica_at[offsets[b].y * s_x + offsets[b].x] = static_cast<std::int8_t>(b);
    }
    return result;
  }
};

/// In the order of the catalogue in docs/reference/fractals.md.
inline constexpr std::array<CatalogShape, 9> kCatalogShapes = {{
    {"sierpinski-gasket", 2, 2, 3, {{{0, 0}, {0, 1}, {1, 1}}}},
    {"sierpinski-carpet", 3, 3, 8, {{{0, 0}, {1, 0}, {2, 0}, {0, 1}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}}},
    {"vicsek", 3, 3, 5, {{{1, 0}, {0, 1}, {1, 1}, {2, 1}, {1, 2}}}},
    {"x-fractal", 3, 3, 5, {{{0, 0}, {2, 0}, {1, 1}, {0, 2}, {2, 2}}}},
    {"h-fractal", 3, 3, 7, {{{0, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}, {0, 2}, {2, 2}}}},
    {"empty-bottles", 3, 3, 7, {{{1, 0}, {0, 1}, {1, 1}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}}},
    {"candy",
     4,
     4,
     12,
     {{{1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}, {3, 1}, {0, 2}, {1, 2}, {2, 2}, {3, 2}, {1, 3}, {2, 3}}}},
    {"chandelier", 3, 2, 4, {{{0, 0}, {1, 0}, {2, 0}, {1, 1}}}},
    {"cantor", 3, 1, 2, {{{0, 0}, {2, 0}}}},
}};

}  // namespace loom
