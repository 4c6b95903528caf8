#pragma once

#include <cstdint>

#include "compute/cpu/run_recorder.h"
#include "compute/engine/progress_monitor.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/dispatch.h"
#include "compute/workload/game_of_life.h"

namespace loom::cpu {

/// Computes one generation on the CPU. The same tiles and threads as on the GPU are visited, so that idle
/// threads of a map cost time here too; where a tile is processed by rows (row_tile.h), its threads select
/// the cells. `now` and `next` are one generation each in the method's layout and storage. A tile is a unit
/// of `call`; if it is cancelled, `next` is incomplete. `recorder` notes the chunks of tiles that each OpenMP
/// thread processed, and may be null. Does not allocate memory.
void step_life(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
               std::uint8_t* now, std::uint8_t* next, LifeRule rule, const ProgressScope& call,
               RunRecorder* recorder = nullptr);
/// The same for a rule that is larger (larger_life.cpp).
void step_larger_life(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                      std::uint8_t* now, std::uint8_t* next, const LifeRule& rule, const ProgressScope& call,
                      RunRecorder* recorder);

}  // namespace loom::cpu
