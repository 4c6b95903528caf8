#pragma once

#include <cstdint>

#include "compute/geometry/nbb_shape.h"

namespace loom {

// The division of a fractal's cells into bit planes (bit_planes.h). The header holds constants only, because
// kernels are compiled from them (plane_program.h), also at run time.

/// The eight Moore neighbours, by number.
inline constexpr int kDirections = 8;
inline constexpr std::int8_t kDirectionX[kDirections] = {1, -1, 0, 0, 1, -1, 1, -1};
inline constexpr std::int8_t kDirectionY[kDirections] = {0, 0, 1, -1, 1, -1, -1, 1};
/// The direction of (x, y), each -1, 0 or 1; kDirections for (0, 0).
constexpr int direction_of(int x, int y) {
  for (int d = 0; d < kDirections; ++d) {
    if (kDirectionX[d] == x && kDirectionY[d] == y) return d;
  }
  return kDirections;
}

/// The numbers of a cell's digits that select its plane and its bit.
struct PlaneSplit {
  int plane_levels = 0;  ///< a
  int bit_levels = 0;    ///< b
  int slot_bits = 32;    ///< bits of a word for one group: 16, 32 or 64, of which k^b are used
  friend constexpr bool operator==(const PlaneSplit&, const PlaneSplit&) = default;
};

inline constexpr int kMaxPlanes = 64;
/// A level whose split is that of every level from a + b on.
inline constexpr int kAnyHighLevel = 40;
/// The largest width and height of a tile (s^a, in cells) and of a supertile (s^b, in tiles).
inline constexpr int kMaxTileSide = 1024;

constexpr std::uint64_t small_power(std::uint64_t base, int exponent) {
  std::uint64_t result = 1;
  for (int i = 0; i < exponent; ++i) result *= base;
  return result;
}

/// The split of a fractal at a level. It takes the widest slot whose used share of bits is at least three
/// quarters of the best share, because a wider word has a smaller boundary. There are at most max(32, k)
/// planes, so that a thread holds a group in its registers.
constexpr PlaneSplit split_planes(const NbbShape& shape, int level) {
  const std::uint64_t k = shape.k;
  const std::uint64_t side = shape.s_x > shape.s_y ? shape.s_x : shape.s_y;
  const auto levels_in = [&](std::uint64_t most) {
    int levels = 1;
    while (small_power(k, levels + 1) <= most && small_power(side, levels + 1) <= kMaxTileSide) ++levels;
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
