#pragma once

#include "compute/engine/thread_count.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"
#include "compute/map/map_tables.h"

namespace loom::cpu {

/// Visits all tiles and threads of a method as its workloads do, and counts them. Reads no cells.
ThreadCount count_threads(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables);

}  // namespace loom::cpu
