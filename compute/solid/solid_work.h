#pragma once

#include <cstdint>

#include "compute/core/coord3.h"
#include "compute/core/host_device.h"
#include "compute/solid/solid_rule.h"
#include "compute/workload/workload.h"

namespace loom {

/// A workload on a three-dimensional fractal with its parameters.
struct SolidWork {
  Workload workload = Workload::kLife;
  SolidRule rule = {};  ///< for kLife
  friend constexpr bool operator==(const SolidWork&, const SolidWork&) = default;
};

/// The value that single write gives a cell in a generation: layers eight cells wide along the diagonal that
/// move by one cell per generation.
LOOM_HOST_DEVICE std::uint8_t single_write_value(Coord3 cell, std::uint32_t generation) {
  return static_cast<std::uint8_t>((cell.x + cell.y + cell.z + generation) >> 3 & 1u);
}

/// The contribution of a cell to the reduction: 0 if it is dead, otherwise a weight from 1 to 8 that depends
/// on the coordinate.
LOOM_HOST_DEVICE std::uint32_t reduction_value(Coord3 cell, std::uint32_t alive) {
  return alive * (1u + ((cell.x ^ cell.y ^ cell.z) & 7u));
}

}  // namespace loom
