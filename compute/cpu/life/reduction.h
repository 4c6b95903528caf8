#pragma once

#include <cstdint>

#include "compute/engine/watch.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/map/map_method.h"
#include "compute/map/map_tables.h"

namespace loom::cpu {

/// The sum of reduction_value() over all cells. Exact. A tile is a unit of `call`; the sum is meaningless if
/// the call is cancelled. Does not allocate memory.
std::uint64_t reduce(const MapMethod& method, const BlockedFractal& fractal, const MapTables& tables,
                     std::uint8_t* cells, const WatchedCall& call);

}  // namespace loom::cpu
