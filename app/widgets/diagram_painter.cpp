#include "app/widgets/diagram_painter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <span>
#include <variant>
#include <vector>

#include "app/gui/fonts.h"
#include "app/gui/theme.h"
#include "app/plot/paper.h"

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
    if (text.align != diagram::Align::kLeft) {
      const float width =
          font->CalcTextSizeA(size, 1e9f, 0, text.text.data(), text.text.data() + text.text.size()).x / em;
      place.x -= text.align == diagram::Align::kRight ? width : width / 2;
    }
    list.AddText(font, size, point(place), colour_of_role(text.paint), text.text.data(),
                 text.text.data() + text.text.size());
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
  const auto rgba = [](const glm::vec4& colour) { return ImGui::ColorConvertFloat4ToU32(colour); };
  switch (*role) {
    case diagram::ColourRole::kText:
      return rgba(theme::colours().text);
    case diagram::ColourRole::kMuted:
      return rgba(theme::colours().muted);
    case diagram::ColourRole::kAccent:
      return rgba(theme::colours().accent);
    case diagram::ColourRole::kWarning:
      return rgba(theme::colours().warning);
    case diagram::ColourRole::kLine:
      return rgba(theme::colours().hover);
    case diagram::ColourRole::kGrid:
      return theme::colours().grid;
    case diagram::ColourRole::kMinorGrid:
      return theme::colours().minor_grid;
    case diagram::ColourRole::kRaised:
      return rgba(theme::colours().raised);
    case diagram::ColourRole::kMark:
      return theme::colours().mark;
    case diagram::ColourRole::kSelection:
      return rgba(theme::colours().selection);
  }
  return 0;
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
    return font_of(face, size)->CalcTextSizeA(size, 1e9f, 0, text.data(), text.data() + text.size()).x / size;
  };
}

}  // namespace loom::app
