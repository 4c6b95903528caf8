#pragma once

#include <cstdint>
#include <string>

#include "compute/core/coord.h"
#include "compute/core/fast_divisor.h"
#include "compute/core/host_device.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/geometry/cell_storage.h"
#include "compute/geometry/nbb_shape.h"
#include "compute/geometry/plane_split.h"

namespace loom {

// Compact storage as bit planes (docs/explanation/memory-layouts.md). A cell's digits, finest first, are
// split into those of its plane, those of its bit and those of its group: a word holds the cells at one place
// of all tiles of a supertile, a group is a word a plane. So the neighbours of a whole word are another word
// of the group, or one with its bits moved about.

/// The shape whose replicas' numbers are the digits of bit planes: the same, numbered in the order in which
/// neighbours' numbers differ by fewer amounts. Words then take fewer shifts.
NbbShape plane_shape(const NbbShape& shape);

/// The bit planes of a fractal at a level, as plain data for kernels. Words are of 32 bits, or 64 where slots
/// are; where slots have 16 bits, a word holds those of two groups. A thread's work is a word of each plane:
/// 32 threads' words lie together, plane after plane, so that each access of a warp is whole lines.
struct BitPlanes {
  static constexpr std::uint32_t kTogether = 32;  ///< threads whose words lie side by side

  NbbShape shape;                           ///< in plane_shape()'s order
  std::uint8_t replica[kMaxReplicas] = {};  ///< the fractal's number of each digit
  int level = 0;
  PlaneSplit split;
  std::uint32_t planes = 1;             ///< k^a
  std::uint32_t bits = 1;               ///< k^b
  std::uint32_t groups = 1;             ///< k^(r - a - b), or those of a part (plane_parts.h)
  std::uint32_t first_group = 0;        ///< of a part, whose groups are numbered from 0 on
  std::uint32_t whole_groups = 1;       ///< of the fractal
  std::uint32_t groups_in_word = 1;     ///< 1, or 2 where slots have 16 bits
  std::uint64_t cells = 1;              ///< k^r
  std::uint64_t index_weight[64] = {};  ///< what digit mu adds to the canonical index, at [mu - 1], a unit
  FastDivisor<std::uint32_t> k;
  FastDivisor<std::uint64_t> planes_divisor;
  FastDivisor<std::uint64_t> bits_divisor;

  LOOM_HOST_DEVICE bool wide() const { return split.slot_bits == 64; }
  /// Threads that have work, the last perhaps with less than groups_in_word groups.
  LOOM_HOST_DEVICE std::uint64_t threads() const {
    return (std::uint64_t{groups} + groups_in_word - 1) / groups_in_word;
  }
  /// Words of a generation.
  std::uint64_t words() const { return (threads() + kTogether - 1) / kTogether * kTogether * planes; }
  std::uint64_t bytes() const { return words() * (wide() ? 8 : 4); }
  /// Where the words of thread `t` begin; those of plane p are p * kTogether further on.
  LOOM_HOST_DEVICE std::uint64_t first_word(std::uint64_t t) const {
    return t / kTogether * (std::uint64_t{planes} * kTogether) + t % kTogether;
  }
  /// The bits of one slot that cells use.
  LOOM_HOST_DEVICE std::uint64_t slot_mask() const { return ~std::uint64_t{0} >> (64 - bits); }
  /// What a group's digits add to the canonical index of its cells.
  LOOM_HOST_DEVICE std::uint64_t index_of_group(std::uint32_t group) const {
    std::uint64_t index = 0;
    group += first_group;
    for (int mu = split.plane_levels + split.bit_levels; mu < level; ++mu)
      index += replica[k.take_digit(group)] * index_weight[mu];
    return index;
  }
  /// The same of a plane and of a bit.
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

/// Why a fractal at a level has no bit planes here: one sentence; empty where it has.
std::string why_no_planes(const NbbShape& shape, int level);

/// `level` fits in 64 bits and why_no_planes() has nothing to say.
BitPlanes make_bit_planes(const NbbShape& shape, int level);

/// The same of some of the groups; those begin with a word of their own.
BitPlanes part_of(const BitPlanes& whole, PlaneRange range);

/// Bytes of a generation; saturates at 2^64 - 1, also where there are no planes.
std::uint64_t bytes_of_planes(const NbbShape& shape, int level);

/// The place of a cell in bit planes: its digits as one number in base k, the finest lowest, so plane +
/// k^a * (bit + k^b * group). As a storage (storage.h) it says where cells are; PlaneCells finds the bit.
template <typename Int>
class PlaneStorage {
 public:
  explicit PlaneStorage(const BlockedFractal& fractal);
  std::uint64_t size() const { return cells_; }
  LOOM_HOST_DEVICE std::uint64_t index_of(Coord<Int> cell) const {
    std::uint64_t place = 0;
    std::uint64_t weight = 1;
    int holes = 0;
    for (int mu = 0; mu < level_; ++mu) {
      const Int x = s_x_.take_digit(cell.x);
      const Int y = s_y_.take_digit(cell.y);
      const int replica = shape_.replica_at[y * shape_.s_x + x];
      holes |= replica;
      place += weight * static_cast<std::uint32_t>(replica);
      weight *= shape_.k;
    }
    return holes < 0 ? ~std::uint64_t{0} : place;
  }

 private:
  NbbShape shape_;
  FastDivisor<Int> s_x_;
  FastDivisor<Int> s_y_;
  int level_ = 0;
  std::uint64_t cells_ = 1;
};

template <typename Int>
PlaneStorage<Int>::PlaneStorage(const BlockedFractal& fractal)
    : shape_(plane_shape(fractal.shape)),
      s_x_(fractal.shape.s_x),
      s_y_(fractal.shape.s_y),
      level_(fractal.level),
      cells_(fractal.cells) {}

/// Where in bit planes a place is.
struct PlaneBit {
  std::uint64_t word = 0;  ///< of the generation
  std::uint32_t bit = 0;   ///< of the word
  bool here = true;        ///< false: in another part
};
LOOM_HOST_DEVICE PlaneBit plane_bit(const BitPlanes& planes, std::uint64_t place) {
  const std::uint64_t tile = planes.planes_divisor.divide(place);
  const auto plane = static_cast<std::uint32_t>(place - tile * planes.planes);
  std::uint64_t group = planes.bits_divisor.divide(tile);
  const auto bit = static_cast<std::uint32_t>(tile - group * planes.bits);
  group -= planes.first_group;
  const std::uint64_t thread = group / planes.groups_in_word;
  const auto slot = static_cast<std::uint32_t>(group % planes.groups_in_word);
  return {planes.first_word(thread) + std::uint64_t{plane} * BitPlanes::kTogether,
          slot * static_cast<std::uint32_t>(planes.split.slot_bits) + bit, group < planes.groups};
}

}  // namespace loom
