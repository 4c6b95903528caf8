#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/mandelbrot/subdivision.h"

namespace loom {

/// The work distribution of an image: the partition of each row of first regions, and the order in which a
/// partition processes its regions, from the costs of the last computation. The dwells do not depend on it.
struct DwellDistribution {
  std::uint32_t columns = 0;               ///< first regions per row
  std::vector<std::uint32_t> part_of_row;  ///< one per row of first regions
  /// All first regions as y * columns + x. Regions that may take longest come first, because the last one
  /// that a device begins delays its end.
  std::vector<std::uint32_t> order;

  bool is_for(const Subdivision& cut) const {
    return columns == cut.first_parts && part_of_row.size() == cut.first_rows;
  }
};

/// Distributes the rows over `parts` partitions of about the same cost: the most expensive rows first, each
/// to the partition with the lowest total. `costs` has one value per first region, `columns` per row, in any
/// common unit.
DwellDistribution distribute_by_cost(std::span<const std::uint32_t> costs, std::uint32_t columns,
                                     std::uint32_t parts);

}  // namespace loom
