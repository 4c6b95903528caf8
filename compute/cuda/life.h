#pragma once

#include <cstdint>

#include "compute/cuda/stream.h"
#include "compute/fractal/blocked_fractal.h"
#include "compute/map/map_kind.h"
#include "compute/workload/game_of_life.h"

namespace loom::cuda {

/// Enqueues one generation. `now` and `next` are device memory, a generation each in the map's storage;
/// `halo` only matters to the compact map. Allocates nothing.
void step_life(MapKind map, bool halo, const BlockedFractal& fractal, const std::uint8_t* now,
               std::uint8_t* next, LifeRule rule, const Stream& stream);

}  // namespace loom::cuda
