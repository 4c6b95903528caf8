#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/explain/diagram/diagram.h"
#include "app/explain/diagram/space_diagram.h"
#include "app/explain/map_metrics.h"
#include "app/explain/thread_space.h"
#include "app/tasks/task.h"
#include "app/widgets/diagram_painter.h"
#include "app/workspaces/life/panes/content_pane.h"
#include "app/workspaces/life/scene/map_times.h"
#include "compute/engine/fractal_config.h"

namespace loom::app {

/// A diagram of device activity in one generation. It is rebuilt only for another recording or another width.
class DeviceTimelineView {
 public:
  /// Sets the recording to show, at the width of the rest of the window.
  void look_at(const DeviceTimeline& times, diagram::DeviceDiagramStyle look);
  /// Draws the diagram at the ImGui cursor.
  void show() const;
  /// One per device.
  const std::vector<DeviceTimeBreakdown>& shares() const { return shares_; }
  /// diagram::measurement_text().
  const std::string& measured() const { return measured_; }

 private:
  double milliseconds_ = 0;  ///< identifies the recording: no two take equally long to the nanosecond
  double plain_milliseconds_ = 0;
  float width_ = 0;
  std::optional<diagram::Diagram> drawing_;
  std::vector<DeviceTimeBreakdown> shares_;
  std::string measured_;
};

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

/// A pane in which the three maps race: the level rises until the bounding box is out.
class RacePane final : public ContentPane {
 public:
  bool needs_tiles(const PaneSubject&) const override { return false; }
  /// Starts the race when it is shown for the first time.
  void show(const char* id, const PaneSubject& subject, PaneResponse& response) override;
  bool is_animating() const override { return race_.running(); }
  bool pauses_scene() const override { return race_.running(); }
  void cancel() override { race_.cancel(); }
  Progress progress() const override;
  std::string figure_problem() const override { return "Copy table copies the race"; }
  void add_state(nlohmann::ordered_json& json, const ThreadExplanation& explanation) const override;

 private:
  void start(const PaneSubject& subject);

  MapRace race_;
  bool started_ = false;
  std::string fractal_;  ///< of the race
  diagram::Diagram diagram_;
  float width_ = 0;    ///< for which it was drawn, in font sizes
  std::string table_;  ///< as CSV
};

/// A pane that compares the three maps metric by metric, with the source of their kernels. The metrics are
/// computed in the background.
class MapMetricsPane final : public ContentPane {
 public:
  void show(const char* id, const PaneSubject& subject, PaneResponse& response) override;
  bool is_animating() const override { return task_.running(); }
  std::string figure_problem() const override { return "Copy table copies these metrics"; }
  void add_state(nlohmann::ordered_json& json, const ThreadExplanation& explanation) const override;

 private:
  void follow(const PaneSubject& subject);
  void draw_again(const explain::MapStepTimes& times);
  void choose_source();

  Task<std::vector<explain::MapMetrics>> task_;
  std::optional<FractalConfig> config_;  ///< of the scene, when the task was started
  BackendSelection backend_;
  std::vector<explain::MapMetrics> metrics_;
  std::vector<explain::MetricRow> rows_;
  explain::MapStepTimes times_;  ///< that are shown
  double shown_at_ = 0;          ///< seconds, when the times were taken
  std::string problem_;
  diagram::Diagram diagram_;
  float width_ = 0;    ///< for which it was drawn, in font sizes
  std::string table_;  ///< as CSV
  MapKind source_of_ = MapKind::kLambda;
  std::string source_;
  diagram::Diagram source_diagram_;
};

}  // namespace loom::app
