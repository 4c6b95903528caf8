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
      return "state: dead, alive";
    case teach::ColourBy::kBlock:
      return "block";
    case teach::ColourBy::kThread:
      return "thread within the block";
    case teach::ColourBy::kWarp:
      return "warp";
    case teach::ColourBy::kTile:
      return "tile of the thread block";
    case teach::ColourBy::kAddress:
      return "address: the order in memory";
    case teach::ColourBy::kReplica:
      return "replica at a level";
    case teach::ColourBy::kWorker:
      return "multiprocessor (CPU: thread) that ran it";
    case teach::ColourBy::kDevice:
      return "device that has the cell";
  }
  return "";
}

void colour_choice(LifeSettings& settings) {
  teach::Colouring& colouring = settings.colouring;
  const int levels = std::max(settings.config.level, 1);
  colouring.level = std::clamp(colouring.level, 1, levels);
  row_label("Colour by");
  ImGui::SetNextItemWidth(rest_of_line());
  // Of bits, what stands for blocks and threads waits for bytes again.
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
  tooltip("What colours stand for, in the pictures of cells, threads and memory alike (O)");
  if (now != teach::ColourBy::kReplica) return;
  row_label("of level");
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
    overlay("Cells", &settings.cell_grid, "The grid of cells, where a cell is at least 8 pixels (G)");
    ImGui::SameLine(left + column);
    overlay("Blocks", &settings.block_grid,
            "The blocks that the map launches, where a block is at least 8 pixels (G)");
    ImGui::SameLine(left + 2 * column);
    overlay("Figures", &view.show_timing, "What each frame costs and what the launch counts (T)");
  }
  overlay("Ages and trails", &settings.show_ages, kAgeWords);
  if (settings.show_ages) note(facts.ages_hidden.empty() ? kAgeWords : facts.ages_hidden);
  text_size_row(state.text_size, view);
  constexpr std::array kLabels = {"Bench", "Fit", "Figure", kProjectorLabel};
  const SharedLine line(kLabels);
  if (choice_button(kLabels[0], settings.show_bench, line.width(kLabels[0]), {},
                    "Measure a sweep of configurations, and plot it (M)")) {
    settings.show_bench = !settings.show_bench;
  }
  ImGui::SameLine();
  if (choice_button(kLabels[1], false, line.width(kLabels[1]), {},
                    "The whole fractal into the picture (F)")) {
    edit.shell.view.fit = true;
  }
  ImGui::SameLine();
  if (choice_button(kLabels[2], false, line.width(kLabels[2]), {},
                    "Save what a pane shows as SVG, PDF, PNG, CSV or LaTeX (Ctrl E)")) {
    edit.commands.save_figure = 0;
  }
  ImGui::SameLine();
  projector_button(view, rest_of_line());
}

}  // namespace loom::app
