#pragma once

#include <cstdint>
#include <vector>

#include "compute/geometry/bit_planes.h"
#include "compute/geometry/group_neighbours.h"

namespace loom {

/// The lookup table of GroupNeighbours.
class GroupTable {
 public:
  explicit GroupTable(const BitPlanes& planes);

  /// The entries, direction by direction; each direction has one entry per value of the digits of one
  /// look-up.
  const std::vector<std::uint32_t>& entries() const { return entries_; }
  /// The neighbour functions over these entries, or over a copy of them elsewhere. The entries must outlive
  /// the result.
  GroupNeighbours neighbours() const { return neighbours(entries_.data()); }
  GroupNeighbours neighbours(const std::uint32_t* entries) const;

 private:
  std::vector<std::uint32_t> entries_;
  GroupNeighbours view_;
};

}  // namespace loom
