#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "app/explain/diagram/race_diagram.h"
#include "app/tasks/task.h"
#include "app/workspaces/life/scene/step_measurement.h"

namespace loom::app {

/// Called with all levels so far after each measurement, from the thread that measures.
using RaceProgress = std::function<void(const std::vector<diagram::RaceLevel>&)>;

/// Measures the maps at rising levels, from `config.level`, one after the other with measure_steps(), until
/// the bounding box does not fit into memory or takes more than `limit_ms` per generation. Throws
/// OperationCancelled, and what measure_steps() throws for other reasons than memory.
std::vector<diagram::RaceLevel> race_maps(const FractalConfig& config, const StepConditions& conditions,
                                          double limit_ms, ProgressMonitor& watch,
                                          const RaceProgress& report);

/// A race in the background.
class MapRace {
 public:
  static constexpr double kLimitMs = 250;  ///< per generation

  /// Starts at a low level of the fractal; none may be running.
  void start(const FractalConfig& config, const StepConditions& conditions);
  bool running() const { return task_.running(); }
  void cancel() { task_.cancel(); }
  /// Takes news. Returns true if levels() or problem() changed.
  bool poll();
  const std::vector<diagram::RaceLevel>& levels() const { return levels_; }
  /// Why the race ended early; empty if it did not.
  const std::string& problem() const { return problem_; }

 private:
  struct Shared {
    std::mutex mutex;
    std::vector<diagram::RaceLevel> levels;
    bool changed = false;
  };
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  std::vector<diagram::RaceLevel> levels_;
  std::string problem_;
  Task<std::vector<diagram::RaceLevel>> task_;
};

}  // namespace loom::app
