#include "app/life/panes/device_lanes.h"

#include <imgui.h>

#include <cmath>

#include "app/widgets/pane_window.h"

namespace loom::app {

void DeviceLanes::look_at(const DeviceTimes& times, sketch::DeviceLook look) {
  look.width = std::floor(ImGui::GetContentRegionAvail().x / ImGui::GetFontSize());
  const bool same = drawing_ && milliseconds_ == times.milliseconds &&
                    plain_milliseconds_ == times.plain_milliseconds && width_ == look.width;
  if (same) return;
  milliseconds_ = times.milliseconds;
  plain_milliseconds_ = times.plain_milliseconds;
  width_ = look.width;
  drawing_ = sketch::device_sketch(times, look);
  measured_ = sketch::measured_in_words(times);
  shares_.clear();
  for (std::size_t i = 0; i < times.devices.size(); ++i) shares_.push_back(share_of(times, i));
}

void DeviceLanes::show() const {
  if (drawing_) show_sketch(*drawing_);
}

}  // namespace loom::app
