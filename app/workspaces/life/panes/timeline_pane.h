#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/explain/thread_block_workers.h"
#include "app/widgets/timeline_view.h"
#include "app/workspaces/life/panes/content_pane.h"
#include "app/workspaces/life/panes/device_timeline_view.h"
#include "compute/engine/fractal_config.h"

namespace loom::app {

/// A pane with the timeline of one launch of the active pane's method: which thread block ran when, on which
/// multiprocessor. An instrumented copy of the kernel records it on request; frame times are not affected.
class TimelinePane final : public ContentPane {
 public:
  bool needs_tiles(const PaneSubject& subject) const override { return !subject.several_devices; }
  /// With a warning if the recording belongs to another method; for several devices, their recorded activity.
  void show(const char* id, const PaneSubject& subject, PaneResponse& response) override;
  bool requests_timeline() const override { return requested_; }
  void take_timeline(const RecordedMethod& method, const LifeFrameResult& result) override;
  std::shared_ptr<const explain::ThreadBlockWorkers> workers(const RecordedMethod& now) const override {
    return is_of(now) ? workers_ : nullptr;
  }
  std::string figure_problem() const override;
  bool add_to_figure(FigureJob& job) const override;
  void add_state(nlohmann::ordered_json& json, const ThreadExplanation& explanation) const override;

 private:
  bool is_of(const RecordedMethod& now) const;
  bool show_devices(const DeviceRecord* record);

  bool requested_ = true;                ///< initially true: opening the pane records
  std::optional<FractalConfig> config_;  ///< what was recorded, with the next two members
  std::string backend_name_;
  std::shared_ptr<const explain::ThreadBlockWorkers> workers_;
  TimelineView view_;
  DeviceTimelineView device_lanes_;
};

}  // namespace loom::app
