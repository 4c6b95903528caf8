#include "app/widgets/fixed_window.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/imgui_compat.h"
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

bool begin_dialog(const char* title, bool& begin, float width, float top) {
  if (std::exchange(begin, false)) ImGui::OpenPopup(title);
  const glm::vec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x / 2, size.y * top}, ImGuiCond_Always, {0.5f, 0});
  ImGui::SetNextWindowSize({std::min(width * ImGui::GetFontSize(), size.x * 0.96f), 0});
  if (!ImGui::BeginPopupModal(title, nullptr, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize))
    return false;
  // Shortcuts are inactive here: arrow keys move between controls, and Space activates one.
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  theme::push_on_raised();
  return true;
}

bool is_enter_available() {
  return imgui_compat::is_enter_pressed() && !imgui_compat::is_control_active() &&
         !imgui_compat::has_key_cursor() && ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows);
}

void end_dialog(std::map<std::string, Area, std::less<>>& areas) {
  theme::pop_on_raised();
  if (ImGui::IsWindowAppearing()) areas.clear();
  ImGui::EndPopup();
}

}  // namespace loom::app
