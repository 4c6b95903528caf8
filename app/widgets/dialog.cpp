#include "app/widgets/dialog.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/gui/theme.h"

namespace loom::app {

bool begin_dialog(const char* title, bool& begin, float width, float top) {
  if (std::exchange(begin, false)) ImGui::OpenPopup(title);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x / 2, size.y * top}, ImGuiCond_Always, {0.5f, 0});
  ImGui::SetNextWindowSize({std::min(width * ImGui::GetFontSize(), size.x * 0.96f), 0});
  if (!ImGui::BeginPopupModal(title, nullptr, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize))
    return false;
  theme::push_on_raised();
  return true;
}

void end_dialog(std::map<std::string, Area, std::less<>>& places) {
  theme::pop_on_raised();
  if (ImGui::IsWindowAppearing()) places.clear();
  ImGui::EndPopup();
}

}  // namespace loom::app
