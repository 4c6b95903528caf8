#pragma once

#include <cstdint>

#include "compute/geometry/nbb_shape.h"

namespace loom {

// How a fractal's cells are cut into bit planes (bit_planes.h). Constants alone: what kernels are compiled
// for follows from these (plane_program.h), also where that is done while the program runs.

/// The eight Moore neighbours, by number.
inline constexpr int kDirections = 8;
inline constexpr std::int8_t kDirectionX[kDirections] = {1, -1, 0, 0, 1, -1, 1, -1};
inline constexpr std::int8_t kDirectionY[kDirections] = {0, 0, 1, -1, 1, -1, -1, 1};
/// Of (x, y), each -1, 0 or 1; kDirections for (0, 0).
constexpr int direction_of(int x, int y) {
  for (int d = 0; d < kDirections; ++d) {
    if (kDirectionX[d] == x && kDirectionY[d] == y) return d;
  }
  return kDirections;
}

/// How many of a cell's digits say which plane and which bit it is.
struct PlaneSplit {
  int plane_levels = 0;  ///< a
  int bit_levels = 0;    ///< b
  int slot_bits = 32;    ///< of a word, for one group: 16, 32 or 64, of which k^b are used
  friend constexpr bool operator==(const PlaneSplit&, const PlaneSplit&) = default;
};

inline constexpr int kMostPlanes = 64;
/// The widest and highest that a tile and a supertile may be, in tiles: s^a and s^b.
inline constexpr int kMostTileSide = 1024;

constexpr std::uint64_t small_power(std::uint64_t base, int exponent) {
  std::uint64_t result = 1;
  for (int i = 0; i < exponent; ++i) result *= base;
  return result;
}

/// The split for a fractal at a level. Slots are the widest of which at least three quarters as much is used
/// as of the best: a wide word has less of a rim. Planes are at most 32, or k where that is more, so that a
/// thread holds a group in its registers.
constexpr PlaneSplit split_planes(const NbbShape& shape, int level) {
  const std::uint64_t k = shape.k;
  const std::uint64_t side = shape.s_x > shape.s_y ? shape.s_x : shape.s_y;
  const auto levels_in = [&](std::uint64_t most) {
    int levels = 1;
    while (small_power(k, levels + 1) <= most && small_power(side, levels + 1) <= kMostTileSide) ++levels;
    return levels;
  };
  PlaneSplit best;
  double best_use = 0;
  for (const int bits : {16, 32, 64}) {
    if (k > static_cast<std::uint64_t>(bits)) continue;
    const double use =
        static_cast<double>(small_power(k, levels_in(static_cast<std::uint64_t>(bits)))) / bits;
    if (use > best_use) best_use = use;
  }
  for (const int bits : {16, 32, 64}) {
    if (k > static_cast<std::uint64_t>(bits)) continue;
    const int levels = levels_in(static_cast<std::uint64_t>(bits));
    if (static_cast<double>(small_power(k, levels)) / bits >= 0.75 * best_use)
      best = {levels_in(32), levels, bits};
  }
  if (best.plane_levels > level) best.plane_levels = level;
  if (best.plane_levels + best.bit_levels > level) best.bit_levels = level - best.plane_levels;
  return best;
}

}  // namespace loom
