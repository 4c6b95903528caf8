#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <vector>

#include "compute/geometry/nbb_fractal.h"

namespace loom::tests {

/// A random fractal with at least two replicas in a box of at most 8 x 8.
inline NbbFractal any_fractal() {
  const auto s_x = *rc::gen::inRange(1u, 9u);
  const auto s_y = *rc::gen::inRange(s_x == 1 ? 2u : 1u, 9u);
  std::vector<Coord32> offsets;
  for (std::uint32_t i = 0; i < s_x * s_y; ++i) {
    if (*rc::gen::arbitrary<bool>()) offsets.push_back({i % s_x, i / s_x});
  }
  RC_PRE(offsets.size() >= 2);
  return {"any", s_x, s_y, offsets};
}

/// The highest level with at most `cells` cells.
inline int level_of_cells(const NbbFractal& fractal, std::uint64_t cells) {
  int level = 0;
  while (level < fractal.max_level() && fractal.cells(level + 1) <= cells) ++level;
  return level;
}

}  // namespace loom::tests
