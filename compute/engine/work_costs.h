#pragma once

#include <cstdint>

#include "compute/engine/fractal_engine.h"
#include "compute/engine/step_report.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/map/dispatch.h"

namespace loom {

/// What doing a workload `times` times launches and moves by a configuration's method, from the launch shape:
/// every field but the time, the bytes held and the sum.
StepReport work_costs(const FractalConfig& config, const BlockedFractal& fractal, Workload workload,
                      std::uint32_t times);

/// Throws InputError where [first, first + count) is not within the fractal's cells.
void check_cell_range(const BlockedFractal& fractal, std::uint64_t first, std::uint64_t count);

}  // namespace loom
