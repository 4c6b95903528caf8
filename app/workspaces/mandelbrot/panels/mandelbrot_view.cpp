#include "app/workspaces/mandelbrot/panels/mandelbrot_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/palette/window/palette_choice.h"
#include "app/shell/view_rows.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/text.h"
#include "app/workspaces/mandelbrot/picture/region_marks.h"

namespace loom::app {
namespace {

/// One toggle button for each kind of secondary content.
void secondary_content(MandelbrotEdit& edit) {
  MandelbrotSettings& explorer = edit.settings;
  constexpr std::array kLabels = {"Orbit", "Julia", "Metrics", "Model", "Timeline"};
  const ButtonRow line(kLabels);
  const auto box = [&](const char* label, bool* shown, const char* hint) {
    if (choice_button(label, *shown, line.width(label), {}, hint)) *shown = !*shown;
  };
  box(kLabels[0], &explorer.orbit, "Orbit of the point under the cursor (O)");
  ImGui::SameLine();
  box(kLabels[1], &explorer.julia, "The Julia set of the point under the cursor (Shift O)");
  ImGui::SameLine();
  box(kLabels[2], &edit.shell.settings.show_timing, "Metrics: cost of a computation (T)");
  ImGui::SameLine();
  box(kLabels[3], &explorer.show_model,
      "Cost model with predicted and measured values, and the landscape (M)");
  ImGui::SameLine();
  box(kLabels[4], &explorer.show_timeline, "Timeline: when each thread block of one computation ran (Q)");
}

void overlay_rows(MandelbrotEdit& edit, const MandelbrotStats& now) {
  const ScopedControlMark marked(Control::kRegions);
  MandelbrotSettings& explorer = edit.settings;
  MandelbrotCommands& commands = edit.commands;
  constexpr std::array kOfRegions = {RegionOverlay::kOff, RegionOverlay::kLevels, RegionOverlay::kQuantities,
                                     RegionOverlay::kDivergence};
  choice_row("Regions", kOfRegions, explorer.overlay, {"off", "level", "kind", "divergence"},
             {"No regions (G)", "The borders of the regions, coloured by level (G)",
              "Regions coloured by kind: filled, leaf or split (G)",
              "Divergence: warps or regions coloured by the percentage of idle lane-cycles (G)"});
  const bool outlines =
      explorer.overlay == RegionOverlay::kLevels || explorer.overlay == RegionOverlay::kQuantities;
  if (outlines && last_level_drawn(now.regions, now.shown_level)) {
    note(format_text("{} regions; the largest {} are drawn, in whole levels. A larger B gives fewer regions.",
                     format_count(now.regions.size()), format_count(drawn_regions(now.regions))));
  }
  if (explorer.devices > 1) {
    const bool by_device = explorer.overlay == RegionOverlay::kDevices;
    row_label("");
    if (choice_button("rows by device", by_device, remaining_width(), {},
                      "Rows coloured by the device that computed them (G)")) {
      explorer.overlay = by_device ? RegionOverlay::kOff : RegionOverlay::kDevices;
    }
  }
  const char* const problem =
      explorer.config.method == MandelbrotMethod::kExhaustive ? "The exhaustive method has no regions" : "";
  row_label("Levels");
  const float button = ImGui::GetFrameHeight();
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float word = (remaining_width() - 2 * (button + gap) - gap) / 2;
  if (choice_button(now.levels_play ? "Stop" : "Play", now.levels_play, word, problem,
                    "Show the levels one after another (Space)")) {
    commands.play_levels = true;
  }
  ImGui::SameLine();
  if (choice_button("-##level", false, button, problem, "One level fewer (,)")) --commands.step_level;
  ImGui::SameLine();
  if (choice_button("+##level", false, button, problem, "One level more (.)")) ++commands.step_level;
  ImGui::SameLine();
  Text all = now.shown_level ? format_text("{} of {}", *now.shown_level + 1, now.levels) : "all";
  if (choice_button(all.append("##levels").c_str(), !now.shown_level, remaining_width(), problem,
                    "Show all levels")) {
    commands.all_levels = true;
  }
}

}  // namespace

void mandelbrot_view(MandelbrotPanelState& state, MandelbrotEdit& edit, const MandelbrotStats& now,
                     PaletteEditor& palette) {
  if (!section("View")) return;
  MandelbrotSettings& explorer = edit.settings;
  palette_choice(edit.shell.settings, explorer.palette, palette);
  cycle_row(explorer.cycle, explorer.dwell_colouring().has_cycle()
                                ? std::string_view()
                                : "Adaptive and histogram colouring follow the dwells of the picture");
  choice_row("Interior", kInteriorColours, explorer.interior, {"palette", "black", "white"},
             {"The palette's colour for holes", "Black", "White"});
  overlay_rows(edit, now);
  secondary_content(edit);
  text_size_row(state.text_size, edit.shell.settings);
  lecture_button(edit.shell.settings, remaining_width());
}

}  // namespace loom::app
