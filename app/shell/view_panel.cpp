#include "app/shell/view_panel.h"

#include <imgui.h>

#include "app/life/scene/setting_steps.h"
#include "app/widgets/choice.h"
#include "app/widgets/palette_swatch.h"
#include "render/palette.h"

namespace loom::app {

void palette_choice(ViewSettings& view) {
  row_label("Palette");
  if (ImGui::BeginCombo("##palette", view.palette.c_str())) {
    for (const render::Palette& palette : render::palettes()) {
      const float height = ImGui::GetTextLineHeight();
      ImGui::PushID(palette.name.c_str());
      const ImVec2 at = ImGui::GetCursorScreenPos();
      if (ImGui::Selectable("##pick", palette.name == view.palette)) view.palette = palette.name;
      draw_palette(*ImGui::GetWindowDrawList(), palette, at, {height * 5, height});
      ImGui::GetWindowDrawList()->AddText({at.x + height * 5.6f, at.y}, ImGui::GetColorU32(ImGuiCol_Text),
                                          palette.name.c_str());
      ImGui::PopID();
    }
    ImGui::EndCombo();
  }
}

namespace {

void text_size(ViewPanelState& state, ViewSettings& view) {
  if (!state.dragging) state.ui_pixels = view.ui_pixels;
  row_label("Text size");
  ImGui::SliderFloat("##ui", &state.ui_pixels, kMinUiPixels, kMaxUiPixels, "%.0f pixels",
                     ImGuiSliderFlags_AlwaysClamp);
  state.dragging = ImGui::IsItemActive();
  if (ImGui::IsItemDeactivatedAfterEdit()) set_ui_pixels(view, state.ui_pixels);
  tooltip("Ctrl + and Ctrl −. Changes when you let go.");
}

}  // namespace

void view_panel(ViewPanelState& state, Edit& edit) {
  if (!section("View")) return;
  ViewSettings& view = edit.settings.view;
  palette_choice(view);
  const auto overlay = [](const char* label, bool* shown, const char* hint) {
    ImGui::Checkbox(label, shown);
    tooltip(hint);
  };
  const float column = rest_of_line() / 3;
  const float left = ImGui::GetCursorPosX();
  overlay("Cells", &view.cell_grid, "The grid of cells, where a cell is at least 8 pixels (G)");
  ImGui::SameLine(left + column);
  overlay("Blocks", &view.block_grid,
          "The blocks that the map launches, where a block is at least 8 pixels (G)");
  ImGui::SameLine(left + 2 * column);
  overlay("Timing", &view.show_timing, "What each frame costs, over the picture (T)");
  text_size(state, view);
  const float third = (rest_of_line() - 2 * ImGui::GetStyle().ItemSpacing.x) / 3;
  if (choice_button("Bench", view.show_bench, third, {},
                    "Measure a sweep of configurations, and plot it (M)")) {
    view.show_bench = !view.show_bench;
  }
  ImGui::SameLine();
  if (choice_button("Fit", false, third, {}, "The whole fractal into the picture (F)")) {
    edit.commands.fit = true;
  }
  ImGui::SameLine();
  if (choice_button("Projector", view.ui_pixels == kProjectorUiPixels, rest_of_line(), {},
                    "Text of 28 pixels, for the back row; again for the normal size (P)")) {
    toggle_projector(view);
  }
}

}  // namespace loom::app
