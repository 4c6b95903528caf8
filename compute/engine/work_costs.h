#pragma once

#include <cstdint>

#include "compute/engine/fractal_engine.h"
#include "compute/engine/thread_count.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/dispatch.h"
#include "compute/map/tiling.h"

namespace loom {

/// The report for repeating a workload on this number of cells `times` times, except for the values that only
/// a run gives: time, allocated bytes and sum.
StepReport work_costs(std::uint64_t cells, Workload workload, std::uint32_t times);

/// The GPU launch for one generation of a valid configuration, by formulas.
GpuLaunch planned_launch(const FractalConfig& config);

/// Throws InputError if [first, first + count) is not within this number of cells.
void check_cell_range(std::uint64_t cells, std::uint64_t first, std::uint64_t count);

}  // namespace loom
