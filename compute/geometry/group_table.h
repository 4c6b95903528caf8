#pragma once

#include <cstdint>
#include <vector>

#include "compute/geometry/bit_planes.h"
#include "compute/geometry/group_neighbours.h"

namespace loom {

/// What GroupNeighbours looks up.
class GroupTable {
 public:
  explicit GroupTable(const BitPlanes& planes);

  /// Direction after direction, for each number that the digits taken at once can be.
  const std::vector<std::uint32_t>& entries() const { return entries_; }
  /// The neighbours by these entries, or by a copy of them elsewhere, which must outlive what is returned.
  GroupNeighbours neighbours() const { return neighbours(entries_.data()); }
  GroupNeighbours neighbours(const std::uint32_t* entries) const;

 private:
  std::vector<std::uint32_t> entries_;
  GroupNeighbours view_;
};

}  // namespace loom
