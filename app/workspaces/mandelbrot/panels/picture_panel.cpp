#include "app/workspaces/mandelbrot/panels/picture_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/palette/window/palette_choice.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/text.h"
#include "app/workspaces/mandelbrot/picture/region_marks.h"
#include "app/workspaces/mandelbrot/scene/pixel_samples.h"

namespace loom::app {
namespace {

void history_row(MandelbrotEdit& edit, const MandelbrotStats& now) {
  const float width = equal_width(4);
  const auto count = [](std::size_t views) { return format_text("{} views", views); };
  if (choice_button("Back", false, width, now.views_behind == 0 ? "There is no previous view" : "",
                    count(now.views_behind).append(" back ([, Backspace, side button)"))) {
    --edit.commands.history;
  }
  ImGui::SameLine();
  if (choice_button("Forward", false, width, now.views_ahead == 0 ? "There is no next view" : "",
                    count(now.views_ahead).append(" forward (], side button)"))) {
    ++edit.commands.history;
  }
  ImGui::SameLine();
  if (choice_button("Box", false, width, {}, "Zoom into a box with the next drag (B); or Shift + drag")) {
    edit.shell.view.arm_box_zoom = true;
  }
  ImGui::SameLine();
  if (choice_button("Reset", false, remaining_width(), {}, "The whole set: the window of the papers (F)"))
    edit.shell.view.fit = true;
}

void tour_row(MandelbrotEdit& edit, const MandelbrotStats& now) {
  row_label("Tour");
  const float button = ImGui::GetFrameHeight();
  ImGui::SetNextItemWidth(remaining_width() - 2 * (button + ImGui::GetStyle().ItemSpacing.x));
  const Text present = now.tour_index
                           ? format_text("{}. {}", *now.tour_index + 1, now.tour[*now.tour_index].name)
                           : format_text("{} stops", now.tour.size());
  if (ImGui::BeginCombo("##tour", present.c_str())) {
    for (std::size_t i = 0; i < now.tour.size(); ++i) {
      const Text label = format_text("{}. {}", i + 1, now.tour[i].name);
      if (ImGui::Selectable(label.c_str(), now.tour_index == i)) edit.commands.tour_stop = i;
      tooltip(now.tour[i].note);
    }
    ImGui::EndCombo();
  }
  if (now.tour_index)
    tooltip(format_text("{}. {}", now.tour[*now.tour_index].name, now.tour[*now.tour_index].note));
  ImGui::SameLine();
  if (choice_button("<", false, button, {}, "Previous stop")) --edit.commands.tour;
  ImGui::SameLine();
  if (choice_button(">", false, button, {}, "Next stop (R)")) ++edit.commands.tour;
}

void place_text(const MandelbrotStats& now) {
  const double spacing = pixel_spacing(now.view, now.picture);
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(spacing))) + 1, 3, 17);
  note(format_text("{:.{}f} {} {:.{}f} i, width {:.3g}", now.view.centre.x, digits,
                   now.view.centre.y < 0 ? "−" : "+", std::abs(now.view.centre.y), digits, now.view.width));
}

template <typename Choice, std::size_t kCount>
void choice_row(const char* label, const std::array<Choice, kCount>& choices, Choice& present,
                const std::array<const char*, kCount>& labels, const std::array<const char*, kCount>& hints) {
  row_label(label);
  const ButtonRow line(labels);
  for (std::size_t i = 0; i < kCount; ++i) {
    if (i > 0) ImGui::SameLine();
    ImGui::PushID(label);
    if (choice_button(labels[i], present == choices[i], line.width(labels[i]), {}, hints[i]))
      present = choices[i];
    ImGui::PopID();
  }
}

void colouring_rows(MandelbrotSettings& explorer, const MandelbrotStats& now) {
  choice_row("Colouring", kColourings, explorer.colouring, {"bands", "smooth", "histogram"},
             {"One colour per dwell, on a logarithmic scale (C)",
              "Continuous colours by the logarithm of the smooth dwell (C). The orbit of every exterior "
              "pixel is computed once more, so the method saves work only in the interior.",
              "Histogram colouring: colours are distributed evenly over the pixels (C)"});
  if (now.stages.smooth) {
    const double pixels = static_cast<double>(now.picture.x) * now.picture.y;
    note(format_text("Smooth costs {} ms more: it computes the orbits of all exterior pixels ({}) again.",
                     format_ms(*now.stages.smooth),
                     format_percent(static_cast<double>(now.exterior) / pixels)));
  }
  cycle_row(explorer.cycle, explorer.colouring == Colouring::kHistogram
                                ? "Histogram colouring uses the palette once"
                                : std::string_view());
  choice_row("Samples", kSamplesPerAxis, explorer.samples_per_axis, {"1 per pixel", "4", "16"},
             {"One sample per pixel", "Mean of 4 samples per pixel (2 × 2), once the picture is at rest",
              "Mean of 16 samples per pixel (4 × 4), once the picture is at rest"});
  choice_row("Interior", kInteriorColours, explorer.interior, {"palette", "black", "white"},
             {"The palette's colour for holes", "Black", "White"});
}

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
  secondary_content(edit);
}

}  // namespace

void picture_panel(MandelbrotEdit& edit, const MandelbrotStats& now, PaletteEditor& palette) {
  if (section("Place")) {
    const ScopedControlMark marked(Control::kPlace);
    place_text(now);
    history_row(edit, now);
    tour_row(edit, now);
  }
  if (section("Picture")) {
    palette_choice(edit.shell.settings, edit.settings.palette, palette);
    colouring_rows(edit.settings, now);
    overlay_rows(edit, now);
  }
}

}  // namespace loom::app
