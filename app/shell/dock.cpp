#include "app/shell/dock.h"

#include "app/widgets/inputs.h"

namespace loom::app {

bool metrics_section(ShellEdit& edit) {
  return section("Metrics", edit.settings.show_timing);
}

void metrics_buttons(const DockSpace& room, ShellEdit& edit) {
  ImGui::Checkbox(room.beside ? "Freeze metrics" : "Freeze", &edit.settings.pause_timing);
  tooltip("Stops updating these metrics");
  ImGui::SameLine();
  if (ImGui::SmallButton(room.beside ? "Clear statistics" : "Clear")) edit.commands.reset_times = true;
  tooltip("Clears the statistics. A change of method clears them too");
  if (room.beside) return;
  ImGui::SameLine();
  if (ImGui::SmallButton(room.all ? "Fewer metrics" : "All metrics"))
    edit.settings.show_all_metrics = !room.all;
}

}  // namespace loom::app
