#pragma once

#include <cstdint>

#include "compute/cpu/run_recorder.h"
#include "compute/engine/watch.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/map/map_method.h"
#include "compute/map/map_tables.h"
#include "compute/workload/game_of_life.h"

namespace loom::cpu {

/// Computes one generation as step_life() does and records the chunks of tiles that each thread processed.
void record_life(const MapMethod& method, const BlockedFractal& fractal, const MapTables& tables,
                 std::uint8_t* now, std::uint8_t* next, LifeRule rule, const WatchedCall& call,
                 RunRecorder& recorder);

}  // namespace loom::cpu
