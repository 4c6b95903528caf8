#pragma once

#include <cstdint>
#include <vector>

#include "compute/geometry/bit_planes.h"

namespace loom {

// A fractal's bit planes dealt to several devices: each has contiguous groups, so what lies across a cut is a
// short list, the same for every generation. Made from the digits alone, never by looking at all groups.

/// Parts of nearly equal size, each a whole number of `unit` groups. Throws InputError where there are fewer
/// units than parts, with the most parts that the planes allow.
std::vector<PlaneRange> deal_groups(const BitPlanes& whole, std::uint32_t parts, std::uint32_t unit);

/// As engines do: a device has whole words.
std::vector<PlaneRange> deal_groups(const BitPlanes& whole, std::uint32_t parts);

/// What a part tells others and is told, a thread's words (BitPlanes) at a time. Threads are numbered as in
/// the part; the copies of others' words are kept behind its own, as threads from first_copy on.
struct PartRim {
  /// A stretch of a list that is one other part's.
  struct Stretch {
    std::uint32_t part = 0;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    friend bool operator==(const Stretch&, const Stretch&) = default;
  };

  std::uint32_t first_copy = 0;
  std::vector<std::uint32_t> copies;  ///< whose they are, numbered as in the whole, ascending
  std::vector<Stretch> told_by;       ///< stretches of the copies, in the order of the parts

  std::vector<std::uint32_t> rim;  ///< the own threads that lie beside others' groups, ascending
  /// [(direction * groups_in_word + slot) * rim.size() + i]: the group beside that of rim[i], own or a copy;
  /// GroupNeighbours::kNone where there is none.
  std::vector<std::uint32_t> beside;
  std::vector<std::uint32_t> told;  ///< places in `rim`, in the order in which the others keep their copies
  std::vector<Stretch> told_to;     ///< stretches of `told`, in the order of the parts
};

/// The rim of one of the parts.
PartRim make_part_rim(const BitPlanes& whole, const std::vector<PlaneRange>& parts, std::uint32_t part);

/// Words of a generation with the copies.
std::uint64_t words_with_copies(const BitPlanes& part, const PartRim& rim);

}  // namespace loom
