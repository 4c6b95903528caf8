#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/explain/diagram/diagram.h"
#include "app/explain/map_metrics.h"
#include "app/tasks/task.h"
#include "app/workspaces/life/panes/content_pane.h"

namespace loom::app {

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
