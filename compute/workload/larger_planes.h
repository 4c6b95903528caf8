#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "compute/geometry/bit_planes.h"
#include "compute/workload/larger_rows.h"

namespace loom {

// Larger than Life in bit planes, whose words hold cells that are far apart: a tile of some groups and the
// points around it are expanded to rows of bits, with zeros for holes. There the neighbours are counted as in
// bit rows, and the tile's cells are collected again.

/// The tiles as plain data. The pointers are memory that the calling threads can read.
struct LargeTiles {
  BitPlanes planes;
  int levels = 0;            ///< of a tile
  std::uint32_t groups = 1;  ///< of a tile; their numbers are consecutive
  std::uint32_t side_x = 1;  ///< points of a tile
  std::uint32_t side_y = 1;
  std::uint32_t radius = 1;
  std::uint32_t around_x = 1;  ///< tiles on each side that have points of the neighbourhood
  std::uint32_t around_y = 1;
  std::uint32_t words = 1;  ///< of 32 points in a row of a tile
  std::uint32_t strip = 8;  ///< rows that a worker counts
  /// Where the cells of a plane, of a bit and of a group are in the tile: the place of a cell is the sum of
  /// the three, a bit of rows of pitch() words.
  const std::uint32_t* plane_at = nullptr;
  const std::uint32_t* bit_at = nullptr;
  const std::uint32_t* group_at = nullptr;
  /// The bits of each tile around, group and plane that are points of the box.
  const std::uint64_t* near = nullptr;

  LOOM_HOST_DEVICE std::uint32_t tiles_x() const { return 2 * around_x + 1; }
  LOOM_HOST_DEVICE std::uint32_t tiles_around() const { return tiles_x() * (2 * around_y + 1); }
  LOOM_HOST_DEVICE std::uint32_t slots() const { return groups * planes.planes; }
  LOOM_HOST_DEVICE std::uint32_t tiles() const { return planes.groups / groups; }
  /// Words of a row of the box, whose first point is `radius` to the left of the tile: one more is read.
  LOOM_HOST_DEVICE std::uint32_t pitch() const { return words + 1; }
  LOOM_HOST_DEVICE std::uint32_t rows() const { return side_y + 2 * radius; }
  /// Words of memory that workers on a tile share: tiles around, the box and the next generation.
  LOOM_HOST_DEVICE std::uint32_t shared_words() const { return tiles_around() + (rows() + side_y) * pitch(); }

  LOOM_HOST_DEVICE const NbbShape& shape_at(int mu) const {
    return planes.is_mixed() ? planes.levels.table().shapes[planes.level - 1 - mu].shape : planes.shape;
  }
  /// The number of the tile (dx, dy) from a tile; kNone if it is outside or a hole.
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  LOOM_HOST_DEVICE std::uint32_t tile_beside(std::uint32_t tile, int dx, int dy) const {
    std::uint64_t x = 0, y = 0, width = 1, height = 1;
    for (int mu = levels; mu < planes.level; ++mu) {
      const NbbShape& shape = shape_at(mu);
      const std::uint32_t digit = tile % shape.k;
      tile /= shape.k;
      x += width * shape.offset_x[digit];
      y += height * shape.offset_y[digit];
      width *= shape.s_x;
      height *= shape.s_y;
    }
    x += static_cast<std::uint64_t>(static_cast<std::int64_t>(dx));  // below 0 it is beyond any width
    y += static_cast<std::uint64_t>(static_cast<std::int64_t>(dy));
    if (x >= width || y >= height) return kNone;
    std::uint32_t number = 0;
    std::uint32_t weight = 1;
    for (int mu = levels; mu < planes.level; ++mu) {
      const NbbShape& shape = shape_at(mu);
      const int replica = shape.replica_at[y % shape.s_y * shape.s_x + x % shape.s_x];
      if (replica < 0) return kNone;
      number += weight * static_cast<std::uint32_t>(replica);
      weight *= shape.k;
      x /= shape.s_x;
      y /= shape.s_y;
    }
    return number;
  }

