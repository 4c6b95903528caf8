#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/life/scene/map_times.h"
#include "app/life/scene/step_measurement.h"
#include "app/shell/message.h"
#include "app/shell/worker.h"
#include "app/shell/workspace.h"

namespace loom::app {

/// The maps' times: as seen in the window's frames, and measured together on a thread beside them.
class MapMeasurement {
 public:
  /// As last seen in a frame.
  void record(const TimingConditions& conditions, const MapTime& time) { times_.record(conditions, time); }
  /// Measures what methods_to_compare() gives; nothing where that goes on already.
  void start(const TimingConditions& conditions, const FractalConfig& config, const StepConditions& with);
  bool busy() const { return worker_.busy(); }
  void cancel();
  /// Waits until it ended; its times are taken by the next take().
  void wait();
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
  std::vector<MapTime> measured_;
  Worker worker_;  ///< last: ends before what it works on goes
};

}  // namespace loom::app
