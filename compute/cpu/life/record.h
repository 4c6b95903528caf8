#pragma once

#include <cstdint>

#include "compute/cpu/run_recorder.h"
#include "compute/engine/progress_monitor.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"
#include "compute/map/map_tables.h"
#include "compute/workload/game_of_life.h"

namespace loom::cpu {

/// Computes one generation as step_life() does and records the chunks of tiles that each thread processed.
void record_life(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                 std::uint8_t* now, std::uint8_t* next, LifeRule rule, const ProgressScope& call,
                 RunRecorder& recorder);

}  // namespace loom::cpu
