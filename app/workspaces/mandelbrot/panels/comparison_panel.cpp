#include "app/workspaces/mandelbrot/panels/comparison_panel.h"

#include <imgui.h>

#include <array>
#include <optional>

#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/widgets/score_bar.h"
#include "app/widgets/text.h"
#include "app/workspaces/mandelbrot/scene/dwell_colours.h"

namespace loom::app {
namespace {

constexpr int kComparedRows = 4;

const char* full_name(MandelbrotMethod method) {
  switch (method) {
    case MandelbrotMethod::kExhaustive:
      return "Exhaustive";
    case MandelbrotMethod::kDp:
      return "Dynamic parallelism (DP)";
    case MandelbrotMethod::kAsk:
      return "Adaptive serial kernels (ASK)";
  }
  return "";
}

const char* short_name(MandelbrotMethod method) {
  switch (method) {
    case MandelbrotMethod::kExhaustive:
      return "Exhaustive";
    case MandelbrotMethod::kDp:
      return "DP";
    case MandelbrotMethod::kAsk:
      return "ASK";
  }
  return "";
}

/// How the device executes the method, if not by kernel launches.
const char* execution_of(MandelbrotMethod method, const Device& device) {
  if (device.warps) return "";
  switch (method) {
    case MandelbrotMethod::kExhaustive:
      return "one parallel loop on the CPU";
    case MandelbrotMethod::kDp:
      return "emulated by recursive CPU tasks";
    case MandelbrotMethod::kAsk:
      return "one parallel CPU loop per level";
  }
  return "";
}

/// The dwells of a method compared with the exhaustive ones; empty while not counted.
Text agreement_of(const MethodScore& score) {
  if (!score.different) return {};
  if (*score.different == 0) return "identical ✓";
  return plural(*score.different, "pixel").append(*score.different == 1 ? " differs" : " differ");
}

/// The heading of a pane, the longest that fits `width`.
Text heading_of(const MethodScore& score, const Device& device, bool active, float width) {
  const char* const mark = active ? " (active)" : "";
  if (!score.problem.empty()) return format_text("{}: {}", short_name(score.method), score.problem);
  const Text agreement = agreement_of(score);
  const std::string_view execution = execution_of(score.method, device);
  const auto joined = [&](const char* name, std::string_view how) {
    Text text = format_text("{}{}", name, mark);
    if (!how.empty()) text.add(", {}", how);
    if (!agreement.empty()) text.add("  ·  {}", agreement);
    return text;
  };
  const bool emulated = !execution.empty() && score.method == MandelbrotMethod::kDp;
  for (const Text& text :
       std::array{joined(full_name(score.method), execution), joined(short_name(score.method), execution),
                  joined(full_name(score.method), emulated ? "emulated" : ""),
                  joined(short_name(score.method), emulated ? "emulated" : "")}) {
    if (text_width(text) <= width) return text;
  }
  const Text brief = joined(short_name(score.method), "");
  if (agreement.empty() || text_width(brief) <= width) return brief;
  return format_text("{} · {}", short_name(score.method), agreement);
}

constexpr const char* kTimeTip =
    "Measured: median of the runs at full resolution, one sample per pixel. One engine at a time computes "
    "the "
    "same view on the same device. Speedup over the exhaustive method";
constexpr const char* kPixelsTip =
    "Computed pixels, counted, and their fraction of all pixels. Those computed twice count twice";
constexpr const char* kRegionsTip = "Counted: regions on all levels. The exhaustive method has none";

const char* launches_tip(const MethodScore& score, const Device& device) {
  if (!device.warps) {
    return score.method == MandelbrotMethod::kDp
               ? "Counted: tasks of the CPU's threads, one per region, in place of kernel launches"
               : "Counted: parallel loops of the CPU's threads, in place of kernel launches";
  }
  return "Counted: kernel launches from the host and, with DP, from the device. Long work is divided into "
         "several";
}

void method_scores(const MethodScore& score, const MethodScores& all, const Device& device) {
  ScoreValues times;
  ScoreValues pixels;
  ScoreValues launches;
  ScoreValues regions;
  const auto computed = [](const MethodScore& one) {
    return one.report ? std::optional(static_cast<double>(one.report->computed_pixels())) : std::nullopt;
  };
  const auto launched = [](const MethodScore& one) {
    return one.report ? std::optional(static_cast<double>(one.report->launches)) : std::nullopt;
  };
  for (const MethodScore& one : all) {
    times.add(one.milliseconds);
    pixels.add(computed(one));
    launches.add(launched(one));
    regions.add(one.report ? std::optional(static_cast<double>(count_regions(*one.report))) : std::nullopt);
  }
  const auto own = static_cast<std::size_t>(score.method);
  const ImU32 colour = score_colour(colour_of(score.method));
  const std::optional<double> base =
      score.method == MandelbrotMethod::kExhaustive ? std::nullopt : all.front().milliseconds;
  const bool fastest = is_fastest(times, own, score.milliseconds);
  const Text speedup = time_remark(score.milliseconds, base, fastest);
  score_bar({.label = "Time",
             .share = times.share(own),
             .colour = colour,
             .value = score.milliseconds ? format_ms(*score.milliseconds).append(" ms") : Text("–"),
             .remark = speedup,
             .is_best = fastest});
  tooltip(format_text("{}{}{}", speedup, speedup.empty() ? "" : ". ", kTimeTip));
  const bool fewest = pixels.is_lowest(own);
  const auto count = computed(score);
  score_bar({.label = "Pixels",
             .share = pixels.share(own),
             .colour = colour,
             .value = count ? format_count(score.report->computed_pixels()) : Text("–"),
             .remark = count ? format_text("{}{}", fewest ? "✓ " : "",
                                           format_percent(*count / static_cast<double>(score.report->pixels)))
                             : Text(),
             .is_best = fewest});
  tooltip(count ? format_text("{} of all pixels. {}",
                              format_percent(*count / static_cast<double>(score.report->pixels)), kPixelsTip)
                : Text(kPixelsTip));
  const bool loops = !device.warps && score.method != MandelbrotMethod::kDp;
  score_bar({.label = "Launches",
             .share = launches.share(own),
             .colour = colour,
             .value = score.report ? format_count(score.report->launches) : Text("–"),
             .remark = device.warps ? ""
                       : loops      ? "CPU loops"
                                    : "CPU tasks"});
  tooltip(launches_tip(score, device));
  score_bar({.label = "Regions",
             .share = regions.share(own),
             .colour = colour,
             .value = score.report ? format_count(count_regions(*score.report)) : Text("–")});
  tooltip(kRegionsTip);
}

}  // namespace

void layout_comparison(const Area& area, float font_size, std::vector<PaneArea>& areas) {
  layout_panes(area, kMandelbrotMethods.size(), font_size, score_height(kComparedRows), areas);
  for (PaneArea& pane : areas) pane.picture.size = areas.front().picture.size;
}

void comparison_headers(MandelbrotEdit& edit, const MethodScores& scores, const Device& device,
                        const std::vector<PaneArea>& areas) {
  for (const MethodScore& score : scores) {
    const auto i = static_cast<std::size_t>(score.method);
    const Area& area = areas[i].header;
    if (area.empty()) continue;
    const bool active = edit.settings.config.method == score.method;
    begin_pane_header(format_text("##method pane {}", i).c_str(), area, colour_of(score.method));
    const bool wrong = !score.problem.empty() || score.different.value_or(0) > 0;
    ImGui::PushStyleColor(ImGuiCol_Text, wrong    ? theme::colours().warning
                                         : active ? theme::colours().accent
                                                  : theme::colours().text);
    const float width = remaining_width();
    elided_text(heading_of(score, device, active, width), width);
    ImGui::PopStyleColor();
    ImGui::SetCursorScreenPos(area.corner);
    if (ImGui::InvisibleButton("##activate", area.size) && !active) {
      set_method(edit.settings.config, score.method);
      edit.settings.automatic = false;
    }
    if (!score.problem.empty()) {
      tooltip(score.problem);
    } else if (wrong) {
      tooltip(
          format_text("{}: their region's border has one dwell, but they have another (Mariani-Silver). "
                      "{}",
                      agreement_of(score), active ? "" : "A click makes this method the active one"));
    } else if (!active) {
      const char* const how = execution_of(score.method, device);
      tooltip(format_text("Makes {} the active method, which the controls set ({}){}{}",
                          short_name(score.method), i + 1, *how != 0 ? ". Here: " : "", how));
    }
    ImGui::End();
  }
}

void comparison_scores(const MethodScores& scores, const Device& device, const std::vector<PaneArea>& areas) {
  if (needs_comparison_section(areas)) return;
  for (const MethodScore& score : scores) {
    const auto i = static_cast<std::size_t>(score.method);
    begin_score(format_text("##method score {}", i).c_str(), areas[i].score);
    method_scores(score, scores, device);
    if (i == 0) mark_window(Control::kPanesMetrics);
    ImGui::End();
  }
}

bool needs_comparison_section(const std::vector<PaneArea>& areas) {
  return areas.size() < 2 || areas.front().score.empty();
}

void comparison_section(const MethodScores& scores, const Device& device) {
  const ScopedControlMark marked(Control::kPanesMetrics);
  for (const MethodScore& score : scores) {
    ImGui::TextUnformatted(full_name(score.method));
    method_scores(score, scores, device);
  }
  ImGui::Separator();
}

}  // namespace loom::app
