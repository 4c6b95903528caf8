#pragma once

#include <cstdint>

#include "compute/engine/watch.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/map/dispatch.h"
#include "compute/workload/game_of_life.h"

namespace loom::cpu {

/// Computes one generation on the CPU. The same tiles and threads as on the GPU are visited, so that idle
/// threads of a map cost time here too; where a tile is processed by rows (row_tile.h), its threads select
/// the cells. `now` and `next` are one generation each in the method's layout and storage. A tile is a unit
/// of `call`; if it is cancelled, `next` is incomplete. Does not allocate memory.
void step_life(const MapMethod& method, const BlockedFractal& fractal, const MapTables& tables,
               std::uint8_t* now, std::uint8_t* next, LifeRule rule, const WatchedCall& call);

}  // namespace loom::cpu
