#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/exercises/grading.h"
#include "compute/backend/map_backend.h"
#include "compute/engine/fractal_config.h"
#include "compute/engine/progress_monitor.h"
#include "compute/map_code/run.h"

namespace loom::app {

/// Times of single writes that are comparable with MapResult::single_write_milliseconds on the same backend.
struct CustomMapComparison {
  std::array<std::optional<double>, 3> ms;  ///< by MapKind; nothing where a map did not end in time
  std::string conditions;                   ///< what was measured, as one sentence
};

/// Measures single writes through the three maps with the fractal, level and tile size of `config`: as maps
/// in the map language, which are compiled, launched and measured as a custom map is, in the process that
/// runs them (`program`). Throws as run_map().
CustomMapComparison measure_built_in_maps(const FractalConfig& config, const MapBackend& backend,
                                          ProgressMonitor& watch);

/// What is done with the code of a custom map.
struct MapAttemptRequest {
  std::string code;
  std::uint64_t version = 0;  ///< of the text
  FractalConfig config;       ///< fractal and tile size of the scene, and the level of the run; in a
                              ///< result: the level that it is of
  /// False: feedback while typing, on the CPU and in little time: on a lower level where this one takes too
  /// long. True: the user pressed Run.
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
