#include "compute/geometry/group_neighbours.h"

#include "compute/geometry/plane_program.h"

namespace loom {
namespace {

/// Entries a direction: few enough that the table stays in a first-level cache.
constexpr std::uint64_t kMostEntries = 512;

int digits_at_once(const BitPlanes& planes) {
  int digits = 1;
  while (small_power(planes.shape.k, digits + 1) <= kMostEntries) ++digits;
  return digits;
}

}  // namespace

std::uint32_t GroupNeighbours::base_of(const BitPlanes& planes) {
  return static_cast<std::uint32_t>(small_power(planes.shape.k, digits_at_once(planes)));
}

std::vector<std::uint32_t> GroupNeighbours::make_table(const BitPlanes& planes) {
  const std::uint32_t base = base_of(planes);
  std::vector<std::uint32_t> table;
  table.reserve(std::size_t{kDirections} * base);
  for (int d = 0; d < kDirections; ++d) {
    for (std::uint32_t digits = 0; digits < base; ++digits) {
      const PlainNeighbour next = plain_neighbour(planes.shape, digits_at_once(planes), digits, d);
      table.push_back(next.digits < 0 ? kHole << 16
                                      : static_cast<std::uint32_t>(next.digits) |
                                            static_cast<std::uint32_t>(next.leaves) << 16);
    }
  }
  return table;
}

}  // namespace loom
