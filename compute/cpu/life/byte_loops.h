#pragma once

#include <cstdint>

#include "compute/engine/progress_monitor.h"
#include "compute/engine/thread_count.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"
#include "compute/map/map_tables.h"

namespace loom::cpu {

/// Visits all tiles and threads of a method as its workloads do, and counts them. Reads no cells.
ThreadCount count_threads(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables);

/// The sum of reduction_value() over all cells. Exact. A tile is a unit of `call`; the sum is meaningless if
/// the call is cancelled. Does not allocate memory.
std::uint64_t reduce(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                     std::uint8_t* cells, const ProgressScope& call);

/// Sets every cell to single_write_value() of its coordinate and `generation`. A tile is a unit of `call`; if
/// it is cancelled, some cells have been written. Does not allocate memory.
void single_write(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                  std::uint8_t* cells, std::uint32_t generation, const ProgressScope& call);

}  // namespace loom::cpu
