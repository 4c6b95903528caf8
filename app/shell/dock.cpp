#include "app/shell/dock.h"

#include <imgui.h>

#include "app/widgets/choice.h"

namespace loom::app {

bool figures_section(ShellEdit& edit) {
  return section("Figures", edit.settings.show_timing);
}

void figures_buttons(const DockRoom& room, ShellEdit& edit) {
  ImGui::Checkbox("Pause", &edit.settings.pause_timing);
  tooltip("Keep these figures as they are");
  ImGui::SameLine();
  if (ImGui::SmallButton("Reset")) edit.commands.reset_times = true;
  tooltip("Forget the figures so far; a change of method does that too");
  if (room.beside) return;
  ImGui::SameLine();
  if (ImGui::SmallButton(room.all ? "Less" : "All figures")) edit.settings.all_figures = !room.all;
}

}  // namespace loom::app
