#pragma once

#include <vector>

#include "app/workspaces/life/scene/map_times.h"
#include "compute/backend/engine_factory.h"
#include "compute/engine/progress_monitor.h"

namespace loom::app {

/// The conditions of a measurement.
struct StepConditions {
  BackendSelection backend;
  RandomStart start = {};
  Work work = {};
  std::uint32_t generations = 1;  ///< per call
};

/// Measures the configurations one after the other with bench::Sampler: milliseconds per generation, write or
/// sum, as the median of runs over at most about a quarter of a second, after a warm-up. Each has its own
/// engine, which starts with the random start. Throws OperationCancelled if `watch` is cancelled, and what
/// make_fractal_engine() throws.
std::vector<MapTime> measure_steps(const std::vector<FractalConfig>& configs,
                                   const StepConditions& conditions, ProgressMonitor& watch);

}  // namespace loom::app