  /// Calls `use` with the generation as an array of slots and the index of a group's slot in the first plane.
  template <typename Byte, typename Use>
  LOOM_HOST_DEVICE void with_slot(Byte* cells, std::uint32_t group, std::uint32_t plane,
                                  const Use& use) const {
    const std::uint64_t in_word = planes.groups_in_word;
    const std::uint64_t at =
        (planes.first_word(group / in_word) + std::uint64_t{plane} * BitPlanes::kInterleave) * in_word +
        group % in_word;
    if (planes.wide()) {
      use(reinterpret_cast<std::uint64_t*>(cells)[at]);
    } else if (in_word == 1) {
      use(reinterpret_cast<std::uint32_t*>(cells)[at]);
    } else {
      use(reinterpret_cast<std::uint16_t*>(cells)[at]);
    }
  }
};

LOOM_HOST_DEVICE int lowest_bit(std::uint64_t bits) {
#if defined(__CUDA_ARCH__)
  return __ffsll(static_cast<long long>(bits)) - 1;
#else
  return std::countr_zero(bits);
#endif
}

/// Workers that share memory process a tile: `wait` is their barrier, `set(word, bits)` sets bits of a word
/// that others may set too.
template <int kRadius, typename Wait, typename Set>
LOOM_WORD_FUNCTION void step_large_tile(const LargeTiles& tiles, const LargeMasks& rule, std::uint32_t tile,
                                        std::uint8_t* now, std::uint8_t* next, std::uint32_t* shared,
                                        std::uint32_t worker, std::uint32_t workers, const Wait& wait,
                                        const Set& set) {
  constexpr int kLength = 2 * kRadius + 1;
  const std::uint32_t around = tiles.tiles_around();
  std::uint32_t* const box = shared + around;
  std::uint32_t* const out = box + tiles.rows() * tiles.pitch();
  const auto offset_of = [&](std::uint32_t i, int& dx, int& dy) {
    dx = static_cast<int>(i % tiles.tiles_x()) - static_cast<int>(tiles.around_x);
    dy = static_cast<int>(i / tiles.tiles_x()) - static_cast<int>(tiles.around_y);
  };
  for (std::uint32_t i = worker; i < around; i += workers) {
    int dx, dy;
    offset_of(i, dx, dy);
    shared[i] = tiles.tile_beside(tile, dx, dy);
  }
  for (std::uint32_t i = worker; i < tiles.rows() * tiles.pitch(); i += workers) box[i] = 0;
  wait();

  const std::uint32_t slots = tiles.slots();
  for (std::uint32_t i = worker; i < around * slots; i += workers) {
    const std::uint32_t which = i / slots;
    if (shared[which] == LargeTiles::kNone) continue;
    const std::uint64_t near = tiles.near[i];
    if (near == 0) continue;
    const std::uint32_t group = (i - which * slots) / tiles.planes.planes;
    const std::uint32_t plane = (i - which * slots) % tiles.planes.planes;
    int dx, dy;
    offset_of(which, dx, dy);
    const std::uint32_t row = static_cast<std::uint32_t>(dy * static_cast<int>(tiles.side_y)) + kRadius;
    const std::uint32_t corner = row * tiles.pitch() * 32 +
                                 static_cast<std::uint32_t>(dx * static_cast<int>(tiles.side_x)) + kRadius +
                                 tiles.group_at[group] + tiles.plane_at[plane];
    std::uint64_t bits = 0;
    tiles.with_slot(now, shared[which] * tiles.groups + group, plane,
                    [&](auto& slot) { bits = slot & near; });
    for (; bits != 0; bits &= bits - 1) {
      const std::uint32_t at = corner + tiles.bit_at[lowest_bit(bits)];
      set(box[at / 32], 1u << (at % 32));
    }
  }
  wait();

  const std::uint32_t strips = (tiles.side_y + tiles.strip - 1) / tiles.strip;
  for (std::uint32_t i = worker; i < strips * tiles.words; i += workers) {
    const std::uint32_t column = i % tiles.words;
    const std::uint32_t first = i / tiles.words * tiles.strip;
    const std::uint32_t end = first + tiles.strip < tiles.side_y ? first + tiles.strip : tiles.side_y;
    std::uint32_t counts[kBoxPlanes<kRadius>] = {};
    for (std::uint32_t row = first; row < end + 2 * kRadius; ++row) {
      const std::uint32_t* const words = box + row * tiles.pitch() + column;
      const bool leaves = row >= first + kLength;
      const std::uint32_t* const gone = leaves ? words - kLength * tiles.pitch() : words;
      const std::uint32_t more[2] = {words[0], words[1]};
      const std::uint32_t less[2] = {leaves ? gone[0] : 0, leaves ? gone[1] : 0};
      RowChanges<std::uint32_t, 2, kLength> changes;
      sum_changes<kLength>(more, less, changes);
      add_changes(changes, 0, counts);
      if (row < first + 2 * kRadius) continue;
      const std::uint32_t y = row - 2 * kRadius;
      const std::uint32_t* const own = words - kRadius * tiles.pitch();
      out[y * tiles.pitch() + column] = next_large_word(rule, funnel_shift(own[0], own[1], kRadius), counts);
    }
  }
  wait();

  for (std::uint32_t i = worker; i < slots; i += workers) {
    const std::uint32_t group = i / tiles.planes.planes;
    const std::uint32_t plane = i % tiles.planes.planes;
    const std::uint32_t corner = tiles.group_at[group] + tiles.plane_at[plane];
    std::uint64_t bits = 0;
    for (std::uint32_t bit = 0; bit < tiles.planes.bits; ++bit) {
      const std::uint32_t at = corner + tiles.bit_at[bit];
      bits |= std::uint64_t{out[at / 32] >> (at % 32) & 1u} << bit;
    }
    tiles.with_slot(next, tile * tiles.groups + group, plane,
                    [&](auto& slot) { slot = static_cast<std::remove_reference_t<decltype(slot)>>(bits); });
  }
  wait();
}

/// The tiles of a radius, with the memory of their tables on the host.
class LargeTileTables {
 public:
  /// `planes` must be those of all groups, and why_no_large_tiles() empty.
  LargeTileTables(const BitPlanes& planes, std::uint32_t radius);
  const LargeTiles& tiles() const { return tiles_; }
  const std::vector<std::uint32_t>& places() const { return places_; }  ///< of planes, bits and groups
  const std::vector<std::uint64_t>& near() const { return near_; }
  /// The same over copies of places() and near() elsewhere.
  LargeTiles tiles(const std::uint32_t* places, const std::uint64_t* near) const;

 private:
  LargeTiles tiles_;
  std::vector<std::uint32_t> places_;
  std::vector<std::uint64_t> near_;
};

/// Why the groups of bit planes are too wide to be expanded, as one sentence; empty if they are not.
std::string why_no_large_tiles(const BitPlanes& planes, std::uint32_t radius);

}  // namespace loom
