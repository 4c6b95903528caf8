#include "app/workspaces/life/panels/view_panel.h"

#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/explain/bit_storage_text.h"
#include "app/palette/window/palette_choice.h"
#include "app/widgets/choice.h"
#include "app/widgets/control_marks.h"
#include "app/workspaces/life/picture/age_overlay.h"
#include "app/workspaces/life/scene/life_device_settings.h"

namespace loom::app {

namespace {

const char* label_of(explain::ColourBy by) {
  switch (by) {
    case explain::ColourBy::kState:
      return "state (dead, alive)";
    case explain::ColourBy::kTileIndex:
      return "tile";
    case explain::ColourBy::kThread:
      return "thread index in tile";
    case explain::ColourBy::kWarp:
      return "warp";
    case explain::ColourBy::kTileSlot:
      return "tile in thread block";
    case explain::ColourBy::kAddress:
      return "address in memory";
    case explain::ColourBy::kReplica:
      return "replica at a level";
    case explain::ColourBy::kOrientation:
      return "orientation at a level";
    case explain::ColourBy::kWorker:
      return "multiprocessor (CPU: thread)";
    case explain::ColourBy::kDevice:
      return "device";
  }
  return "";
}

void colour_choice(LifeSettings& settings) {
  explain::Colouring& colouring = settings.colouring;
  const int levels = std::max(settings.config.level, 1);
  colouring.level = std::clamp(colouring.level, 1, levels);
  row_label("Colour by");
  ImGui::SetNextItemWidth(remaining_width());
  // Bit-packed cells have no tiles and threads to colour by; the choice is kept for byte storage.
  const bool drawn = no_colouring_reason(settings, colouring.by).empty();
  const explain::ColourBy now = drawn ? colouring.by : explain::ColourBy::kState;
  if (!explain::has_tiles(settings.config) && !uses_several_devices(settings)) {
    ImGui::BeginDisabled();
    if (ImGui::BeginCombo("##colour", label_of(explain::ColourBy::kState))) ImGui::EndCombo();
    ImGui::EndDisabled();
    tooltip(explain::kByteStorageOnly);
    return;
  }
  if (ImGui::BeginCombo("##colour", label_of(now))) {
    for (const explain::ColourBy by : explain::kColourings) {
      const std::string_view problem = no_colouring_reason(settings, by);
      ImGui::BeginDisabled(!problem.empty());
      if (ImGui::Selectable(label_of(by), by == now)) colouring.by = by;
      ImGui::EndDisabled();
      tooltip(problem);
    }
    ImGui::EndCombo();
  }
  tooltip("What the colours of cells, threads and memory mean (C)");
  if (!explain::has_level(now)) return;
  row_label("Level");
  ImGui::SetNextItemWidth(remaining_width());
  ImGui::SliderInt("##replica level", &colouring.level, 1, levels, "%d", ImGuiSliderFlags_AlwaysClamp);
}

}  // namespace

void view_panel(ViewPanelState& state, LifeEdit& edit, const LifeStats& stats) {
  if (!section("View")) return;
  LifeSettings& settings = edit.settings;
  ShellSettings& view = edit.shell.settings;
  palette_choice(view, view.palette, state.palette);
  const auto overlay = [](const char* label, bool* shown, std::string_view hint) {
    ImGui::Checkbox(label, shown);
    tooltip(hint);
  };
  colour_choice(settings);
  {
    const ScopedControlMark marked(Control::kGrids);
    const float column = remaining_width() / 3;
    const float left = ImGui::GetCursorPosX();
    overlay("Cells", &settings.cell_grid, "Grid of cells, shown from 8 pixels per cell (G)");
    ImGui::SameLine(left + column);
    overlay("Tiles", &settings.tile_grid, "Launched tiles, shown from 8 pixels per tile (G)");
    ImGui::SameLine(left + 2 * column);
    overlay("Metrics", &view.show_timing, "Frame times and launch statistics (T)");
  }
  overlay("Ages and trails", &settings.show_ages, kAgeLegend);
  if (settings.show_ages) note(stats.ages_hidden_reason.empty() ? kAgeLegend : stats.ages_hidden_reason);
  text_size_row(state.text_size, view);
  constexpr std::array kLabels = {"Fit", "Export", kLectureLabel};
  const ButtonRow line(kLabels);
  if (choice_button(kLabels[0], false, line.width(kLabels[0]), {}, "Fits the fractal into the view (F)")) {
    edit.shell.view.fit = true;
  }
  ImGui::SameLine();
  if (choice_button(kLabels[1], false, line.width(kLabels[1]), {},
                    "Exports a figure of what a pane shows as SVG, PDF, PNG, CSV or LaTeX (Ctrl E)")) {
    edit.commands.save_figure = 0;
  }
  ImGui::SameLine();
  lecture_button(view, remaining_width());
}

}  // namespace loom::app
