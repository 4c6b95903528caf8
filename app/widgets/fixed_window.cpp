#include "app/widgets/fixed_window.h"

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

}  // namespace loom::app
