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
  /// Records a live timing of a frame.
  void record(const TimingConditions& conditions, const MapTime& time) { times_.record(conditions, time); }
  /// Benchmarks the methods of methods_to_compare(). Does nothing while a benchmark runs.
  void start(const TimingConditions& conditions, const FractalConfig& config, const StepConditions& with);
  bool busy() const { return task_.running(); }
  void cancel() { task_.cancel(); }
  /// Takes the result of a benchmark that has ended; waits for the end if `waits`. Returns a message with the
  /// times or with the reason for a failure, in which case earlier times are kept. Throws DeviceFault.
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
