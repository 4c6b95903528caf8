#include "app/widgets/timeline_view.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/explain/grid_nesting.h"
#include "app/widgets/choice.h"
#include "app/widgets/diagram_painter.h"
#include "app/widgets/item_area.h"
#include "app/widgets/pane_window.h"
#include "app/widgets/tooltip.h"

namespace loom::app {
namespace {

// In font sizes.
constexpr float kMinColumns = 20;
constexpr float kLanesAtLeast = 6;
constexpr float kLanesOfSeveral = 9;
constexpr float kNestedAtLeast = 8;
constexpr float kLaneAtMost = 2.2f;
constexpr float kWords = 16;       ///< text below the lanes of one grid
constexpr float kLeftOfLanes = 6;  ///< labels left of the lanes, and a margin

}  // namespace

void TimelineView::take(std::shared_ptr<const Timeline> timeline, const std::string& problem) {
  timeline_ = std::move(timeline);
  problem_ = problem;
  cached_.reset();
  remark_ = timeline_ ? explain::single_span_remark(*timeline_) : std::string_view();
  nested_ = timeline_ && explain::nest_grids(*timeline_).grids.size() > 1;
}

bool TimelineView::header(const char* hint, bool recording) {
  using diagram::SpanColour;
  const bool pressed = choice_button(recorded() ? "Capture again" : "Capture", false, 0, {}, hint);
  button_ = item_area();
  ImGui::SameLine();
  if (recording) {
    ImGui::TextUnformatted("capturing");
  } else if (nested_) {
    if (choice_radio("By level", colour == SpanColour::kLevel, {},
                     "Colours the lanes by level of the subdivision")) {
      colour = SpanColour::kLevel;
    }
    ImGui::SameLine();
    if (choice_radio("By work", colour == SpanColour::kWork, {},
                     "Colours the lanes by kind of work: border, fill, leaf, split")) {
      colour = SpanColour::kWork;
    }
  } else {
    ImGui::NewLine();
  }
  return pressed;
}

TimelineView::HoveredItem TimelineView::show() {
  lanes_ = {};
  mouse_.reset();
  if (!timeline_) return {};
  const float font = ImGui::GetFontSize();
  if (!remark_.empty()) note(remark_);
  const glm::vec2 room = ImGui::GetContentRegionAvail();
  const float rows = std::floor(room.y / font);
  diagram::TimelineStyle look{.width = std::max(kMinColumns, std::floor(room.x / font) - kLeftOfLanes),
                              .height = std::max(kLanesAtLeast, rows - kWords),
                              .least = 1 / font,
                              .nested = 0,
                              .colour = nested_ ? colour : diagram::SpanColour::kWork};
  if (nested_) {
    const auto lanes = static_cast<float>(timeline_->workers.size());
    look.height = std::min(std::max(kLanesOfSeveral, std::floor(rows * 0.35f)), kLaneAtMost * lanes);
    look.nested = std::max(kNestedAtLeast, std::floor(rows * 0.5f));
  }
  if (!cached_ || cached_->look != look) {
    cached_.emplace(Cached{look, diagram::timeline_drawing(*timeline_, look)});
  }
  const diagram::TimelineDrawing& drawing = cached_->drawing;
  const float size = font_size_for(drawing.diagram);
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  lanes_ = area_of(drawing.lanes, at, size);
  const diagram::Hotspot* const hotspot = draw_at_cursor(drawing.diagram, size);
  if (!ImGui::IsWindowHovered()) return {};
  HoveredItem pointed;
  const glm::vec2 mouse = ImGui::GetIO().MousePos;
  mouse_ = mouse;
  pointed.span = drawing.span_at(*timeline_, (mouse - at) / size);
  if (pointed.span && nested_) pointed.level = timeline_->spans[*pointed.span].level;
  if (hotspot != nullptr && hotspot->tag >= 0) pointed.level = hotspot->tag;
  if (pointed.span) {
    // Spans are many and small: the tooltip does not cover the lane under the mouse.
    const Area line{{lanes_.corner.x, mouse.y - font / 2}, {lanes_.size.x, font}};
    tooltip_of(line, explain::span_text(*timeline_, *pointed.span));
  } else if (hotspot != nullptr && !hotspot->tip.empty()) {
    tooltip_of(area_of(hotspot->box, at, size), hotspot->tip);
  }
  return pointed;
}

}  // namespace loom::app
