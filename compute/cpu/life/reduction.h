#pragma once

#include <cstdint>

#include "compute/engine/progress_monitor.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"
#include "compute/map/map_tables.h"

namespace loom::cpu {

/// The sum of reduction_value() over all cells. Exact. A tile is a unit of `call`; the sum is meaningless if
/// the call is cancelled. Does not allocate memory.
std::uint64_t reduce(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                     std::uint8_t* cells, const ProgressScope& call);

}  // namespace loom::cpu
