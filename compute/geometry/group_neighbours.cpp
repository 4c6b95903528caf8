#include "compute/geometry/group_neighbours.h"

#include "compute/geometry/plane_program.h"

namespace loom {

/// As many as there are, if the table holds them: then no number of them leads to a group that is not there.
int GroupNeighbours::digits_at_once(const BitPlanes& planes) {
  const int all = planes.level - planes.split.plane_levels - planes.split.bit_levels;
  int digits = 0;
  while (digits < all && small_power(planes.shape.k, digits + 1) <= kEntries) ++digits;
  return digits;
}

std::uint32_t GroupNeighbours::base_of(const BitPlanes& planes) {
  return static_cast<std::uint32_t>(small_power(planes.shape.k, digits_at_once(planes)));
}

std::vector<std::uint32_t> GroupNeighbours::make_table(const BitPlanes& planes) {
  const std::uint32_t base = base_of(planes);
  std::vector<std::uint32_t> table(std::size_t{kDirections} * kEntries, kHole);
  for (int d = 0; d < kDirections; ++d) {
    for (std::uint32_t digits = 0; digits < base; ++digits) {
      const PlainNeighbour next = plain_neighbour(planes.shape, digits_at_once(planes), digits, d);
      if (next.digits < 0) continue;
      std::uint32_t& entry = table[static_cast<std::size_t>(d) * kEntries + digits];
      entry = kNear + static_cast<std::uint32_t>(next.digits) - digits;
      if (next.leaves != kDirections)
        entry |= kFar | static_cast<std::uint32_t>(next.leaves) << kDirectionShift;
    }
  }
  return table;
}

}  // namespace loom
