#pragma once

#include <cstdint>
#include <string>

#include "compute/core/coord.h"
#include "compute/core/fast_divisor.h"
#include "compute/core/host_device.h"
#include "compute/geometry/nbb_fractal.h"
#include "compute/geometry/nbb_shape.h"
#include "compute/geometry/plane_split.h"
#include "compute/geometry/storage.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom {

// Compact storage as bit planes (docs/explanation/memory-layouts.md). The digits of a cell, finest first, are
// split into plane digits, bit digits and group digits. A word holds the cells at one position of all tiles
// of a supertile; a group holds one word per plane. The neighbours of all cells of a word are therefore
// another word of the group, or such a word with its bits permuted. A tile is here a copy of the fractal of
// level a, not a rho x rho tile of a thread map. Of a mixed fractal, the levels of planes and bits have one
// generator; each group digit has the base of its level.

/// The shape with its replicas renumbered for bit planes: in this order the numbers of neighbouring replicas
/// have fewer distinct differences, so that words need fewer shifts.
NbbShape plane_shape(const NbbShape& shape);

/// The bit planes of a fractal at a level, as plain data for kernels. A word has 64 bits where slots have 64
/// bits, otherwise 32; with 16-bit slots a word holds two groups. Each thread works on one word of every
/// plane. The words of 32 threads are interleaved plane by plane, so that each access of a warp covers whole
/// cache lines.
struct BitPlanes {
  static constexpr std::uint32_t kInterleave = 32;  ///< threads whose words are interleaved

  NbbShape shape;    ///< of the plane and bit levels, in plane_shape()'s order
  LevelView levels;  ///< of a mixed fractal, whose group digits are its replica numbers
  std::uint8_t replica[kMaxReplicas] = {};  ///< the fractal's replica number for each digit
  int level = 0;
  PlaneSplit split;
  std::uint32_t planes = 1;           ///< k^a
  std::uint32_t bits = 1;             ///< k^b
  std::uint32_t groups = 1;           ///< k^(r - a - b), or the groups of a partition (plane_partition.h)
  std::uint32_t first_group = 0;      ///< first group of the partition, whose groups are numbered from 0
  std::uint32_t whole_groups = 1;     ///< groups of the whole fractal
  std::uint32_t groups_in_word = 1;   ///< 1, or 2 where slots have 16 bits
  std::uint64_t cells = 1;            ///< k^r
  std::uint64_t canonical_width = 1;  ///< k^ceil(r/2): cells of a row of the canonical order
  /// Bit D: groups of a mixed fractal are adjacent in direction D. 0 for a uniform fractal, where `shape`
  /// determines it.
  std::uint32_t group_directions = 0;
  std::uint64_t index_weight[64] = {};  ///< weight of digit mu in the canonical index, at [mu - 1]
  FastDivisor<std::uint32_t> k;
  FastDivisor<std::uint64_t> planes_divisor;
  FastDivisor<std::uint64_t> bits_divisor;

  LOOM_HOST_DEVICE bool wide() const { return split.slot_bits == 64; }
  LOOM_HOST_DEVICE bool is_mixed() const { return levels.kind == LevelKind::kMixed; }
  /// The levels of a group's own cells, a + b.
  LOOM_HOST_DEVICE int low_levels() const { return split.plane_levels + split.bit_levels; }
  /// The shape whose replicas the digits of level mu number.
  const NbbShape& digit_shape(int mu) const {
    return is_mixed() && mu > low_levels() ? levels.host->shapes[level - mu].shape : shape;
  }
  /// The number of threads with work. The last thread may have fewer than groups_in_word groups.
  LOOM_HOST_DEVICE std::uint64_t threads() const {
    return (std::uint64_t{groups} + groups_in_word - 1) / groups_in_word;
  }
  /// The number of words in a generation.
  std::uint64_t words() const { return (threads() + kInterleave - 1) / kInterleave * kInterleave * planes; }
  std::uint64_t bytes() const { return words() * (wide() ? 8 : 4); }
  /// The first word of thread `t`; its word of plane p is p * kInterleave words further.
  LOOM_HOST_DEVICE std::uint64_t first_word(std::uint64_t t) const {
    return t / kInterleave * (std::uint64_t{planes} * kInterleave) + t % kInterleave;
  }
  /// The bits of one slot that hold cells.
  LOOM_HOST_DEVICE std::uint64_t slot_mask() const { return ~std::uint64_t{0} >> (64 - bits); }
  /// The contribution of a group's digits to the canonical index of its cells.
  LOOM_HOST_DEVICE std::uint64_t index_of_group(std::uint32_t group) const {
    std::uint64_t index = 0;
    group += first_group;
    if (is_mixed()) {
      for (int mu = low_levels(); mu < level; ++mu)
        index += levels.table().narrow[level - 1 - mu].k.take_digit(group) * index_weight[mu];
      return index;
    }
    for (int mu = low_levels(); mu < level; ++mu) index += replica[k.take_digit(group)] * index_weight[mu];
    return index;
  }
  /// The contribution of a plane's or a bit's digits to the canonical index.
  LOOM_HOST_DEVICE std::uint64_t index_of_plane(std::uint32_t plane) const {
    return digits_index(plane, 0, split.plane_levels);
  }
  LOOM_HOST_DEVICE std::uint64_t index_of_bit(std::uint32_t bit) const {
    return digits_index(bit, split.plane_levels, split.plane_levels + split.bit_levels);
  }

