#include "app/widgets/pane_window.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/gui/theme.h"
#include "app/widgets/diagram_painter.h"
#include "app/widgets/fixed_window.h"
#include "app/widgets/text.h"

namespace loom::app {

void begin_pane_window(const char* id, const Area& area, bool scrolls) {
  begin_fixed_window(id, area,
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                         (scrolls ? ImGuiWindowFlags_HorizontalScrollbar
                                  : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse));
}

float content_width_in_fonts(const Area& area) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float width = area.size.x - 2 * style.WindowPadding.x - style.ScrollbarSize;
  return std::floor(width / ImGui::GetFontSize() - 0.5f);  // font_size_for() leaves a half
}

float font_size_for(const diagram::Diagram& diagram, float smallest) {
  const float font = ImGui::GetFontSize();
  const float fitting = ImGui::GetContentRegionAvail().x / std::max(diagram.size().x + 0.5f, 1.0f);
  return std::clamp(fitting, smallest * font, font);
}

const diagram::Hotspot* draw_at_cursor(const diagram::Diagram& diagram, float size) {
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy(diagram.size() * size);
  return paint_diagram(*ImGui::GetWindowDrawList(), diagram, at, size, ImGui::IsWindowHovered());
}

Area area_of(const diagram::Box& box, glm::vec2 corner, float size) {
  return {corner + box.corner * size, box.size * size};
}

const diagram::Hotspot* show_diagram(const diagram::Diagram& diagram, float smallest) {
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const float size = font_size_for(diagram, smallest);
  const diagram::Hotspot* const hotspot = draw_at_cursor(diagram, size);
  if (hotspot != nullptr && !hotspot->tip.empty()) tooltip_of(area_of(hotspot->box, at, size), hotspot->tip);
  return hotspot;
}

namespace {

// In font sizes.
constexpr float kHeaderHeight = 1.9f;
constexpr float kMinWidth = 7.5f;  ///< of the panes beside a wide one
constexpr float kMinScoreWidth = 9;

}  // namespace

void layout_panes(const Area& area, std::size_t count, float font_size, float scores,
                  std::vector<PaneArea>& areas, float last) {
  areas.clear();
  if (count <= 1) return areas.push_back({.header = {}, .picture = area, .score = {}});
  const float gap = 2;
  const auto cell = [&](std::size_t columns) {
    const std::size_t rows = (count + columns - 1) / columns;
    const auto part = [&](float whole, std::size_t parts) {
      const float gaps = gap * static_cast<float>(parts - 1);
      return std::max(0.0f, std::floor((whole - gaps) / static_cast<float>(parts)));
    };
    return glm::vec2{part(area.size.x, columns), part(area.size.y, rows)};
  };
  const float wanted = std::floor(kHeaderHeight * font_size);
  const float score = std::floor(scores * font_size);
  // Finds the arrangement with the largest square in a picture.
  std::size_t columns = 1;
  float best = -1;
  for (std::size_t tried = count; tried >= 1; --tried) {
    const glm::vec2 size = cell(tried);
    const float side = std::min(size.x, size.y - wanted - score);
    if (side > best) {
      best = side;
      columns = tried;
    }
  }
  glm::vec2 size = cell(columns);
  if (columns == count) {
    const auto others = static_cast<float>(count - 1);
    const float left = std::floor((area.size.x - last * font_size) / others - gap);
    size.x = std::min(size.x, std::max(left, kMinWidth * font_size));
  }
  const float header = std::min(wanted, size.y);
  // A low or narrow pane has no score.
  const bool has_score = size.y - header >= 3 * score && (last <= 0 || size.x >= kMinScoreWidth * font_size);
  const float below = has_score ? score : 0;
  for (std::size_t i = 0; i < count; ++i) {
    const glm::vec2 corner = area.corner + glm::vec2(i % columns, i / columns) * (size + gap);
    // The last pane takes the rest of its row.
    const float width = i + 1 == count ? area.end().x - corner.x : size.x;
    areas.push_back({.header = {corner, {width, header}},
                     .picture = {corner + glm::vec2{0, header}, {width, size.y - header - below}},
                     .score = {corner + glm::vec2{0, size.y - below}, {width, below}}});
  }
}

void begin_pane_header(const char* id, const Area& area, const std::optional<glm::vec4>& accent) {
  const float pad = std::max(0.0f, (area.size.y - ImGui::GetTextLineHeight()) / 2);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme::grid(2), pad});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::colours().raised);
  begin_bar(id, area, ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  if (!accent) return;
  const float line = std::max(2.0f, std::floor(theme::grid(0.5f)));
  ImGui::GetWindowDrawList()->AddRectFilled(area.corner, area.corner + glm::vec2{area.size.x, line},
                                            ImGui::GetColorU32(*accent));
}

}  // namespace loom::app
