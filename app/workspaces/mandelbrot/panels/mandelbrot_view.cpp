#include "app/workspaces/mandelbrot/panels/mandelbrot_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/palette/window/palette_editor.h"
#include "app/shell/setting_rows.h"
#include "app/text/format.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/workspaces/mandelbrot/picture/overlays.h"
#include "app/workspaces/mandelbrot/picture/region_marks.h"
#include "app/workspaces/mandelbrot/scene/dwell_colours.h"
#include "app/workspaces/mandelbrot/scene/pixel_samples.h"

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
  cycle_row(explorer.cycle, explorer.colouring == Colouring::kHistogram
                                ? "Histogram colouring uses the palette once"
                                : std::string_view());
  choice_row("Interior", kInteriorColours, explorer.interior, {"palette", "black", "white"},
             {"The palette's colour for holes", "Black", "White"});
  overlay_rows(edit, now);
  secondary_content(edit);
  text_size_row(state.text_size, edit.shell.settings);
  lecture_button(edit.shell.settings, remaining_width());
}

namespace {

void check_row(MandelbrotEdit& edit, const MandelbrotStats& now) {
  const bool ready = now.has_picture && now.divisor == 1;
  constexpr std::array kLabels = {"Verify", "Benchmark exhaustive"};
  const ButtonRow line(kLabels);
  if (choice_button(
          kLabels[0], false, line.width(kLabels[0]), ready ? "" : "The picture is not at full resolution yet",
          "Computes every pixel by the exhaustive method, counts and marks those that differ (Shift V)")) {
    edit.commands.check = true;
  }
  ImGui::SameLine();
  const bool exhaustive = edit.settings.config.method == MandelbrotMethod::kExhaustive;
  if (choice_button(kLabels[1], false, line.width(kLabels[1]),
                    exhaustive ? "The exhaustive method is selected"
                    : ready    ? ""
                               : "No picture yet",
                    "Times the exhaustive method at this view, one to three runs (K)")) {
    edit.commands.measure_exhaustive = true;
  }
  mark_item(Control::kExhaustive);
  if (!now.check) {
    return note(edit.settings.compare ? "The panes count the pixels that differ from exhaustive."
                                      : "Not verified for this view.");
  }
  const std::uint64_t count = now.check->differences.count;
  const double pixels = static_cast<double>(now.picture.x) * now.picture.y;
  Text text = format_text("{} differ from exhaustive: {}", plural(count, "pixel"),
                          format_percent(static_cast<double>(count) / pixels));
  if (count == 0) return note("Verified: every pixel equals the exhaustive result.");
  const std::size_t marked = now.check->differences.places.size();
  // More rings would hide each other.
  const char* const how = marked > kMaxRings ? "marked by tinted squares" : "marked by rings";
  const bool in_order = count <= kMaxDifferencesInOrder;
  const char* const which = in_order ? "the first " : "";
  const char* const of = in_order ? "from the top" : "of them";
  warning(marked < count ? text.add(", {}{} {} {}.", which, format_count(marked), of, how)
                         : text.add(", {}.", how));
}

}  // namespace

void mandelbrot_workload(MandelbrotEdit& edit, const MandelbrotStats& now) {
  if (!section("Workload")) return;
  MandelbrotSettings& explorer = edit.settings;
  choice_row("Samples", kSamplesPerAxis, explorer.samples_per_axis, {"1 per pixel", "4", "16"},
             {"One sample per pixel", "Mean of 4 samples per pixel (2 × 2), once the picture is at rest",
              "Mean of 16 samples per pixel (4 × 4), once the picture is at rest"});
  check_row(edit, now);
}

namespace {

// In font sizes.
constexpr std::array kMethodWidths = {6.6f, 14.0f, 16.0f};
constexpr std::array kBriefMethodWidths = {6.6f, 3.2f, 3.6f};
constexpr float kMethodGap = 0.2f;
constexpr float kCompareWidth = 6.1f;
constexpr float kIconWidth = 2.1f;
constexpr std::array kToolbarGroups = {
    kMethodWidths[0] + kMethodWidths[1] + kMethodWidths[2] + 2 * kMethodGap, kCompareWidth};
constexpr std::array kBriefGroups = {
    kBriefMethodWidths[0] + kBriefMethodWidths[1] + kBriefMethodWidths[2] + 2 * kMethodGap, kIconWidth};

void method_choice(MandelbrotEdit& edit, const Device& device, bool brief) {
  struct Choice {
    MandelbrotMethod method;
    const char* label;
    const char* brief_label;
    const char* hint;
  };
  const std::array choices = {
      Choice{MandelbrotMethod::kExhaustive, "Exhaustive", "Exhaustive", "Computes every pixel (1)"},
      Choice{MandelbrotMethod::kDp, "Dynamic parallelism (DP)", "DP",
             device.dynamic_parallelism
                 ? "A region that splits launches its children from the device (2)"
                 : "A region that splits launches its children; on the CPU, recursive tasks (2)"},
      Choice{MandelbrotMethod::kAsk, "Adaptive serial kernels (ASK)", "ASK",
             "One launch per level, with an offset lookup table (3)"}};
  MandelbrotConfig& config = edit.settings.config;
  const float font = ImGui::GetFontSize();
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) ImGui::SameLine(0, kMethodGap * font);
    const Choice& choice = choices[i];
    const float width = (brief ? kBriefMethodWidths : kMethodWidths)[i] * font;
    if (choice_button(brief ? choice.brief_label : choice.label, config.method == choice.method, width, {},
                      choice.hint, colour_of(choice.method))) {
      set_method(config, choice.method);
      edit.settings.automatic = false;
    }
  }
  ImGui::PopStyleVar();
  ImGui::EndGroup();
  mark_item(Control::kMethod);
}

void compare_choice(MandelbrotSettings& settings, bool brief) {
  if (choice_button(
          brief ? "\uf0db" : "\uf0db Compare", settings.compare,
          (brief ? kIconWidth : kCompareWidth) * ImGui::GetFontSize(), {},
          settings.compare ? "Shows the active method alone (V)" : "Exhaustive, DP and ASK side by side (V)"))
    set_compare(settings, !settings.compare);
}

}  // namespace

std::span<const float> mandelbrot_toolbar_groups(bool brief) {
  return brief ? kBriefGroups : kToolbarGroups;
}

void mandelbrot_toolbar_group(std::size_t group, bool brief, MandelbrotEdit& edit, const Device& device) {
  group == 0 ? method_choice(edit, device, brief) : compare_choice(edit.settings, brief);
}

}  // namespace loom::app
