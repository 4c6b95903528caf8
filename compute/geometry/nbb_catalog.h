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

/// A catalogue fractal as compile-time constants: kernels are unrolled for each of them.
struct CatalogShape {
  std::string_view name;
  std::uint32_t s_x = 0;
  std::uint32_t s_y = 0;
  std::string_view replicas;  ///< the scale box row by row, # where a replica is
  /// The largest useful number of generations per launch, as measured (docs/results.md); 1 if the halo of a
  /// patch is nearly as large as its interior.
  int generations_per_launch = 1;
  /// A rule that survives from a random start. Chosen from the named rules and 1300 others: those with the
  /// most change that have a name or are short.
  std::string_view long_lived_rule;

  constexpr NbbShape shape() const {
    NbbShape result;
    result.s_x = s_x;
    result.s_y = s_y;
    for (std::int8_t& replica : result.replica_at) replica = -1;
    for (std::uint32_t place = 0; place < replicas.size(); ++place) {
      if (replicas[place] != '#') continue;
      result.offset_x[result.k] = static_cast<std::uint8_t>(place % s_x);
      result.offset_y[result.k] = static_cast<std::uint8_t>(place / s_x);
      result.replica_at[place] = static_cast<std::int8_t>(result.k++);
    }
    return result;
  }
};

/// In the order of the catalogue in docs/reference/fractals.md. No two cells of cantor touch, so each of its
/// cells can only switch on and off.
inline constexpr auto kCatalogShapes = std::to_array<CatalogShape>({
    {"sierpinski-gasket", 2, 2, "#.##", 32, "B1/S1"},
    {"sierpinski-carpet", 3, 3, "####.####", 1, "B2/S23"},
    {"vicsek", 3, 3, ".#.###.#.", 32, "B12/S2"},
    {"x-fractal", 3, 3, "#.#.#.#.#", 32, "B1/S1"},
    {"h-fractal", 3, 3, "#.#####.#", 1, "B1/S1"},
    {"empty-bottles", 3, 3, ".#.######", 1, "B1/S1"},
    {"candy", 4, 4, ".##.########.##.", 1, "B2/S23"},
    {"chandelier", 3, 2, "###.#.", 32, "B12/S1"},
    {"cantor", 3, 1, "#.#", 32, "B0/S"},
});

}  // namespace loom
