#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/explain/colour_by.h"
#include "app/gui/theme.h"
#include "app/shell/shell_settings.h"
#include "app/text/format.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"
#include "app/workspaces/mandelbrot/panels/mandelbrot_panels.h"
#include "app/workspaces/mandelbrot/picture/overlays.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/pixel_samples.h"
#include "compute/core/input_text.h"

namespace loom::app {
namespace {

/// One toggle button for each kind of secondary content.
void secondary_content(MandelbrotEdit& edit) {
  MandelbrotSettings& explorer = edit.settings;
  constexpr std::array kLabels = {"Orbit", "Julia", "Metrics", "Model", "Timeline"};
  ButtonRow line(kLabels);
  const auto button = [&](const char* label, bool shown, const char* hint) {
    return choice_button(label, shown, line.next(), {}, hint);
  };
  const auto box = [&](const char* label, bool* shown, const char* hint) {
    if (button(label, *shown, hint)) *shown = !*shown;
  };
  box(kLabels[0], &explorer.orbit, "Orbit of the point under the cursor (O)");
  box(kLabels[1], &explorer.julia, "The Julia set of the point under the cursor (Shift O)");
  if (button(kLabels[2], shows_metrics(edit.shell.settings), "Metrics: cost of a computation (T)"))
    toggle_metrics(edit.shell.settings);
  box(kLabels[3], &explorer.show_model,
      "Cost model with predicted and measured values, and the landscape (M)");
  box(kLabels[4], &explorer.show_timeline, "Timeline: when each thread block of one computation ran (Q)");
}

void overlay_rows(MandelbrotEdit& edit, const MandelbrotStats& now) {
  const ScopedControlMark marked(Control::kRegions);
  MandelbrotSettings& explorer = edit.settings;
  MandelbrotCommands& commands = edit.commands;
  constexpr std::array kOfRegions = {RegionOverlay::kOff, RegionOverlay::kLevels, RegionOverlay::kQuantities,
                                     RegionOverlay::kDivergence};
  choice_row("Overlay", kOfRegions, explorer.overlay, {"off", "level", "kind", "idle"},
             {"No regions (G)", "The borders of the regions, coloured by level (G)",
              "Regions coloured by kind: filled, leaf or split (G)",
              "Divergence: warps or regions coloured by their percentage of idle lane-cycles (G)"});
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
  if (now.in_space) {
    volume_view_rows(edit, now);
    if (choice_button("Metrics", shows_metrics(edit.shell.settings), remaining_width(), {},
                      "Metrics: cost of a computation (T)"))
      toggle_metrics(edit.shell.settings);
    text_size_row(state.text_size, edit.shell.settings);
    lecture_button(edit.shell.settings, remaining_width());
    return;
  }
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

namespace {

void check_row(MandelbrotEdit& edit, const MandelbrotStats& now) {
  const bool ready = now.has_picture && now.divisor == 1;
  constexpr std::array kLabels = {"Verify", "Benchmark exhaustive"};
  ButtonRow line(kLabels);
  if (choice_button(
          kLabels[0], false, line.next(), ready ? "" : "The picture is not at full resolution yet",
          "Computes every pixel by the exhaustive method, counts and marks those that differ (Shift V)")) {
    edit.commands.check = true;
  }
  const bool exhaustive = edit.settings.config.method == MandelbrotMethod::kExhaustive;
  if (choice_button(kLabels[1], false, line.next(),
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
  if (now.in_space) return volume_workload(edit, now);
  MandelbrotSettings& explorer = edit.settings;
  choice_row("Samples", kSampleChoices, explorer.samples_per_axis, {"auto", "1", "4", "16"},
             {"Up to 16 samples per pixel, as many as take 3 seconds, once the picture is at rest",
              "One sample per pixel", "Mean of 4 samples per pixel (2 × 2), once the picture is at rest",
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

namespace {

// In font sizes.
constexpr float kBrief = 40;             ///< width of a picture with short entries
constexpr float kDescriptionWidth = 54;  ///< of the longest description

ImU32 interior_colour(InteriorColour interior, const render::Palette& palette) {
  return value_for<InteriorColour::kWhite>({theme::packed(palette.hole), IM_COL32_BLACK, IM_COL32_WHITE},
                                           interior);
}

void chips(const MandelbrotSettings& settings, const MandelbrotStats& now, const render::Palette& palette,
           bool brief) {
  const float gap = ImGui::GetFontSize() / 2;
  const auto last = last_level_drawn(now.regions, now.shown_level);
  const auto next_chip = [] {
    end_chip();
    begin_chip();
  };
  const auto left_out = [&](std::optional<int> of) {
    if (!of) return;
    next_chip();
    ImGui::TextColored(
        theme::colours().warning, "%s",
        (*of < 0 ? Text("too many to draw") : format_text("to level {} of {}", *of, now.levels - 1)).c_str());
  };
  begin_chip();
  swatch(interior_colour(settings.interior, palette),
         brief ? "limit" : format_text("inside (dwell limit {})", settings.config.dwell_limit).c_str());
  // In a narrow picture, the colours of the regions need the space.
  if (!brief || settings.overlay == RegionOverlay::kOff) {
    const bool cycles = settings.dwell_colouring().cycles();
    next_chip();
    ImGui::TextUnformatted(cycles ? "dwell 0" : "low dwell");
    ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    const auto& colours = cycles || settings.colouring == Colouring::kAdaptive ? palette.cycle : palette.ramp;
    colour_strip(5, 64, [&](int i) { return theme::packed(colours[static_cast<std::size_t>(4 * i)]); });
    ImGui::TextUnformatted(cycles ? format_text("{}, repeating", settings.cycle).c_str() : "high");
  }
  if (settings.overlay == RegionOverlay::kQuantities) {
    for (const RegionKind kind : {RegionKind::kFill, RegionKind::kLeaf, RegionKind::kSplit}) {
      next_chip();
      swatch(colour_of(kind), name_of(kind));
    }
    left_out(last);
  }
  if (settings.overlay == RegionOverlay::kDivergence) {
    next_chip();
    ImGui::TextUnformatted(brief ? "0 %" : "divergence 0 %");
    ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    colour_strip(4, 16,
                 [](int i) { return theme::packed(explain::ordered_colour(static_cast<float>(i) / 15)); });
    ImGui::TextUnformatted("100 %");
  }
  if (settings.overlay == RegionOverlay::kDevices) {
    next_chip();
    ImGui::TextUnformatted(now.backend.device.simulated_devices > 0 ? "part" : "device");
    for (std::size_t i = 0; i < std::min<std::size_t>(now.parts.size(), 8); ++i) {
      ImGui::SameLine(0, gap);
      swatch(colour_of_device(i), format_text("{}", i).c_str());
    }
  }
  if (settings.overlay == RegionOverlay::kLevels) {
    next_chip();
    ImGui::TextUnformatted("level");
    for (int level = 0; level < std::min(last ? *last + 1 : now.levels, 8); ++level) {
      ImGui::SameLine(0, gap);
      swatch(colour_of_level(level), format_text("{}", level).c_str());
    }
    left_out(last);
  }
  if (!brief && now.view.angle == 0) {
    next_chip();
    ImGui::TextUnformatted("+Re →  +Im ↓");
  }
  end_chip();
}

Text describe(const HoveredPoint& hovered, const MandelbrotSettings& settings, const MandelbrotStats& now) {
  Text text = now.is_outdated ? "" : "computing  ·  ";
  if (hovered.dwell) {
    text = format_text("dwell {}{}  ·  ", *hovered.dwell,
                       *hovered.dwell >= settings.config.dwell_limit ? " (inside)" : "");
  }
  if (now.view.decimal) {
    // The centre is in the panel; its digits would fill the line.
    const FloatExp<double> width = now.view.decimal->width.rounded();
    const glm::dvec2 part = turned((glm::dvec2(hovered.pixel) + 0.5 - glm::dvec2(now.picture) / 2.0) /
                                       static_cast<double>(now.picture.x),
                                   now.view.angle);
    const auto distance = [&](double by) {
      return shortened_decimal(decimal_text(width * FloatExp<double>(by)), 3);
    };
    text.add("c = centre {} {} {} {} i", part.x < 0 ? "−" : "+", distance(std::abs(part.x)),
             part.y < 0 ? "−" : "+", distance(std::abs(part.y)));
  } else {
    const double spacing = pixel_spacing(now.view, now.picture);
    const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(spacing))) + 1, 3, 17);
    text.add("{} = {:.{}f} {} {:.{}f} i", settings.config.set.julia ? "z" : "c", hovered.point.x, digits,
             hovered.point.y < 0 ? "−" : "+", std::abs(hovered.point.y), digits);
  }
  text.add("  ·  pixel ({}, {})", hovered.pixel.x, hovered.pixel.y);
  if (hovered.region) {
    text.add("  ·  level {} region of {} × {}: {}", hovered.region->level, hovered.region->width,
             hovered.region->height, name_of(hovered.region->kind));
  }
  return text;
}

Text state(const MandelbrotStats& now) {
  if (now.is_outdated) return "Computation incomplete.  ";
  if (!now.has_picture) return now.pictured ? "" : "No picture yet.  ";
  if (now.divisor == 1 && now.samples_per_axis > 1)
    return format_text("Each pixel is the mean of {0} × {0} samples.  ", now.samples_per_axis);
  if (now.divisor == 1) return {};
  return format_text("1/{} of the resolution so far. Full resolution takes about {}.  ", now.divisor,
                     format_time(now.expected_ms.value_or(0)));
}

}  // namespace

void mandelbrot_legend(PictureLegend& legend, const Area& picture, const Area& inset,
                       const MandelbrotSettings& settings, const MandelbrotStats& now,
                       const render::Palette& palette) {
  const auto weight = [&](glm::vec2 point) { return inset.contains(point) ? 1.0f : 0.0f; };
  if (!legend.begin(picture, weight)) return;
  chips(settings, now, palette, picture.size.x < kBrief * ImGui::GetFontSize());
  legend.end();
}

namespace {

/// A sentence with a button, at the top of the picture. Returns the button's area, and whether it was
/// pressed.
std::pair<Area, bool> remark_over(const Area& picture, std::string_view why, const char* label,
                                  const char* hint) {
  const float font = ImGui::GetFontSize();
  if (picture.size.x < 12 * font || picture.size.y < 12 * font) return {};
  ImGui::SetNextWindowPos({picture.centre().x, picture.corner.y + 2 * font}, ImGuiCond_Always, {0.5f, 0});
  ImGui::Begin("##nothing", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::TextUnformatted(break_into_lines(why, picture.size.x - 4 * font, text_width).c_str());
  const bool pressed = ImGui::Button(label);
  const Area button = item_area();
  tooltip(hint);
  ImGui::End();
  return {button, pressed};
}

}  // namespace

Area nothing_here(const Area& picture, std::string_view why, MandelbrotEdit& edit, std::size_t steps_back) {
  const bool goes_back = steps_back > 0;
  const auto [button, pressed] = remark_over(picture, why, goes_back ? "Back" : "Whole set",
                                             goes_back ? "An earlier view" : "Fits the whole set (F)");
  if (pressed && goes_back) edit.commands.history -= static_cast<int>(steps_back);
  if (pressed && !goes_back) edit.shell.view.fit = true;
  return button;
}

Area incomplete_here(const Area& picture, MandelbrotEdit& edit) {
  const auto [button, pressed] =
      remark_over(picture, "The picture is not complete", "Compute it", "Computes the picture of this view");
  edit.commands.compute_again |= pressed;
  return button;
}

float mandelbrot_caption(const Area& area, const MandelbrotSettings& settings, const MandelbrotStats& now,
                         bool one_line) {
  const float height = begin_caption("##dwells", area, kDescriptionWidth, one_line);
  if (height == 0) return 0;
  ImGui::PushStyleColor(
      ImGuiCol_Text, now.divisor > 1 || now.is_outdated ? theme::colours().warning : theme::colours().muted);
  Text text = now.in_space ? volume_caption(now) : state(now);
  if (now.hovered && !now.in_space) {
    text.append(describe(*now.hovered, settings, now));
  } else if (!now.in_space && (!now.has_picture || now.divisor == 1)) {
    text.append(now.nothing_escapes(settings.config.dwell_limit)
                    ? format_text("Every pixel is at the dwell limit of {}. A higher one may show more.",
                                  settings.config.dwell_limit)
                    : Text(settings.config.set.julia
                               ? "Hover a point for its dwell and orbit. A right-click goes back to the set."
                               : "Hover a point for its dwell, orbit and Julia set. A click pins it, a "
                                 "right-click opens its Julia set."));
  }
  one_line ? elided_text(text, remaining_width()) : wrapped_text(text);
  ImGui::PopStyleColor();
  ImGui::End();
  return height;
}

}  // namespace loom::app
