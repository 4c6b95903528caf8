#include "app/life/panes/timeline_pane.h"

#include <imgui.h>

#include <utility>

#include "app/widgets/choice.h"
#include "app/widgets/pane_window.h"

namespace loom::app {

void TimelinePane::take(const Subject& subject, std::shared_ptr<const Timeline> timeline,
                        const std::string& problem) {
  wanted_ = false;
  subject_.reset();
  if (timeline) subject_ = subject;
  view_.take(std::move(timeline), problem);
}

std::shared_ptr<const Timeline> TimelinePane::of(const Subject& now) const {
  return subject_ == now ? view_.timeline() : nullptr;
}

void TimelinePane::show(const char* id, const Area& area, const Subject& now) {
  if (area.empty()) return;
  begin_pane_window(id, area);
  const std::string stale = subject_ == now ? "" : "of another method than the present one";
  if (view_.header("One generation by an instrumented copy of the kernel; the cells stay as they are",
                   wanted_)) {
    wanted_ = true;
  }
  if (!stale.empty() && recorded()) warning(stale);
  if (!problem().empty()) warning(problem());
  view_.show();
  ImGui::End();
}

}  // namespace loom::app
