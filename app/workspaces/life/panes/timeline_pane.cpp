#include "app/workspaces/life/panes/timeline_pane.h"

#include <imgui.h>

#include <utility>

#include "app/widgets/choice.h"
#include "app/widgets/pane_window.h"

namespace loom::app {

void TimelinePane::take(const Subject& subject, std::shared_ptr<const Timeline> timeline,
                        const std::string& problem) {
  wanted_ = false;
  config_.reset();
  workers_.reset();
  if (timeline) {
    config_ = subject.config;
    backend_name_ = subject.backend_name;
    workers_ = explain::ThreadBlockWorkers::of(subject.config, *timeline);
  }
  view_.take(std::move(timeline), problem);
}

bool TimelinePane::is_of(const Subject& now) const {
  return config_ && *config_ == now.config && backend_name_ == now.backend_name;
}

std::shared_ptr<const explain::ThreadBlockWorkers> TimelinePane::workers(const Subject& now) const {
  return is_of(now) ? workers_ : nullptr;
}

void TimelinePane::show(const char* id, const Area& area, const Subject& now) {
  if (area.empty()) return;
  begin_pane_window(id, area);
  if (view_.header("Captures one generation with an instrumented copy of the kernel. The cells do not change",
                   wanted_)) {
    wanted_ = true;
  }
  if (view_.recorded() && !is_of(now)) warning("Captured with another method");
  if (!view_.problem().empty()) warning(view_.problem());
  view_.show();
  ImGui::End();
}

bool TimelinePane::show_devices(const char* id, const Area& area, const DeviceRecord* record) {
  if (area.empty()) return false;
  begin_pane_window(id, area);
  if (record == nullptr) {
    note("Device activity is captured after the first frame.");
    ImGui::End();
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
  ImGui::End();
  return again;
}

}  // namespace loom::app
