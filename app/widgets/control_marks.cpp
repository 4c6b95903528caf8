#include "app/widgets/control_marks.h"

#include <algorithm>

#include "app/gui/theme.h"
#include "app/widgets/text.h"

namespace loom::app {
namespace {

ControlMarks* marks_of_context() {
  return static_cast<ControlMarks*>(ImGui::GetIO().UserData);
}

// Excludes the scroll bar.
Area content_of_window() {
  const glm::vec2 at = ImGui::GetWindowPos();
  const glm::vec2 low = ImGui::GetWindowContentRegionMin();
  const glm::vec2 high = ImGui::GetWindowContentRegionMax();
  const glm::vec2 size = ImGui::GetWindowSize();
  const float bar = ImGui::GetScrollMaxY() > 0 ? ImGui::GetStyle().ScrollbarSize : 0;
  const float left = std::max(at.x + low.x + ImGui::GetScrollX(), at.x);
  return {{left, at.y}, {std::min(high.x - low.x, size.x - bar), size.y}};
}

}  // namespace

void ControlMarks::use_in_context(ControlMarks* marks) {
  ImGui::GetIO().UserData = marks;
}

void ControlMarks::begin_frame() {
  expands_sections_ = highlighted_ && frames_left_ > 0 && !drawn(*highlighted_);
  if (highlighted_ && drawn(*highlighted_) && frames_left_ > 0) --frames_left_;
  marks_ = {};
}

void ControlMarks::set_highlight(std::optional<Control> control) {
  highlighted_ = control;
  frames_left_ = control ? kFramesOfSearch : 0;
}

void ControlMarks::add(Control control, const Area& area) {
  Mark& place = marks_[index_of(control)];
  place.drawn = true;
  const Area visible = intersect(area, content_of_window());
  place.visible_area = visible.empty() ? std::nullopt : std::optional(visible);
  if (frames_left_ == 0 || control != highlighted_) return;
  const float top = ImGui::GetWindowPos().y;
  const float bottom = top + ImGui::GetWindowSize().y;
  if (area.corner.y >= top && area.end().y <= bottom) return;
  const float above = ImGui::GetStyle().ItemSpacing.y * 2;
  ImGui::SetScrollY(
      std::clamp(area.corner.y - top + ImGui::GetScrollY() - above, 0.0f, ImGui::GetScrollMaxY()));
}

ScopedControlMark::ScopedControlMark(Control control)
    : control_(control), start_(ImGui::GetCursorScreenPos()) {}

ScopedControlMark::~ScopedControlMark() {
  ControlMarks* const marks = marks_of_context();
  if (marks == nullptr) return;
  const Area content = content_of_window();
  const float end = ImGui::GetCursorScreenPos().y - ImGui::GetStyle().ItemSpacing.y;
  marks->add(control_, {{content.corner.x, start_.y}, {content.size.x, end - start_.y}});
}

void mark_item(Control control) {
  if (ControlMarks* const marks = marks_of_context()) marks->add(control, item_area());
}

void mark_window(Control control) {
  ControlMarks* const marks = marks_of_context();
  if (marks == nullptr) return;
  marks->add(control, {ImGui::GetWindowPos(), ImGui::GetWindowSize()});
}

void draw_ring(ImDrawList& list, const Area& area) {
  const float font = ImGui::GetFontSize();
  const float out = font * 0.2f;
  const glm::vec2 low = area.corner - out;
  const glm::vec2 high = area.end() + out;
  // Bright on dark, so that it is visible on any background.
  list.AddRect(low, high, theme::colours().ring_edge, font * 0.4f, 0, font * 0.34f);
  list.AddRect(low, high, theme::colours().ring, font * 0.4f, 0, font * 0.16f);
}

bool should_unfold(Control control) {
  return should_expand_sections() && marks_of_context()->highlighted() == control;
}

bool is_hidden(Control control) {
  const ControlMarks* const marks = marks_of_context();
  return marks != nullptr && marks->hidden() == control;
}

bool should_expand_sections() {
  const ControlMarks* const marks = marks_of_context();
  return marks != nullptr && marks->expands_sections();
}

}  // namespace loom::app
