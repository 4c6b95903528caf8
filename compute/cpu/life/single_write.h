#pragma once

#include <cstdint>

#include "compute/engine/watch.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/map/map_method.h"
#include "compute/map/map_tables.h"

namespace loom::cpu {

/// Every cell takes single_write_value() of its coordinate and `generation`. A block is a unit of `call`; a
/// cancelled one has written a part. Allocates nothing.
void single_write(const MapMethod& method, const BlockedFractal& fractal, const MapTables& tables,
                  std::uint8_t* cells, std::uint32_t generation, const WatchedCall& call);

}  // namespace loom::cpu
