#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/exercises/grading.h"
#include "app/workspaces/life/scene/custom_map_times.h"
#include "compute/backend/map_backend.h"
#include "compute/custom_map/map_process.h"

namespace loom::app {

/// What is done with the code of a custom map.
struct MapAttemptRequest {
  std::string code;
  std::uint64_t version = 0;  ///< of the text
  FractalConfig config;       ///< fractal, level and tile size of the scene
  /// False: feedback while typing, on the CPU and in little time. True: the user pressed Run.
  bool runs = false;
  MapBackend backend;  ///< if it runs
  std::optional<Exercise> exercise;
};

/// What a thread of a launch does.
enum class ThreadState : std::uint8_t { kActive, kNone, kHole, kOutside, kRepeated };

/// What came of it.
struct MapAttempt {
  MapAttemptRequest request;
  MapResult map;
  std::vector<ThreadState> threads;  ///< in the order of thread_of(); empty if their points are not known
  std::optional<CustomMapComparison> comparison;  ///< if it runs and the coverage is exact
  std::optional<Grade> grade;                     ///< if it runs and has an exercise
};

/// Levels of which the coverage is computed while the user types.
bool has_feedback(const FractalConfig& config);
/// Why a map cannot run on this fractal and level; empty if it can.
std::string run_problem(const FractalConfig& config, const MapBackend& backend);

/// Compiles, runs, grades and measures in the calling thread. Throws OperationCancelled, MachineError.
MapAttempt attempt_map(MapAttemptRequest request, ProgressMonitor& watch);

}  // namespace loom::app
