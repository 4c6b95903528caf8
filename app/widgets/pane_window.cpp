#include "app/widgets/pane_window.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/widgets/diagram_painter.h"
#include "app/widgets/fixed_window.h"
#include "app/widgets/tooltip.h"

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

}  // namespace loom::app
