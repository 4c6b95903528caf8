#pragma once

#include <cstdint>

#include "compute/cuda/launch_slices.h"
#include "compute/cuda/stream.h"
#include "compute/cuda/timeline/recording.h"
#include "compute/engine/occupancy.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"
#include "compute/map/map_tables.h"
#include "compute/workload/game_of_life.h"

namespace loom::cuda {

/// Whether an instrumented copy of a method's kernel exists. It exists only for 32-bit coordinates, which
/// halves the code to compile; wider fractals have more than 2^32 points per row.
bool can_record(const TiledFractal& fractal);

/// Enqueues one generation as step_life() does, by the instrumented copy of its kernel, and returns the
/// copy's occupancy. `window` is set for the launch's thread blocks. Throws DeviceFault.
Occupancy record_life(const MapMethod& method, bool halo, const TiledFractal& fractal,
                      const MapTables& tables, const std::uint8_t* now, std::uint8_t* next, LifeRule rule,
                      const RecordingView& to, const SpanWindow& window, const LaunchSlices& slices,
                      const Stream& stream);

}  // namespace loom::cuda
