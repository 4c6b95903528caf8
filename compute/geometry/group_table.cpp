#include "compute/geometry/group_table.h"

#include "compute/geometry/plane_program.h"

namespace loom {
namespace {

/// The number of digits per look-up: all of them if a table of this number of entries can hold them; then no
/// entry leads to a group that does not exist.
int digits_at_once(const BitPlanes& planes, std::uint32_t entries) {
  const int all = planes.level - planes.split.plane_levels - planes.split.bit_levels;
  int digits = 0;
  while (digits < all && small_power(planes.shape.k, digits + 1) <= entries) ++digits;
  return digits;
}

}  // namespace

GroupTable::GroupTable(const BitPlanes& planes)
    : entries_(std::size_t{kDirections} * GroupNeighbours::kEntries, GroupNeighbours::kHole) {
  const int digits_taken = digits_at_once(planes, GroupNeighbours::kEntries);
  const auto base = static_cast<std::uint32_t>(small_power(planes.shape.k, digits_taken));
  view_.base_ = FastDivisor<std::uint32_t>(base);
  view_.first_ = planes.first_group;
  view_.groups_ = planes.whole_groups;
  for (int d = 0; d < kDirections; ++d) {
    for (std::uint32_t digits = 0; digits < base; ++digits) {
      const PlainNeighbour next = plain_neighbour(planes.shape, digits_taken, digits, d);
      if (next.digits < 0) continue;
      std::uint32_t& entry = entries_[static_cast<std::size_t>(d) * GroupNeighbours::kEntries + digits];
      entry = GroupNeighbours::kNear + static_cast<std::uint32_t>(next.digits) - digits;
      if (next.leaves != kDirections)
        entry |= GroupNeighbours::kFar | static_cast<std::uint32_t>(next.leaves)
                                             << GroupNeighbours::kDirectionShift;
    }
  }
}

GroupNeighbours GroupTable::neighbours(const std::uint32_t* entries) const {
  GroupNeighbours found = view_;
  found.table_ = entries;
  return found;
}

}  // namespace loom
