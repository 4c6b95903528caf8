#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"

namespace loom {

/// The value, 0 or 1, that the workload single write gives the cell at an expanded coordinate in generation
/// `generation`: diagonal stripes eight cells wide that move by one cell per generation. The value depends on
/// the coordinate, so that a thread with a wrong coordinate writes a wrong value.
template <typename Int>
LOOM_HOST_DEVICE std::uint8_t single_write_value(Coord<Int> cell, std::uint32_t generation) {
  // Only the low bits matter, and they are correct after the wrap-around of a 32-bit sum.
  return static_cast<std::uint8_t>((static_cast<std::uint32_t>(cell.x + cell.y) + generation) >> 3 & 1u);
}

}  // namespace loom
