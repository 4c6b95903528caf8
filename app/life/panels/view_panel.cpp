#include "app/life/panels/view_panel.h"

#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/life/picture/age_overlay.h"
#include "app/life/scene/device_share.h"
#include "app/palette/window/palette_choice.h"
#include "app/teach/bit_words.h"
#include "app/widgets/choice.h"
#include "app/widgets/control_marks.h"

namespace loom::app {

namespace {

const char* label_of(teach::ColourBy by) {
  switch (by) {
    case teach::ColourBy::kState:
      return "state (dead, alive)";
    case teach::ColourBy::kBlock:
      return "tile";
    case teach::ColourBy::kThread:
      return "thread index in tile";
    case teach::ColourBy::kWarp:
      return "warp";
    case teach::ColourBy::kTile:
      return "tile in thread block";
    case teach::ColourBy::kAddress:
      return "address in memory";
    case teach::ColourBy::kReplica:
      return "replica at a level";
    case teach::ColourBy::kWorker:
      return "multiprocessor (CPU: thread)";
    case teach::ColourBy::kDevice:
      return "device";
  }
  return "";
}

void colour_choice(LifeSettings& settings) {
  teach::Colouring& colouring = settings.colouring;
  const int levels = std::max(settings.config.level, 1);
  colouring.level = std::clamp(colouring.level, 1, levels);
  row_label("Colour by");
  ImGui::SetNextItemWidth(rest_of_line());
  // Bit-packed cells have no tiles and threads to colour by; the choice is kept for byte storage.
  const bool drawn = why_not_coloured(settings, colouring.by).empty();
  const teach::ColourBy now = drawn ? colouring.by : teach::ColourBy::kState;
  if (!teach::has_blocks(settings.config) && !wants_several(settings)) {
    ImGui::BeginDisabled();
    if (ImGui::BeginCombo("##colour", label_of(teach::ColourBy::kState))) ImGui::EndCombo();
    ImGui::EndDisabled();
    tooltip(teach::kOnlyOfBytes);
    return;
  }
  if (ImGui::BeginCombo("##colour", label_of(now))) {
    for (const teach::ColourBy by : teach::kColourings) {
      const std::string_view why_not = why_not_coloured(settings, by);
      ImGui::BeginDisabled(!why_not.empty());
      if (ImGui::Selectable(label_of(by), by == now)) colouring.by = by;
      ImGui::EndDisabled();
      tooltip(why_not);
    }
    ImGui::EndCombo();
  }
  tooltip("What the colours of cells, threads and memory mean (O)");
  if (now != teach::ColourBy::kReplica) return;
  row_label("Level");
  ImGui::SetNextItemWidth(rest_of_line());
  ImGui::SliderInt("##replica level", &colouring.level, 1, levels, "%d", ImGuiSliderFlags_AlwaysClamp);
}

}  // namespace

void view_panel(ViewPanelState& state, LifeEdit& edit, const LifeFacts& facts) {
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
    const MarkedRows marked(Control::kGrids);
    const float column = rest_of_line() / 3;
    const float left = ImGui::GetCursorPosX();
    overlay("Cells", &settings.cell_grid, "Grid of cells, shown from 8 pixels per cell (G)");
    ImGui::SameLine(left + column);
    overlay("Tiles", &settings.block_grid, "Launched tiles, shown from 8 pixels per tile (G)");
    ImGui::SameLine(left + 2 * column);
    overlay("Metrics", &view.show_timing, "Frame times and launch statistics (T)");
  }
  overlay("Ages and trails", &settings.show_ages, kAgeWords);
  if (settings.show_ages) note(facts.ages_hidden.empty() ? kAgeWords : facts.ages_hidden);
  text_size_row(state.text_size, view);
  constexpr std::array kLabels = {"Benchmark", "Fit", "Export", kProjectorLabel};
  const SharedLine line(kLabels);
  if (choice_button(kLabels[0], settings.show_bench, line.width(kLabels[0]), {},
                    "Measures a sweep of configurations and plots it (M)")) {
    settings.show_bench = !settings.show_bench;
  }
  ImGui::SameLine();
  if (choice_button(kLabels[1], false, line.width(kLabels[1]), {}, "Fits the fractal into the view (F)")) {
    edit.shell.view.fit = true;
  }
  ImGui::SameLine();
  if (choice_button(kLabels[2], false, line.width(kLabels[2]), {},
                    "Exports a figure of what a pane shows as SVG, PDF, PNG, CSV or LaTeX (Ctrl E)")) {
    edit.commands.save_figure = 0;
  }
  ImGui::SameLine();
  projector_button(view, rest_of_line());
}

}  // namespace loom::app
