#include "app/shell/workspace_switch.h"

#include <imgui.h>

#include "app/widgets/choice.h"

namespace loom::app {

void workspace_switch(Edit& edit) {
  Workspace& workspace = edit.settings.workspace;
  const float width = (rest_of_line() - ImGui::GetStyle().ItemSpacing.x) / 2;
  if (choice_button("Life", workspace == Workspace::kLife, width, {},
                    "The game of life on fractals (Z). The other workspace stands still meanwhile.")) {
    workspace = Workspace::kLife;
  }
  ImGui::SameLine();
  if (choice_button("Mandelbrot", workspace == Workspace::kMandelbrot, width, {},
                    "The Mandelbrot set by subdivision (Z). The other workspace stands still meanwhile.")) {
    workspace = Workspace::kMandelbrot;
  }
}

}  // namespace loom::app
