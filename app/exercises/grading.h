#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "app/exercises/exercise.h"
#include "compute/map_code/run.h"

namespace loom::app {

/// One requirement and how a map meets it.
struct RequirementResult {
  std::string name;      ///< the key in the exercise's file: "thread_utilization"
  std::string required;  ///< "at least 0.9"
  std::string found;     ///< the worst of all cases: "0.42 (vicsek, level 3)"
  bool holds = false;
};

/// The grade of one map.
struct Grade {
  bool passed = false;  ///< every requirement holds
  std::vector<RequirementResult> requirements;
  std::string problem;  ///< why it did not run, or the first thread that is wrong; empty if it passed
  /// Of the first case, if it ran.
  std::optional<MapCoverage> coverage;
  std::optional<double> single_write_milliseconds;
};

/// What is wrong with the coverage of a map that ran, in one line: "81 of 324 cells are missed; the first is
/// (3, 5)". Empty if it is exact.
std::string coverage_problem(const MapResult& result);

/// Runs maps on all cases of an exercise, on a device of MapBackend. Every run has `time_limit`. Thread
/// blocks run in random order, each warp with variables of its own; the interpreter counts what they do.
class Grader {
 public:
  /// Runs the solution once if the requirements need it. Throws InputError if it does not run, MachineError.
  explicit Grader(Exercise exercise, Device device = {},
                  std::chrono::milliseconds time_limit = std::chrono::milliseconds(1000));
  /// Any text. Several threads may grade at once. `monitor` may cancel it (OperationCancelled) and be null.
  /// Throws MachineError.
  Grade grade(const std::string& code, const ProgressMonitor* monitor = nullptr) const;
  const Exercise& exercise() const { return exercise_; }

 private:
  MapResult run(const std::string& code, const ExerciseCase& on, const ProgressMonitor* monitor,
                MapStorage measure = MapStorage::kNone) const;
  Exercise exercise_;
  Device device_;
  std::chrono::milliseconds time_limit_;
  std::vector<std::vector<std::uint8_t>> solution_hits_;  ///< by case; empty if not needed
};

}  // namespace loom::app
