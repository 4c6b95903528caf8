#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"

namespace loom {

/// The contribution of a cell to the reduction: 0 if it is dead, otherwise a weight from 1 to 8. The weight
/// depends on the coordinate, so that a thread with a wrong coordinate adds a wrong value. The sum over all
/// cells is an exact 64-bit integer.
template <typename Int>
LOOM_HOST_DEVICE std::uint32_t reduction_value(Coord<Int> cell, std::uint32_t alive) {
  return alive * (1u + (static_cast<std::uint32_t>(cell.x ^ cell.y) & 7u));
}
inline constexpr std::uint32_t kLargestReductionValue = 8;

}  // namespace loom
