#include "app/workspaces/life/panes/device_timeline_view.h"

#include <imgui.h>

#include <cmath>

#include "app/widgets/pane_window.h"

namespace loom::app {

void DeviceTimelineView::look_at(const DeviceTimeline& times, diagram::DeviceDiagramStyle look) {
  look.width = std::floor(ImGui::GetContentRegionAvail().x / ImGui::GetFontSize());
  const bool same = drawing_ && milliseconds_ == times.milliseconds &&
                    plain_milliseconds_ == times.plain_milliseconds && width_ == look.width;
  if (same) return;
  milliseconds_ = times.milliseconds;
  plain_milliseconds_ = times.plain_milliseconds;
  width_ = look.width;
  drawing_ = diagram::device_diagram(times, look);
  measured_ = diagram::measurement_text(times);
  shares_.clear();
  for (std::size_t i = 0; i < times.devices.size(); ++i) shares_.push_back(time_breakdown(times, i));
}

void DeviceTimelineView::show() const {
  if (drawing_) show_diagram(*drawing_);
}

}  // namespace loom::app
