#include "app/workspaces/life/panes/timeline_pane.h"

#include <imgui.h>

#include <nlohmann/json.hpp>

#include "app/widgets/choice.h"
#include "app/widgets/pane_window.h"

namespace loom::app {

void TimelinePane::take_timeline(const RecordedMethod& method, const LifeFrameResult& result) {
  requested_ = false;
  config_.reset();
  workers_.reset();
  if (result.timeline) {
    config_ = method.config;
    backend_name_ = method.backend_name;
    workers_ = explain::ThreadBlockWorkers::of(method.config, *result.timeline);
  }
  view_.take(result.timeline, result.timeline_problem);
}

bool TimelinePane::is_of(const RecordedMethod& now) const {
  return config_ && *config_ == now.config && backend_name_ == now.backend_name;
}

void TimelinePane::show(const char* id, const PaneSubject& subject, PaneResponse& response) {
  if (area_.empty()) return;
  begin_pane_window(id, area_);
  if (subject.several_devices) {
    if (show_devices(subject.devices)) response.record_devices = true;
    return ImGui::End();
  }
  if (view_.header("Captures one generation with an instrumented copy of the kernel. The cells do not change",
                   requested_)) {
    requested_ = true;
  }
  if (view_.recorded() && !is_of(subject.method)) warning("Captured with another method");
  if (!view_.problem().empty()) warning(view_.problem());
  view_.show();
  ImGui::End();
}

// Returns true if the user requests another recording.
bool TimelinePane::show_devices(const DeviceRecord* record) {
  if (record == nullptr) {
    note("Device activity is captured after the first frame.");
    return false;
  }
  const bool again = ImGui::SmallButton("Capture again");
  tooltip("Captures one more generation. The cells do not change");
  if (!record->problem.empty()) {
    warning(record->problem);
  } else {
    device_lanes_.look_at(record->times, {.lane = 1.4f});
    device_lanes_.show();
  }
  return again;
}

std::string TimelinePane::figure_problem() const {
  return view_.recorded() ? "" : "Nothing was captured yet";
}

bool TimelinePane::add_to_figure(FigureJob& job) const {
  job.timeline = view_.timeline();
  job.config = *config_;
  return false;
}

void TimelinePane::add_state(nlohmann::ordered_json& json, const ThreadExplanation&) const {
  json["recorded"] = view_.recorded();
  json["problem"] = view_.problem();
  json["remark"] = view_.remark();
  json["record"] = numbers_of(view_.button());
  json["lanes"] = numbers_of(view_.lanes());
}

}  // namespace loom::app
