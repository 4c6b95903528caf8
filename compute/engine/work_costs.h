#pragma once

#include <cstdint>

#include "compute/engine/fractal_engine.h"
#include "compute/engine/step_report.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/map/dispatch.h"
#include "compute/map/tiling.h"

namespace loom {

/// The report of doing a workload `times` times, but for what running it tells: time, bytes held and sum.
StepReport work_costs(const BlockedFractal& fractal, Workload workload, std::uint32_t times);

/// What a GPU would launch for one generation of a valid configuration: from formulas, nothing is counted.
GpuLaunch planned_launch(const FractalConfig& config);

/// Throws InputError where [first, first + count) is not within the fractal's cells.
void check_cell_range(const BlockedFractal& fractal, std::uint64_t first, std::uint64_t count);

}  // namespace loom
