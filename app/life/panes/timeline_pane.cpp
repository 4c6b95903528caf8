#include "app/life/panes/timeline_pane.h"

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
    workers_ = teach::BlockWorkers::of(subject.config, *timeline);
  }
  view_.take(std::move(timeline), problem);
}

bool TimelinePane::is_of(const Subject& now) const {
  return config_ && *config_ == now.config && backend_name_ == now.backend_name;
}

std::shared_ptr<const teach::BlockWorkers> TimelinePane::workers(const Subject& now) const {
  return is_of(now) ? workers_ : nullptr;
}

void TimelinePane::show(const char* id, const Area& area, const Subject& now) {
  if (area.empty()) return;
  begin_pane_window(id, area);
  if (view_.header("One generation by an instrumented copy of the kernel; the cells stay as they are",
                   wanted_)) {
    wanted_ = true;
  }
  if (view_.recorded() && !is_of(now)) warning("of another method than the present one");
  if (!view_.problem().empty()) warning(view_.problem());
  view_.show();
  ImGui::End();
}

}  // namespace loom::app
