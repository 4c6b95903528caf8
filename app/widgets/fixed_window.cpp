#include "app/widgets/fixed_window.h"

#include <algorithm>
#include <cmath>

#include "app/gui/theme.h"

namespace loom::app {

void begin_fixed_window(const char* id, const Area& area, ImGuiWindowFlags more) {
  ImGui::SetNextWindowPos(area.corner);
  ImGui::SetNextWindowSize(area.size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | more);
  ImGui::PopStyleVar();
}

void begin_bar(const char* id, const Area& area, ImGuiWindowFlags more) {
  begin_fixed_window(
      id, area,
      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav | more);
}

float begin_caption(const char* id, const Area& area, float longest, bool one_line) {
  const float font = ImGui::GetFontSize();
  if (area.size.x < 12 * font || area.size.y < 12 * font) return 0;
  const float padding = theme::grid(1);
  const float width = area.size.x - 2 * ImGui::GetStyle().WindowPadding.x;
  const float lines = one_line ? 1.0f : std::clamp(std::ceil(longest * font / width), 1.0f, 3.0f);
  const float height = std::floor(lines * ImGui::GetTextLineHeight() + 2 * padding);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ImGui::GetStyle().WindowPadding.x, padding});
  begin_bar(id, {{area.corner.x, area.end().y - height}, {area.size.x, height}},
            ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar();
  return height;
}

}  // namespace loom::app
