#include "app/life/panes/timeline_pane.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/life/panes/pane_window.h"
#include "app/sketch/timeline_sketch.h"
#include "app/widgets/choice.h"
#include "app/widgets/item_area.h"

namespace loom::app {

void TimelinePane::take(const FractalConfig& config, const std::optional<Timeline>& timeline,
                        const std::string& problem) {
  wanted_ = false;
  problem_ = problem;
  recording_.reset();
  width_ = 0;
  if (timeline) recording_.emplace(Recording{config, *timeline});
}

void TimelinePane::show(const char* id, const Area& area, const FractalConfig& config) {
  button_ = {};
  if (area.empty()) return;
  begin_pane_window(id, area);
  if (ImGui::Button("Record again")) wanted_ = true;
  button_ = item_area();
  tooltip("One generation by an instrumented copy of the kernel; the cells stay as they are");
  if (wanted_) {
    ImGui::SameLine();
    ImGui::TextUnformatted("recording");
  } else if (recording_ && recording_->config != config) {
    ImGui::SameLine();
    warning("of another method than the present one");
  }
  if (!problem_.empty()) warning(problem_);
  if (recording_) {
    const float font = ImGui::GetFontSize();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float width = std::max(20.0f, std::floor(room.x / font) - 6);
    const float height = std::max(6.0f, std::floor(room.y / font) - 16);
    if (width != width_ || height != height_) {
      sketch_ = sketch::timeline_sketch(recording_->timeline,
                                        {.width = width, .height = height, .least = 1 / font});
      width_ = width;
      height_ = height;
    }
    show_sketch(sketch_);
  }
  ImGui::End();
}

}  // namespace loom::app
