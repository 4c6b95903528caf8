#include "app/shell/view_rows.h"

#include <imgui.h>

#include "app/widgets/choice.h"

namespace loom::app {

void text_size_row(TextSizeState& state, ShellSettings& view) {
  if (!state.dragging) state.ui_pixels = view.ui_pixels;
  row_label("Text size");
  ImGui::SliderFloat("##ui", &state.ui_pixels, kMinUiPixels, kMaxUiPixels, "%.0f pixels",
                     ImGuiSliderFlags_AlwaysClamp);
  state.dragging = ImGui::IsItemActive();
  if (ImGui::IsItemDeactivatedAfterEdit()) set_ui_pixels(view, state.ui_pixels);
  tooltip("Changes when you release the slider (Ctrl +, Ctrl −)");
}

bool lecture_button(ShellSettings& view, float width) {
  const bool pressed = choice_button(kLectureLabel, is_lecture_mode(view), width, {},
                                     "Lecture mode: large text, side panel and metrics folded (P)");
  if (pressed) toggle_lecture_mode(view);
  return pressed;
}

}  // namespace loom::app
