#pragma once

#include <cstdint>

#include "compute/geometry/blocked_fractal.h"
#include "compute/map/map_method.h"
#include "compute/map/map_tables.h"

namespace loom::cpu {

/// The sum of reduction_value() over all cells. Exact. Allocates nothing.
std::uint64_t reduce(const MapMethod& method, const BlockedFractal& fractal, const MapTables& tables,
                     const std::uint8_t* cells);

}  // namespace loom::cpu
