#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"
#include "compute/geometry/plane_split.h"

namespace loom {

// The word operations of one generation in bit planes. They are the same for every group and are computed
// from the offsets alone, by brute force over one tile and one supertile. constexpr: kernels are unrolled for
// the catalogue's fractals; other fractals use the program as tables.

/// Bit i of the result is bit i + shift of the source, for the bits i of the mask; other bits are 0.
struct MaskedShift {
  std::uint64_t mask = 0;
  std::int32_t shift = 0;
};
template <typename Word>
LOOM_HOST_DEVICE Word shifted(Word word, std::int32_t shift) {
  return shift >= 0 ? word >> shift : word << -shift;
}

/// The shifts [first, last) of a program.
struct ShiftRange {
  std::uint16_t first = 0;
  std::uint16_t last = 0;
};

struct PlaneProgram {
  static constexpr std::uint16_t kNoSource = 0xffff;
  static constexpr int kMaxRelations = 512;
  static constexpr int kMaxShifts = 1024;
  static constexpr int kMaxHaloWords = 512;

  PlaneSplit split;
  int planes = 0;
  int bits = 0;
  int groups_in_word = 1;
  std::uint64_t word_mask = 0;  ///< the bits of a word that hold cells

  /// The words in which the living neighbours of plane p are counted: a value below `planes` is the group's
  /// own word of that plane, a larger one is relation number value - planes.
  std::uint16_t sources[kMaxPlanes][kDirections] = {};
  std::uint8_t source_count[kMaxPlanes] = {};

  /// The word of relation (q, D) has, at the bit of each tile, the cell of plane q in the tile's neighbour in
  /// direction D. It is the group's word of plane q under the inner shifts of D, OR-ed with the halo words of
  /// (q, G) under the halo shifts of (D, G).
  struct Relation {
    std::uint8_t plane = 0;
    std::uint8_t direction = 0;
    std::uint16_t halo_word[kDirections] = {};  ///< by G; kNoSource if there is none
  };
  int relation_count = 0;
  Relation relations[kMaxRelations] = {};
  ShiftRange inner[kDirections] = {};
  ShiftRange halo[kDirections][kDirections] = {};  ///< [D][G]
  MaskedShift shifts[kMaxShifts] = {};

