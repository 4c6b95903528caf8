#pragma once

#include <cstdint>

#include "compute/engine/step_report.h"
#include "compute/fractal/blocked_fractal.h"
#include "compute/map/map_kind.h"

namespace loom {

/// What `generations` generations of life launch and move under a map, from the launch shape: every field but
/// the time and the bytes held. Tests count the same by walking the threads.
StepReport step_costs(MapKind map, const BlockedFractal& fractal, std::uint32_t generations);

/// Throws InputError where [first, first + count) is not within the fractal's cells.
void check_cell_range(const BlockedFractal& fractal, std::uint64_t first, std::uint64_t count);

}  // namespace loom
