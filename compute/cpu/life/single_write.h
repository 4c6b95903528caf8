#pragma once

#include <cstdint>

#include "compute/engine/progress_monitor.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"
#include "compute/map/map_tables.h"

namespace loom::cpu {

/// Sets every cell to single_write_value() of its coordinate and `generation`. A tile is a unit of `call`; if
/// it is cancelled, some cells have been written. Does not allocate memory.
void single_write(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                  std::uint8_t* cells, std::uint32_t generation, const ProgressScope& call);

}  // namespace loom::cpu
