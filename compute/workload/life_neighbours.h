#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"
#include "compute/geometry/storage.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/workload/game_of_life.h"

namespace loom {

// The count of a cell's living neighbours, 0..8, for each storage. Holes and points outside the square count
// as dead. Rule is TwoStateRule or LifeRule.

/// Expanded storage: the neighbours are the eight bytes around the cell's own byte; holes hold 0. `offset` is
/// the cell's own byte.
template <typename Rule, typename Int>
LOOM_HOST_DEVICE std::uint32_t count_on_expanded(const Rule& rule, const TiledFractal& fractal,
                                                 const std::uint8_t* cells, Coord<Int> cell,
                                                 std::uint64_t offset) {
  const std::uint8_t* const row = cells + offset;
  const std::uint8_t* const above = row - fractal.width;
  const std::uint8_t* const below = row + fractal.width;
  const bool has_left = cell.x > 0;
  const bool has_right = cell.x + std::uint64_t{1} < fractal.width;
  const bool has_above = cell.y > 0;
  const bool has_below = cell.y + std::uint64_t{1} < fractal.height;
  const auto at = [&rule](const std::uint8_t* from, int x) {
    return std::uint32_t{living_of(rule, from[x])};
  };
  if (has_left & has_right & has_above & has_below) {
    return at(above, -1) + at(above, 0) + at(above, 1) + at(row, -1) + at(row, 1) + at(below, -1) +
           at(below, 0) + at(below, 1);
  }
  std::uint32_t count = 0;
  if (has_left) count += at(row, -1);
  if (has_right) count += at(row, 1);
  if (has_above) {
    count += at(above, 0);
    if (has_left) count += at(above, -1);
    if (has_right) count += at(above, 1);
  }
  if (has_below) {
    count += at(below, 0);
    if (has_left) count += at(below, -1);
    if (has_right) count += at(below, 1);
  }
  return count;
}

/// The offsets of a tile and its eight neighbours in tiled compact storage, at [(dy + 1) * 3 + dx + 1];
/// kNoIndex if a tile does not exist or is not held. Computed by nu, once per tile.
struct TileNeighbours {
  std::uint64_t base[9];
};

/// The expanded tile coordinate of neighbour `which` (0..8, see TileNeighbours). Steps below 0 wrap around
/// to coordinates beyond any grid, so that in_grid() needs one comparison per axis.
template <typename Int>
LOOM_HOST_DEVICE Coord<Int> neighbour_place(Coord<Int> place, std::uint32_t which) {
  // Which / 3: exact below 9, and cheaper than the compiler's division.
  const std::uint32_t row = which * 11 >> 5;
  return {static_cast<Int>(place.x + (which - 3 * row) - 1), static_cast<Int>(place.y + row - 1)};
}
template <typename Int>
LOOM_HOST_DEVICE bool in_grid(const TiledFractal& fractal, Coord<Int> place) {
  return place.x < static_cast<Int>(fractal.grid_x) && place.y < static_cast<Int>(fractal.grid_y);
}

/// The offset of neighbour `which` of the tile at expanded tile coordinate `place`, as in TileNeighbours;
/// `arithmetic` computes nu.
template <typename Int, typename Arithmetic>
LOOM_HOST_DEVICE std::uint64_t neighbour_base(const TiledCompactStorage<Int>& storage,
                                              const Arithmetic& arithmetic, Coord<Int> place,
                                              std::uint32_t which) {
  const Coord<Int> at = neighbour_place(place, which);
  if (!in_grid(storage.tiled, at)) return kNoIndex;
  return storage.held_base(arithmetic.nu(at));
}

/// The byte of the cell at (x, y) relative to a tile's corner, -1 <= x <= rho_x, -1 <= y <= rho_y, in the
/// tile itself or in a neighbour. 0 if that tile does not exist.
LOOM_HOST_DEVICE std::uint8_t read_across_tiles(const TiledFractal& fractal, const std::uint8_t* cells,
                                                const TileNeighbours& neighbours, int x, int y) {
  const int rho_x = static_cast<int>(fractal.rho_x);
  const int rho_y = static_cast<int>(fractal.rho_y);
  const int dx = x < 0 ? 0 : (x < rho_x ? 1 : 2);
  const int dy = y < 0 ? 0 : (y < rho_y ? 1 : 2);
  const std::uint64_t base = neighbours.base[dy * 3 + dx];
  if (base == kNoIndex) return 0;
  const int local_x = x - (dx - 1) * rho_x;
  const int local_y = y - (dy - 1) * rho_y;
  return cells[base + static_cast<std::uint32_t>(local_y * rho_x + local_x)];
}

/// Tiled compact storage without a halo in shared memory: each thread reads cells of neighbouring tiles
/// itself.
template <typename Rule>
LOOM_HOST_DEVICE std::uint32_t count_across_tiles(const Rule& rule, const TiledFractal& fractal,
                                                  const std::uint8_t* cells, const TileNeighbours& neighbours,
                                                  int x, int y) {
  std::uint32_t count = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
  for (int dy = -1; dy <= 1; ++dy) {
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx != 0 || dy != 0)
        count += living_of(rule, read_across_tiles(fractal, cells, neighbours, x + dx, y + dy));
    }
  }
  return count;
}

