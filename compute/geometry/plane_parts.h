#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/geometry/bit_planes.h"
#include "compute/geometry/part_stretch.h"

namespace loom {

// A fractal's bit planes dealt to several devices: each has contiguous groups, so what lies across a cut is a
// short list, the same for every generation. Made from the digits alone, never by looking at all groups.

/// Parts as large as their `shares` of all, each a whole number of `unit` groups. Throws InputError where
/// there are fewer units than parts, with the most parts that the planes allow, or one's share is less than a
/// unit.
std::vector<PlaneRange> deal_groups(const BitPlanes& whole, std::span<const std::uint32_t> shares,
                                    std::uint32_t unit);
/// Parts of nearly equal size.
std::vector<PlaneRange> deal_groups(const BitPlanes& whole, std::uint32_t parts, std::uint32_t unit);

/// As engines do: a device has whole words, and where there are many groups whole replicas, so that several
/// generations of them are made at once.
std::vector<PlaneRange> deal_groups(const BitPlanes& whole, std::span<const std::uint32_t> shares);
std::vector<PlaneRange> deal_groups(const BitPlanes& whole, std::uint32_t parts);

/// What a part tells others and is told, a thread's words (BitPlanes) at a time. Threads are numbered as in
/// the part; the copies of others' words are kept behind its own, as threads from first_copy on.
struct PartRim {
  using Stretch = PartStretch;

  std::uint32_t first_copy = 0;
  std::vector<std::uint32_t> copies;  ///< whose they are, numbered as in the whole, ascending
  std::vector<Stretch> told_by;       ///< stretches of the copies, in the order of the parts

  std::vector<std::uint32_t> rim;   ///< the own threads that lie beside others' groups, ascending
  std::vector<std::uint32_t> told;  ///< places in `rim`, in the order in which the others keep their copies
  std::vector<Stretch> told_to;     ///< stretches of `told`, in the order of the parts

  /// The rim, and then the threads beside it, own ones and all copies. What the rim becomes depends on no
  /// others for generations_alone(): so fast does nothing cross a group.
  std::vector<std::uint32_t> listed;
  std::vector<std::uint8_t> groups_listed;  ///< how many groups each has
  /// [(direction * groups_in_word + slot) * listed.size() + i]: the group beside that of listed[i], own or a
  /// copy; GroupNeighbours::kNone where there is none, or one of others that is no copy.
  std::vector<std::uint32_t> beside;
  /// The same where words lie as they are listed; kNone for all that are not.
  std::vector<std::uint32_t> beside_listed;
};

/// How many generations the cells of a group depend on no groups but those beside it: as many as it is wide,
/// or high where that is less.
std::uint32_t generations_alone(const BitPlanes& planes);

/// The rim of one of the parts.
PartRim make_part_rim(const BitPlanes& whole, const std::vector<PlaneRange>& parts, std::uint32_t part);

/// Words of a generation with the copies.
std::uint64_t words_with_copies(const BitPlanes& part, const PartRim& rim);

}  // namespace loom
