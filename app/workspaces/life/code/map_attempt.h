#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/exercises/grading.h"
#include "app/workspaces/life/scene/custom_map_times.h"
#include "compute/backend/map_backend.h"
#include "compute/map_code/run.h"

namespace loom::app {

/// What is done with the code of a custom map.
struct MapAttemptRequest {
  std::string code;
  std::uint64_t version = 0;  ///< of the text
  FractalConfig config;       ///< fractal and tile size of the scene, and the level of the run
  /// False: feedback while typing, on the CPU and in little time. True: the user pressed Run.
  bool runs = false;
  MapBackend backend;  ///< if it runs
  std::optional<Exercise> exercise;
};

/// What came of it.
struct MapAttempt {
  MapAttemptRequest request;
  MapResult map;
  std::optional<CustomMapComparison> comparison;  ///< if it runs and the coverage is exact
  std::optional<Grade> grade;                     ///< if it runs and has an exercise
};

/// The level whose coverage is computed while the user types: that of the scene, or the highest below it that
/// takes little time. Empty for fractals on which maps in code do not run.
std::optional<int> feedback_level(const FractalConfig& config);
/// Why a map cannot run on this fractal and level; empty if it can.
std::string run_problem(const FractalConfig& config, const MapBackend& backend);

/// Compiles, runs, grades and measures in the calling thread. Throws OperationCancelled, MachineError.
MapAttempt attempt_map(MapAttemptRequest request, ProgressMonitor& watch);

}  // namespace loom::app