 private:
  LOOM_HOST_DEVICE std::uint64_t digits_index(std::uint32_t digits, int first, int last) const {
    std::uint64_t index = 0;
    for (int mu = first; mu < last; ++mu) index += replica[k.take_digit(digits)] * index_weight[mu];
    return index;
  }
};

/// The reason why a fractal has no bit planes, as one sentence; empty if it has. It must not have turned
/// replicas.
std::string why_no_planes(const TiledFractal& fractal);

/// Requires a fractal for which why_no_planes() returns an empty text. The planes of a mixed fractal are a
/// view of its levels.
BitPlanes make_bit_planes(const TiledFractal& fractal);
/// Of a uniform fractal at a level that fits in 64 bits.
BitPlanes make_bit_planes(const NbbShape& shape, int level);

/// The bit planes of one partition of the groups, which begin at a word of their own.
BitPlanes part_of(const BitPlanes& whole, GroupRange range);

/// Bytes of a generation; saturates at 2^64 - 1, also if there are no bit planes.
std::uint64_t bytes_of_planes(const TiledFractal& fractal);

/// The position of a cell in bit planes: its digits as one number in base k, the finest digit lowest, which
/// equals plane + k^a * (bit + k^b * group). As a storage (storage.h) it returns the position of a cell;
/// PlaneCells finds the bit.
template <typename Int>
class PlaneStorage {
 public:
  explicit PlaneStorage(const TiledFractal& fractal);
  std::uint64_t size() const { return cells_; }
  LOOM_HOST_DEVICE std::uint64_t index_of(Coord<Int> cell) const {
    std::uint64_t place = 0;
    std::uint64_t weight = 1;
    int holes = 0;
    for (int mu = 0; mu < low_levels_; ++mu) {
      const Int x = s_x_.take_digit(cell.x);
      const Int y = s_y_.take_digit(cell.y);
      const int replica = shape_.replica_at[y * shape_.s_x + x];
      holes |= replica;
      place += weight * static_cast<std::uint32_t>(replica);
      weight *= shape_.k;
    }
    for (int mu = low_levels_; mu < level_; ++mu) {
      const LevelDivisors<Int>& by = levels_.table().template divisors<Int>(level_ - 1 - mu);
      const Int x = by.s_x.take_digit(cell.x);
      const Int y = by.s_y.take_digit(cell.y);
      const int replica = levels_.table().shapes[level_ - 1 - mu].shape.replica_at[y * by.s_x.value() + x];
      holes |= replica;
      place += weight * static_cast<std::uint32_t>(replica);
      weight *= by.k.value();
    }
    return holes < 0 ? ~std::uint64_t{0} : place;
  }

 private:
  NbbShape shape_;
  FastDivisor<Int> s_x_;
  FastDivisor<Int> s_y_;
  LevelView levels_;
  int level_ = 0;
  int low_levels_ =
      0;  ///< levels whose digits number the replicas of shape_: all levels of a uniform fractal
  std::uint64_t cells_ = 1;
};

template <typename Int>
PlaneStorage<Int>::PlaneStorage(const TiledFractal& fractal)
    : levels_(fractal.levels), level_(fractal.level), low_levels_(fractal.level), cells_(fractal.cells) {
  if (fractal.is_uniform()) {
    shape_ = plane_shape(fractal.shape);
  } else {
    const BitPlanes planes = make_bit_planes(fractal);
    shape_ = planes.shape;
    low_levels_ = planes.low_levels();
  }
  s_x_ = FastDivisor<Int>(shape_.s_x);
  s_y_ = FastDivisor<Int>(shape_.s_y);
}

/// The word and bit that hold a position.
struct PlaneBit {
  std::uint64_t word = 0;  ///< index of the word in the generation
  std::uint32_t bit = 0;   ///< index of the bit in the word
  bool here = true;        ///< false if another partition holds it
};
LOOM_HOST_DEVICE PlaneBit plane_bit(const BitPlanes& planes, std::uint64_t place) {
  const std::uint64_t tile = planes.planes_divisor.divide(place);
  const auto plane = static_cast<std::uint32_t>(place - tile * planes.planes);
  std::uint64_t group = planes.bits_divisor.divide(tile);
  const auto bit = static_cast<std::uint32_t>(tile - group * planes.bits);
  group -= planes.first_group;
  const std::uint64_t thread = group / planes.groups_in_word;
  const auto slot = static_cast<std::uint32_t>(group % planes.groups_in_word);
  return {planes.first_word(thread) + std::uint64_t{plane} * BitPlanes::kInterleave,
          slot * static_cast<std::uint32_t>(planes.split.slot_bits) + bit, group < planes.groups};
}

}  // namespace loom
