#pragma once

#include <set>
#include <utility>
#include <vector>

#include "compute/geometry/nbb_catalog.h"

namespace loom::tests {

/// Every cell of a fractal in canonical order, by the definition in docs/reference/fractals.md (offsets per
/// level, odd levels in x), without the project's maps.
inline std::vector<Coord64> cells_by_definition(const NbbFractal& fractal, int level) {
  const std::vector<Coord32> offsets = fractal.offsets();
  const std::uint64_t k = offsets.size();
  std::uint64_t wide = 1;
  std::uint64_t high = 1;
  for (int mu = 1; mu <= level; ++mu) (mu % 2 == 1 ? wide : high) *= k;
  std::vector<Coord64> cells;
  for (std::uint64_t w_y = 0; w_y < high; ++w_y) {
    for (std::uint64_t w_x = 0; w_x < wide; ++w_x) {
      Coord64 cell{0, 0};
      Coord64 weight{1, 1};
      std::uint64_t x = w_x;
      std::uint64_t y = w_y;
      for (int mu = 1; mu <= level; ++mu) {
        std::uint64_t& digits = mu % 2 == 1 ? x : y;
        const Coord32 offset = offsets[digits % k];
        digits /= k;
        cell.x += offset.x * weight.x;
        cell.y += offset.y * weight.y;
        weight.x *= fractal.shape().s_x;
        weight.y *= fractal.shape().s_y;
      }
      cells.push_back(cell);
    }
  }
  return cells;
}

/// Membership by recursion: checks the replica of the coarsest level, then recurses into it.
inline bool member_by_recursion(const NbbFractal& fractal, int level, Coord64 cell) {
  if (level == 0) return true;
  const std::uint64_t side_x = fractal.width(level - 1);
  const std::uint64_t side_y = fractal.height(level - 1);
  for (const Coord32& offset : fractal.offsets()) {
    if (cell.x / side_x == offset.x && cell.y / side_y == offset.y) {
      return member_by_recursion(fractal, level - 1, {cell.x % side_x, cell.y % side_y});
    }
  }
  return false;
}

/// The largest level with at most `limit` points in its bounding box.
inline int level_within(const NbbFractal& fractal, std::uint64_t limit) {
  int level = 0;
  while (fractal.width(level + 1) * fractal.height(level + 1) <= limit) ++level;
  return level;
}

}  // namespace loom::tests
