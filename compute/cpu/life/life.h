#pragma once

#include <cstdint>

#include "compute/engine/watch.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/map/dispatch.h"
#include "compute/workload/game_of_life.h"

namespace loom::cpu {

/// One generation on the CPU: the same blocks and threads as on the GPU are walked, so a map that launches
/// threads for nothing pays for them here too; where a block is worked on by rows (row_tile.h) they decide
/// on their cells. `now` and `next` are a generation each in the method's layout
/// and storage. A block is a unit of `call`; where that is cancelled `next` is not
/// whole. Allocates nothing.
void step_life(const MapMethod& method, const BlockedFractal& fractal, const MapTables& tables,
               std::uint8_t* now, std::uint8_t* next, LifeRule rule, const WatchedCall& call);

}  // namespace loom::cpu
