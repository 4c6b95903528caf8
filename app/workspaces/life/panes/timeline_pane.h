#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/explain/thread_block_workers.h"
#include "app/gui/layout.h"
#include "app/widgets/timeline_view.h"
#include "app/workspaces/life/panes/device_timeline_view.h"
#include "app/workspaces/life/scene/device_record.h"
#include "compute/engine/fractal_config.h"

namespace loom::app {

/// A pane with the timeline of one launch of the active pane's method: which thread block ran when, on which
/// multiprocessor. An instrumented copy of the kernel records it on request; frame times are not affected.
class TimelinePane {
 public:
  /// Identifies what was recorded or runs.
  struct Subject {
    const FractalConfig& config;
    const std::string& backend_name;
  };
  /// Whether the next job of the scene is to record; asked for once.
  bool has_request() const { return wanted_; }
  /// A recording of the scene's method, or why there is none.
  void take(const Subject& subject, std::shared_ptr<const Timeline> timeline, const std::string& problem);
  /// Draws the pane as a window at `area`. A recording of something else than `now` is marked as such.
  void show(const char* id, const Area& area, const Subject& now);
  /// Instead of it, what each of several devices did in a generation, if it was recorded. Returns whether it
  /// is to be recorded again.
  bool show_devices(const char* id, const Area& area, const DeviceRecord* record);
  const TimelineView& view() const { return view_; }
  /// Of the recording; nothing where there is none.
  const std::optional<FractalConfig>& config() const { return config_; }
  /// Whether it is of `now`.
  bool is_of(const Subject& now) const;
  /// What ran where in the recorded launch, where that is of `now`; else null.
  std::shared_ptr<const explain::ThreadBlockWorkers> workers(const Subject& now) const;

 private:
  bool wanted_ = true;                   ///< at once, when the pane is opened
  std::optional<FractalConfig> config_;  ///< that was recorded, as the next two
  std::string backend_name_;
  std::shared_ptr<const explain::ThreadBlockWorkers> workers_;
  TimelineView view_;
  DeviceTimelineView device_lanes_;
};

}  // namespace loom::app
