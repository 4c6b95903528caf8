#pragma once

#include <cstdint>

#include "compute/geometry/plane_program.h"

namespace loom {

// The relations of words (plane_program.h) in two steps, for words of 64 bits that are two digits in base
// eight. The upper digit selects a byte. The first step moves whole bytes, which a GPU does with one
// instruction for four bytes; the second step moves bits within bytes. Relations of the same plane share the
// moved words.

struct PlaneBytes {
  static constexpr int kMaxMoved = 64;
  static constexpr int kMaxShifts = 8;

  /// A plane's word whose bytes are replaced by those of each tile's neighbour, in one direction, in the
  /// upper digit.
  struct Moved {
    std::uint8_t plane = 0;
    std::uint8_t direction = 0;
    /// The group that supplies the byte, as its direction; kDirections for the own group.
    std::uint8_t from[8] = {};
    std::int8_t byte[8] = {};  ///< the byte of that group's word; -1 if there is none and any byte will do
  };
  int moved_count = 0;
  Moved moved[kMaxMoved] = {};

  /// One operand of the OR that forms a relation's word: bits of the plane's own word or of a moved word.
  struct Part {
    std::int8_t moved = -1;  ///< index of the moved word; -1 for the plane's own word
    MaskedShift shift;
  };
  struct Relation {
    int count = 0;
    Part parts[kMaxShifts] = {};
  };
  Relation relations[PlaneProgram::kMaxRelations] = {};  ///< in the program's order
};

constexpr bool has_bytes(const NbbShape& shape, const PlaneSplit& split) {
  return shape.k == 8 && split.bit_levels == 2 && split.slot_bits == 64;
}

/// Requires the `program` of a shape and split with has_bytes().
constexpr PlaneBytes make_plane_bytes(const NbbShape& shape, const PlaneProgram& program) {
  PlaneBytes bytes;
  const std::uint32_t occur = directions_that_occur(shape);
  const auto moved_of = [&](int plane, int direction) {
    int at = 0;
    while (at < bytes.moved_count &&
           (bytes.moved[at].plane != plane || bytes.moved[at].direction != direction))
      ++at;
    if (at < bytes.moved_count) return at;
    PlaneBytes::Moved& moved = bytes.moved[bytes.moved_count++];
    moved.plane = static_cast<std::uint8_t>(plane);
    moved.direction = static_cast<std::uint8_t>(direction);
    for (std::uint64_t upper = 0; upper < 8; ++upper) {
      const PlainNeighbour next = plain_neighbour(shape, 1, upper, direction);
      moved.from[upper] = static_cast<std::uint8_t>(next.leaves);
      moved.byte[upper] = static_cast<std::int8_t>(next.digits);
      if (next.leaves != kDirections && !(occur >> next.leaves & 1u)) moved.byte[upper] = -1;
    }
    return at;
  };
  for (int r = 0; r < program.relation_count; ++r) {
    const PlaneProgram::Relation& of = program.relations[r];
    PlaneBytes::Relation& relation = bytes.relations[r];
    for (std::uint64_t low = 0; low < 8; ++low) {
      const PlainNeighbour next = plain_neighbour(shape, 1, low, of.direction);
      if (next.digits < 0 || (next.leaves != kDirections && !(occur >> next.leaves & 1u))) continue;
      const auto shift = static_cast<std::int32_t>(next.digits) - static_cast<std::int32_t>(low);
      const int moved = next.leaves == kDirections ? -1 : moved_of(of.plane, next.leaves);
      std::uint64_t mask = 0;
      for (std::uint64_t upper = 0; upper < 8; ++upper) {
        if (moved < 0 || bytes.moved[moved].byte[upper] >= 0) mask |= std::uint64_t{1} << (8 * upper + low);
      }
      int at = 0;
      while (at < relation.count &&
             (relation.parts[at].moved != moved || relation.parts[at].shift.shift != shift))
        ++at;
      if (at == relation.count)
        relation.parts[relation.count++] = {static_cast<std::int8_t>(moved), {0, shift}};
      relation.parts[at].shift.mask |= mask;
    }
  }
  return bytes;
}

}  // namespace loom
