#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/shell/message.h"
#include "app/shell/workspace.h"
#include "app/tasks/task.h"
#include "app/workspaces/life/scene/map_times.h"
#include "app/workspaces/life/scene/step_measurement.h"

namespace loom::app {

/// Times of the maps: live timing in the frames, and benchmarks back to back on a background thread.
class MapMeasurement {
 public:
  /// As last seen in a frame.
  void record(const TimingConditions& conditions, const MapTime& time) { times_.record(conditions, time); }
  /// Benchmarks the methods of methods_to_compare(). Does nothing while a benchmark runs.
  void start(const TimingConditions& conditions, const FractalConfig& config, const StepConditions& with);
  bool busy() const { return task_.running(); }
  void cancel() { task_.cancel(); }
  /// Takes what has ended, which is waited for if `waits`. Returns the times in a message, or where it did
  /// not end well why; the times before it stay then. Throws DeviceFault.
  Message take(bool waits);

  MapComparison compare(const TimingConditions& conditions, const FractalConfig& config) const {
    return times_.compare(conditions, config);
  }
  Progress progress() const;

 private:
  MapTimes times_;
  std::optional<TimingConditions> conditions_;
  Task<std::vector<MapTime>> task_;
};

}  // namespace loom::app