  /// Words of plane q of the neighbouring group in direction G that relations read.
  struct HaloWord {
    std::uint8_t plane = 0;
    std::uint8_t direction = 0;
  };
  int halo_word_count = 0;
  HaloWord halo_words[kMaxHaloWords] = {};
  std::uint32_t halo_directions = 0;  ///< bit G: some halo word is in that direction
};

/// A cell's coordinate from its digits in base k, finest lowest.
constexpr Coord<std::int64_t> plain_cell(const NbbShape& shape, int levels, std::uint64_t digits) {
  Coord<std::int64_t> cell{0, 0};
  std::int64_t x = 1;
  std::int64_t y = 1;
  for (int mu = 0; mu < levels; ++mu) {
    const std::uint64_t digit = digits % shape.k;
    digits /= shape.k;
    cell.x += x * shape.offset_x[digit];
    cell.y += y * shape.offset_y[digit];
    x *= shape.s_x;
    y *= shape.s_y;
  }
  return cell;
}

/// The neighbour of a cell, given by digits in base k, in a direction: its digits, -1 for a hole, and the
/// direction in which the step leaves the box of `levels` levels. The digits then refer to the neighbouring
/// box. The direction is kDirections if the step stays in the box.
struct PlainNeighbour {
  std::int64_t digits = -1;
  int leaves = kDirections;
};
constexpr PlainNeighbour plain_neighbour(const NbbShape& shape, int levels, std::uint64_t digits,
                                         int direction) {
  const auto width = static_cast<std::int64_t>(small_power(shape.s_x, levels));
  const auto height = static_cast<std::int64_t>(small_power(shape.s_y, levels));
  Coord<std::int64_t> at = plain_cell(shape, levels, digits);
  at.x += kDirectionX[direction];
  at.y += kDirectionY[direction];
  const int out_x = at.x < 0 ? -1 : at.x >= width ? 1 : 0;
  const int out_y = at.y < 0 ? -1 : at.y >= height ? 1 : 0;
  at.x -= out_x * width;
  at.y -= out_y * height;
  PlainNeighbour found{0, direction_of(out_x, out_y)};
  std::int64_t weight = 1;
  for (int mu = 0; mu < levels; ++mu) {
    const int replica = shape.replica_at[at.y % shape.s_y * shape.s_x + at.x % shape.s_x];
    at.x /= shape.s_x;
    at.y /= shape.s_y;
    if (replica < 0) return {-1, found.leaves};
    found.digits += weight * replica;
    weight *= shape.k;
  }
  return found;
}

/// Bit D: somewhere two replicas of the same size are adjacent in direction D. `above` are the directions in
/// which the largest ones are adjacent, if the levels above have other generators.
constexpr std::uint32_t directions_that_occur(const NbbShape& shape, std::uint32_t above = 0) {
  std::uint32_t occur = above;
  for (bool more = true; more;) {
    more = false;
    for (int d = 0; d < kDirections; ++d) {
      if (occur >> d & 1u) continue;
      for (std::uint64_t digit = 0; digit < shape.k; ++digit) {
        const PlainNeighbour next = plain_neighbour(shape, 1, digit, d);
        if (next.digits < 0) continue;
        if (next.leaves == kDirections || (occur >> next.leaves & 1u)) {
          occur |= 1u << d;
          more = true;
          break;
        }
      }
    }
  }
  return occur;
}

/// The number of distinct differences between the numbers of neighbours, over all directions and all ways to
/// leave the box.
constexpr int amounts_between_neighbours(const NbbShape& shape) {
  int amounts = 0;
  for (int d = 0; d < kDirections; ++d) {
    for (int leaves = 0; leaves <= kDirections; ++leaves) {
      std::uint64_t seen[2] = {};  // bit `difference`, for positive and for negative differences
      for (std::uint64_t digit = 0; digit < shape.k; ++digit) {
        const PlainNeighbour next = plain_neighbour(shape, 1, digit, d);
        if (next.digits < 0 || next.leaves != leaves) continue;
        const std::int64_t difference = next.digits - static_cast<std::int64_t>(digit);
        std::uint64_t& of = seen[difference < 0 ? 1 : 0];
        const std::uint64_t bit = std::uint64_t{1} << (difference < 0 ? -difference : difference);
        if (!(of & bit)) ++amounts;
        of |= bit;
      }
    }
  }
  return amounts;
}

/// See plane_shape(): the given order, or column by column if that has fewer distinct differences.
constexpr NbbShape in_plane_order(const NbbShape& shape) {
  NbbShape columns = shape;
  std::uint32_t digit = 0;
  for (std::uint32_t x = 0; x < shape.s_x; ++x) {
    for (std::uint32_t y = 0; y < shape.s_y; ++y) {
      if (shape.replica_at[y * shape.s_x + x] < 0) continue;
      columns.offset_x[digit] = static_cast<std::uint8_t>(x);
      columns.offset_y[digit] = static_cast<std::uint8_t>(y);
      columns.replica_at[y * shape.s_x + x] = static_cast<std::int8_t>(digit++);
    }
  }
  return amounts_between_neighbours(columns) < amounts_between_neighbours(shape) ? columns : shape;
}

/// The program of a fractal for a split. The shape must be in plane order. `between_groups`: see
/// BitPlanes::group_directions.
constexpr PlaneProgram make_plane_program(const NbbShape& shape, const PlaneSplit& split,
                                          std::uint32_t between_groups = 0) {
  PlaneProgram program;
  program.split = split;
  program.planes = static_cast<int>(small_power(shape.k, split.plane_levels));
  program.bits = static_cast<int>(small_power(shape.k, split.bit_levels));
  program.groups_in_word = split.slot_bits == 16 ? 2 : 1;
  // The masks of one slot apply to the other slot as well.
  const auto in_slots = [&](std::uint64_t mask) {
    return program.groups_in_word == 2 ? mask | mask << 16 : mask;
  };
  program.word_mask = in_slots(~std::uint64_t{0} >> (64 - program.bits));
  const std::uint32_t occur = directions_that_occur(shape, between_groups);
  int shifts = 0;
  const auto add_shifts = [&](int direction, int through) -> ShiftRange {
    const int first = shifts;
    for (int bit = 0; bit < program.bits; ++bit) {
      const PlainNeighbour next =
          plain_neighbour(shape, split.bit_levels, static_cast<std::uint64_t>(bit), direction);
      if (next.digits < 0 || next.leaves != through) continue;
      const auto shift = static_cast<std::int32_t>(next.digits) - bit;
      int at = first;
      while (at < shifts && program.shifts[at].shift != shift) ++at;
      if (at == shifts) program.shifts[shifts++].shift = shift;
      program.shifts[at].mask |= in_slots(std::uint64_t{1} << bit);
    }
    return {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(shifts)};
  };
  for (int d = 0; d < kDirections; ++d) {
    if (!(occur >> d & 1u)) continue;
    program.inner[d] = add_shifts(d, kDirections);
    for (int g = 0; g < kDirections; ++g) {
      if (occur >> g & 1u) program.halo[d][g] = add_shifts(d, g);
    }
  }
  const auto halo_word_of = [&](int plane, int direction) {
    int at = 0;
    while (at < program.halo_word_count &&
           (program.halo_words[at].plane != plane || program.halo_words[at].direction != direction))
      ++at;
    if (at == program.halo_word_count) {
      program.halo_words[program.halo_word_count++] = {static_cast<std::uint8_t>(plane),
                                                       static_cast<std::uint8_t>(direction)};
      program.halo_directions |= 1u << direction;
    }
    return static_cast<std::uint16_t>(at);
  };
  const auto relation_of = [&](int plane, int direction) {
    int at = 0;
    while (at < program.relation_count &&
           (program.relations[at].plane != plane || program.relations[at].direction != direction))
      ++at;
    if (at < program.relation_count) return at;
    PlaneProgram::Relation& relation = program.relations[program.relation_count++];
    relation.plane = static_cast<std::uint8_t>(plane);
    relation.direction = static_cast<std::uint8_t>(direction);
    for (int g = 0; g < kDirections; ++g) {
      const ShiftRange halo = program.halo[direction][g];
      relation.halo_word[g] = halo.first == halo.last ? PlaneProgram::kNoSource : halo_word_of(plane, g);
    }
    return at;
  };
  for (int p = 0; p < program.planes; ++p) {
    for (int d = 0; d < kDirections; ++d) {
      const PlainNeighbour next =
          plain_neighbour(shape, split.plane_levels, static_cast<std::uint64_t>(p), d);
      if (next.digits < 0) continue;
      int source = static_cast<int>(next.digits);
      if (next.leaves != kDirections) {
        if (!(occur >> next.leaves & 1u)) continue;
        source = program.planes + relation_of(source, next.leaves);
      }
      program.sources[p][program.source_count[p]++] = static_cast<std::uint16_t>(source);
    }
  }
  return program;
}

}  // namespace loom
