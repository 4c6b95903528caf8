#pragma once

#include <cstdint>

#include "compute/cuda/stream.h"
#include "compute/fractal/blocked_fractal.h"
#include "compute/map/dispatch.h"
#include "compute/workload/game_of_life.h"

namespace loom::cuda {

/// Enqueues one generation. `now` and `next` are a generation each in the map's storage, and they and the
/// tables are device memory; `halo` only matters to the compact map. Allocates nothing.
void step_life(const MapMethod& method, bool halo, const BlockedFractal& fractal, const MapTables& tables,
               const std::uint8_t* now, std::uint8_t* next, LifeRule rule, const Stream& stream);

}  // namespace loom::cuda
