#include "app/widgets/diagram_painter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "app/explain/timeline_lanes.h"
#include "app/gui/theme.h"
#include "app/plot/diagram_file.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"
#include "compute/core/input_text.h"

namespace loom::app {
namespace {

/// Draws a line of dashes and gaps, whose lengths are in ImGui's units times `scale`.
void dashed_line(ImDrawList& list, std::span<const ImVec2> points, ImU32 colour, std::span<const float> dash,
                 float scale, float thickness) {
  std::size_t part = 0;
  float left = dash[0] * scale;  // remaining length of the part
  for (std::size_t i = 1; i < points.size(); ++i) {
    const glm::vec2 from = points[i - 1];
    const glm::vec2 way = glm::vec2(points[i]) - from;
    const float length = std::hypot(way.x, way.y);
    const auto at = [&](float distance) { return from + way * (length > 0 ? distance / length : 0); };
    for (float done = 0; done < length;) {
      const float run = std::min(left, length - done);
      if (part % 2 == 0) list.AddLine(at(done), at(done + run), colour, thickness);
      done += run;
      left -= run;
      if (left > 0) continue;
      part = (part + 1) % dash.size();
      left = dash[part] * scale;
    }
  }
}

struct Painter {
  ImDrawList& list;
  glm::vec2 at{0};
  float em;

  glm::vec2 point(glm::vec2 place) const { return at + place * em; }

  void operator()(const diagram::Fill& fill) const {
    list.AddRectFilled(point(fill.box.corner), point(fill.box.end()), colour_of_role(fill.paint));
  }
  void operator()(const diagram::Frame& frame) const {
    list.AddRect(point(frame.box.corner), point(frame.box.end()), colour_of_role(frame.paint), 0, 0,
                 std::max(1.0f, frame.thickness * em));
  }
  /// Calls `draw` with the points in the window. Short lists need no memory of their own.
  template <typename Draw>
  void with_points(const std::vector<glm::vec2>& points, bool sharp, const Draw& draw) const {
    std::array<ImVec2, 16> few;
    std::vector<ImVec2> many;
    if (points.size() > few.size()) many.resize(points.size());
    const std::span<ImVec2> places(many.empty() ? few.data() : many.data(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      const glm::vec2 place = point(points[i]);
      places[i] = sharp ? glm::floor(place) + 0.5f : place;
    }
    draw(std::span<const ImVec2>(places));
  }
  void operator()(const diagram::Polyline& line) const {
    const auto& points = line.points;
    // Lines along the axes are aligned to pixels, so that they are sharp.
    const bool along_axis = points.size() == 2 && (points[0].x == points[1].x || points[0].y == points[1].y);
    const ImU32 colour = colour_of_role(line.paint);
    const float thickness = std::max(1.0f, line.thickness * em);
    with_points(points, along_axis, [&](std::span<const ImVec2> places) {
      if (line.dash.empty()) {
        list.AddPolyline(places.data(), static_cast<int>(places.size()), colour, ImDrawFlags_None, thickness);
      } else {
        dashed_line(list, places, colour, line.dash, em, thickness);
      }
    });
  }
  void operator()(const diagram::Polygon& polygon) const {
    with_points(polygon.points, false, [&](std::span<const ImVec2> places) {
      list.AddConvexPolyFilled(places.data(), static_cast<int>(places.size()), colour_of_role(polygon.paint));
    });
  }
  void operator()(const diagram::Text& text) const {
    const float size = text.size * em;
    ImFont* const font = font_of(text.face, size);
    glm::vec2 place = text.at;
    const Text shown = with_subscripts(text.text);
    if (text.align != diagram::Align::kLeft) {
      const float width = font->CalcTextSizeA(size, 1e9f, 0, shown.c_str()).x / em;
      place.x -= text.align == diagram::Align::kRight ? width : width / 2;
    }
    list.AddText(font, size, point(place), colour_of_role(text.paint), shown.c_str());
  }
};

}  // namespace

ImU32 colour_of_role(const diagram::Paint& paint) {
  const auto* const role = std::get_if<diagram::ColourRole>(&paint);
  // Colours that are no roles are those of paper in the light theme.
  if (role == nullptr && theme::in_force() == Theme::kLight) return theme::packed(plot::paper_colour(paint));
  if (const auto* const data = std::get_if<glm::u8vec3>(&paint)) return theme::packed(*data);
  if (const auto* const tint = std::get_if<diagram::Tint>(&paint))
    return theme::packed(glm::u8vec3(30 + glm::ivec3(tint->of) * 2 / 5));
  if (const auto* const pair = std::get_if<diagram::ColourPair>(&paint)) return colour_of_role(pair->on_dark);
  const theme::Colours& colours = theme::colours();
  const auto rgba = [](const glm::vec4& colour) -> ImU32 { return ImGui::ColorConvertFloat4ToU32(colour); };
  return value_for<diagram::ColourRole::kSelection>(
      {rgba(colours.text), rgba(colours.muted), rgba(colours.accent), rgba(colours.warning),
       rgba(colours.hover), colours.grid, colours.minor_grid, rgba(colours.raised), colours.mark,
       rgba(colours.selection)},
      *role);
}

const diagram::Hotspot* paint_diagram(ImDrawList& list, const diagram::Diagram& diagram, glm::vec2 at,
                                      float font_size, bool over) {
  const Painter painter{list, at, font_size};
  for (const diagram::Diagram::Shape& shape : diagram.shapes()) std::visit(painter, shape);
  if (!over) return nullptr;
  const glm::vec2 mouse = ImGui::GetIO().MousePos;
  return diagram.hotspot_at((mouse - at) / font_size);
}

diagram::TextWidth window_text_width() {
  return [](std::string_view text, FontFace face) {
    const float size = ImGui::GetFontSize();
    return font_of(face, size)->CalcTextSizeA(size, 1e9f, 0, with_subscripts(text).c_str()).x / size;
  };
}

void LandscapePlot::set(plot::LandscapeFigure landscape) {
  landscape_ = std::move(landscape);
  drawing_.reset();
}

std::optional<CostCut> LandscapePlot::show(glm::vec2 size, const Describe& describe) {
  const float font = ImGui::GetFontSize();
  if (!drawing_ || size != size_ || font != font_) {
    size_ = size;
    font_ = font;
    drawing_ = plot::landscape_diagram(landscape_, window_text_width(), size / font);
  }
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const diagram::Hotspot* const hovered = draw_at_cursor(*drawing_, font);
  if (hovered == nullptr) return std::nullopt;
  const Area cell = area_of(hovered->box, at, font);
  ImGui::GetWindowDrawList()->AddRect(cell.corner, cell.end(), ImGui::GetColorU32(theme::colours().accent), 0,
                                      0, 2);
  const CostCut cut = plot::cut_of(landscape_, hovered->tag);
  tooltip_of(cell, describe(cut, plot::value_at(landscape_, cut)));
  return ImGui::IsMouseClicked(ImGuiMouseButton_Left) ? std::optional(cut) : std::nullopt;
}

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
