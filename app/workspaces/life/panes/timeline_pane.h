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
  /// Identifies a recorded or running method.
  struct Subject {
    const FractalConfig& config;
    const std::string& backend_name;
  };
  /// True if the scene's next request should record a timeline.
  bool has_request() const { return wanted_; }
  /// Takes a recording of the scene's method, or the reason why there is none.
  void take(const Subject& subject, std::shared_ptr<const Timeline> timeline, const std::string& problem);
  /// Draws the pane as a window at `area`, with a note if the recording does not belong to `now`.
  void show(const char* id, const Area& area, const Subject& now);
  /// Draws the recorded activity of several devices instead. Returns true if the user requests another
  /// recording.
  bool show_devices(const char* id, const Area& area, const DeviceRecord* record);
  const TimelineView& view() const { return view_; }
  /// The recorded configuration; nothing before a recording.
  const std::optional<FractalConfig>& config() const { return config_; }
  /// True if the recording belongs to `now`.
  bool is_of(const Subject& now) const;
  /// The recorded assignment of thread blocks to workers; null if it does not belong to `now`.
  std::shared_ptr<const explain::ThreadBlockWorkers> workers(const Subject& now) const;

 private:
  bool wanted_ = true;                   ///< initially true: opening the pane records
  std::optional<FractalConfig> config_;  ///< what was recorded, with the next two members
  std::string backend_name_;
  std::shared_ptr<const explain::ThreadBlockWorkers> workers_;
  TimelineView view_;
  DeviceTimelineView device_lanes_;
};

}  // namespace loom::app
