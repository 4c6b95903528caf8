#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/mandelbrot/subdivision.h"

namespace loom {

/// Which part has which row of first regions, and the order in which a part takes its regions: by what each
/// of them cost when it was computed last. The dwells do not depend on it.
struct DwellDeal {
  std::uint32_t columns = 0;               ///< first regions of a row
  std::vector<std::uint32_t> part_of_row;  ///< one a row of first regions
  /// All first regions, y * columns + x: those that may take longest come first, since the last one that a
  /// device begins is what it waits for in the end.
  std::vector<std::uint32_t> order;

  bool is_for(const Subdivision& cut) const {
    return columns == cut.first_parts && part_of_row.size() == cut.first_rows;
  }
};

/// Deals the rows out to `parts` so that these have about the same cost: the dearest first, each to whoever
/// has least. `costs` has one for each first region, columns of them a row; any unit, the same for all.
DwellDeal deal_by_cost(std::span<const std::uint32_t> costs, std::uint32_t columns, std::uint32_t parts);

}  // namespace loom
