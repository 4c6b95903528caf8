#include "app/widgets/dialog.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"

namespace loom::app {

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