// Operations on words of four cells, one byte per cell with value 0 or 1, that process all four cells at a
// time.

/// Selects four bytes of `low` (0..3) and `high` (4..7): nibble i of `selector` is the number of byte i of
/// the result. A nibble with 8 added replicates the sign bit of the selected byte. One instruction on a GPU
/// (PTX prmt).
LOOM_HOST_DEVICE std::uint32_t permute_bytes(std::uint32_t low, std::uint32_t high, std::uint32_t selector) {
#if defined(__CUDA_ARCH__)
  std::uint32_t result;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(selector));
  return result;
#else
  const std::uint64_t both = low | std::uint64_t{high} << 32;
  std::uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t which = selector >> (4 * i) & 15u;
    auto byte = static_cast<std::uint32_t>(both >> (8 * (which & 7u))) & 0xffu;
    if ((which & 8u) != 0) byte = (byte & 0x80u) != 0 ? 0xffu : 0u;
    result |= byte << (8 * i);
  }
  return result;
#endif
}

struct FourWords {
  std::uint32_t words[4];
};

/// The first bytes of the four words.
LOOM_HOST_DEVICE std::uint32_t first_bytes(const std::uint32_t (&words)[4]) {
  return permute_bytes(permute_bytes(words[0], words[1], 0x0040), permute_bytes(words[2], words[3], 0x0040),
                       0x5410);
}

/// Byte i of word j of the result is byte j of rows[i].
LOOM_HOST_DEVICE FourWords transpose(const std::uint32_t (&rows)[4]) {
  const std::uint32_t low_01 = permute_bytes(rows[0], rows[1], 0x5140);
  const std::uint32_t low_23 = permute_bytes(rows[2], rows[3], 0x5140);
  const std::uint32_t high_01 = permute_bytes(rows[0], rows[1], 0x7362);
  const std::uint32_t high_23 = permute_bytes(rows[2], rows[3], 0x7362);
  return {{permute_bytes(low_01, low_23, 0x5410), permute_bytes(low_01, low_23, 0x7632),
           permute_bytes(high_01, high_23, 0x5410), permute_bytes(high_01, high_23, 0x7632)}};
}

/// A rule of life as kernels use it: as a TwoStateRule or LifeRule, and as byte tables indexed by the number
/// of living neighbours, which look up four cells at a time.
template <typename Rule>
struct LifeRuleTable {
  Rule rule;
  /// Byte n, 0..7, is what the list says of a dead (living) cell with n living neighbours. That of 8
  /// neighbours is the highest bit of byte 0.
  std::uint32_t birth[2] = {};
  std::uint32_t survival[2] = {};

  explicit LifeRuleTable(const Rule& of) : rule(of) {
    for (std::uint32_t n = 0; n < 8; ++n) {
      birth[n / 4] |= (of.birth >> n & 1u) << (8 * (n % 4));
      survival[n / 4] |= (of.survival >> n & 1u) << (8 * (n % 4));
    }
    birth[0] |= (of.birth >> 8 & 1u) << 7;
    survival[0] |= (of.survival >> 8 & 1u) << 7;
  }
  /// For kernels that process one cell at a time.
  operator Rule() const { return rule; }
};

/// What the lists say of four cells, one byte of 0 or 1 each, from whether they are alive and their numbers
/// of living neighbours, 0..8.
template <typename Rule>
LOOM_HOST_DEVICE std::uint32_t listed(const LifeRuleTable<Rule>& table, std::uint32_t own,
                                      std::uint32_t living) {
  // Four nibbles; the value 8 selects the highest bit of byte 0.
  const std::uint32_t selector = permute_bytes(living | living >> 4, 0, 0x4420);
  const std::uint32_t born = permute_bytes(table.birth[0], table.birth[1], selector);
  const std::uint32_t survives = permute_bytes(table.survival[0], table.survival[1], selector);
  return ((born & ~own) | (survives & own)) & 0x01010101u;
}

}  // namespace loom
