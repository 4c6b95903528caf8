#pragma once

#include <vector>

#include "app/workspaces/life/scene/map_times.h"
#include "compute/backend/engine_factory.h"
#include "compute/engine/progress_monitor.h"

namespace loom::app {

/// What methods are measured with.
struct StepConditions {
  BackendSelection backend;
  RandomStart start = {};
  Work work = {};
  std::uint32_t generations = 1;  ///< of one call
};

/// Milliseconds of one generation, write or sum under each configuration, one after the other, each the
/// median of runs over at most about a quarter of a second on an engine of its own, which starts at the
/// random start. Ends early where `watch` is cancelled: throws OperationCancelled. Throws as
/// make_fractal_engine() does.
std::vector<MapTime> measure_steps(const std::vector<FractalConfig>& configs,
                                   const StepConditions& conditions, ProgressMonitor& watch);

}  // namespace loom::app
