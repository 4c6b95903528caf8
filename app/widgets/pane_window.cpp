#include "app/widgets/pane_window.h"

#include <imgui.h>

#include <algorithm>

#include "app/widgets/fixed_window.h"
#include "app/widgets/sketch_painter.h"
#include "app/widgets/tooltip.h"

namespace loom::app {

void begin_pane_window(const char* id, const Area& area, bool scrolls) {
  begin_fixed_window(id, area,
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                         (scrolls ? ImGuiWindowFlags_HorizontalScrollbar
                                  : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse));
}

float letters_of(const sketch::Sketch& sketch) {
  const float font = ImGui::GetFontSize();
  const float fitting = ImGui::GetContentRegionAvail().x / std::max(sketch.width() + 0.5f, 1.0f);
  return std::clamp(fitting, kLeastLetters * font, font);
}

const sketch::Hot* draw_at_cursor(const sketch::Sketch& sketch, float size) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({sketch.width() * size, sketch.height() * size});
  return paint_sketch(*ImGui::GetWindowDrawList(), sketch, at, size, ImGui::IsWindowHovered());
}

Area area_of(const sketch::Box& box, float x, float y, float size) {
  return {x + box.x * size, y + box.y * size, box.width * size, box.height * size};
}

const sketch::Hot* show_sketch(const sketch::Sketch& sketch) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float size = letters_of(sketch);
  const sketch::Hot* const hot = draw_at_cursor(sketch, size);
  if (hot != nullptr && !hot->tip.empty()) tooltip_of(area_of(hot->box, at.x, at.y, size), hot->tip);
  return hot;
}

}  // namespace loom::app
