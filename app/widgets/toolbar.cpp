#include "app/widgets/toolbar.h"

#include <imgui.h>

#include "app/gui/icons.h"
#include "app/widgets/choice.h"

namespace loom::app::toolbar {

float in_fonts(float font_sizes) {
  return font_sizes * ImGui::GetFontSize();
}

void beside() {
  ImGui::SameLine(0, in_fonts(kGap));
}

bool play_and_step(bool& playing) {
  if (choice_button(playing ? icons::kPause : icons::kPlay, playing, in_fonts(kIconWidth), {},
                    playing ? "Pause (Space)" : "Play (Space)"))
    playing = !playing;
  beside();
  const bool steps = choice_button(icons::kStep, false, in_fonts(kIconWidth), {},
                                   "Computes one generation and pauses ( . )");
  if (steps) playing = false;
  return steps;
}

}  // namespace loom::app::toolbar
