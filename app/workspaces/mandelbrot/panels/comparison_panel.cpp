#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/text/text.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"
#include "app/workspaces/mandelbrot/panels/mandelbrot_panels.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "compute/core/input_text.h"

namespace loom::app {
namespace {

constexpr int kComparedRows = 4;

const char* full_name(MandelbrotMethod method) {
  return value_for<MandelbrotMethod::kAsk>(
      {"Exhaustive", "Dynamic parallelism (DP)", "Adaptive serial kernels (ASK)"}, method);
}

const char* short_name(MandelbrotMethod method) {
  return value_for<MandelbrotMethod::kAsk>({"Exhaustive", "DP", "ASK"}, method);
}

/// How the device executes the method, if not by kernel launches.
const char* execution_of(MandelbrotMethod method, const Device& device) {
  if (device.warps) return "";
  return value_for<MandelbrotMethod::kAsk>(
      {"one parallel loop on the CPU", "emulated by recursive CPU tasks", "one parallel CPU loop per level"},
      method);
}

/// The dwells of a method compared with the exhaustive ones; empty while not counted.
Text agreement_of(const MethodScore& score) {
  if (!score.different) return {};
  if (*score.different == 0) return "identical ✓";
  return plural(*score.different, score.in_space ? "sample" : "pixel")
      .append(*score.different == 1 ? " differs" : " differ");
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
    "Computed pixels or samples, counted, and their fraction of all. Those computed twice count twice";
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

/// Times of few runs repeat to two digits at best.
double noise_of(const MethodScores& scores) {
  constexpr std::size_t kManyRuns = 20;
  const bool few = std::ranges::any_of(scores, [](const MethodScore& one) { return one.runs < kManyRuns; });
  return few ? kLiveNoise : kTimeNoise;
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
  const bool fastest = is_fastest(times, own, score.milliseconds, noise_of(all));
  const Text speedup = time_remark(score.milliseconds, base, fastest);
  score_bar({.label = "Time",
             .share = times.share(own),
             .colour = colour,
             .value = score.milliseconds ? format_time(*score.milliseconds) : Text("–"),
             .remark = speedup,
             .is_best = fastest});
  tooltip(format_text("{}{}{}", speedup, speedup.empty() ? "" : ". ", kTimeTip));
  const bool fewest = pixels.is_lowest(own);
  const auto count = computed(score);
  score_bar({.label = score.in_space ? "Samples" : "Pixels",
             .share = pixels.share(own),
             .colour = colour,
             .value = count ? format_count(score.report->computed_pixels()) : Text("–"),
             .remark = count ? format_text("{}{}", fewest ? "✓ " : "",
                                           format_percent(*count / static_cast<double>(score.report->pixels)))
                             : Text(),
             .is_best = fewest});
  tooltip(count ? format_text("{} of all. {}",
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

namespace {

// A method without a picture has no time, so that there is no verdict.
void method_verdict(const MethodScores& scores, const std::vector<PaneArea>& areas) {
  const bool fails = std::ranges::any_of(scores, [](const MethodScore& one) { return !one.problem.empty(); });
  draw_verdict(areas, comparison_verdict(scores),
               fails ? "Not every method has a time" : "Measuring the methods...", kTimeTip);
}

}  // namespace

Text comparison_verdict(const MethodScores& scores) {
  ScoreValues times;
  std::array<std::string_view, kMandelbrotMethods.size()> names;
  for (const MethodScore& one : scores) {
    names[times.size()] = one.method == MandelbrotMethod::kExhaustive ? "exhaustive" : short_name(one.method);
    times.add(one.milliseconds);
  }
  const bool few = noise_of(scores) == kLiveNoise;
  Text text = verdict_of(times, names, few);
  if (!text.empty() && few) text.append(" (few runs)");
  return text;
}

void comparison_scores(const MethodScores& scores, const Device& device, const std::vector<PaneArea>& areas) {
  if (!has_score_room(areas)) return;
  method_verdict(scores, areas);
  for (const MethodScore& score : scores) {
    const auto i = static_cast<std::size_t>(score.method);
    begin_score(format_text("##method score {}", i).c_str(), areas[i].score);
    method_scores(score, scores, device);
    if (i == 0) mark_window(Control::kPanesMetrics);
    ImGui::End();
  }
}

void comparison_section(const MethodScores& scores, const Device& device) {
  const ScopedControlMark marked(Control::kPanesMetrics);
  method_verdict(scores, {});
  for (const MethodScore& score : scores) {
    ImGui::TextUnformatted(full_name(score.method));
    method_scores(score, scores, device);
  }
  ImGui::Separator();
}

namespace {

const char* words_of(CostRatio ratio) {
  return value_for<CostRatio::kMbrSpeedup>({"work reduction Ω (on the CPU each thread works alone)",
                                            "speedup T_Ex / T_SBR", "speedup T_Ex / T_MBR"},
                                           ratio);
}

/// The formula of the ratio, as in compute/mandelbrot/cost_model.h.
const char* formula_of(CostRatio ratio, int dimensions) {
  if (dimensions == 3) {
    return "Model: n³ A, the exhaustive work, divided by the work of subdivision: over all levels the faces "
           "of "
           "the regions, fills and splits (λ A each), plus the samples of the leaves (A each). r³ parts per "
           "split.";
  }
  return ratio == CostRatio::kWorkReduction
             ? "Model: n² A, the exhaustive work, divided by the work of subdivision. That is the sum over "
               "all "
               "levels of borders, fills and splits (λ A each), plus the pixels of the leaves (A each)."
             : "Model: A ⌈n² / (q c)⌉, the exhaustive time, divided by the time of subdivision. That is the "
               "sum "
               "over all levels of borders, fills and splits (λ A each) on q multiprocessors of c cores, "
               "plus "
               "the leaves.";
}

void fit_text(const MandelbrotStats& now) {
  const ModelFit& fit = *now.fit;
  const CostProblem& problem = fit.problem;
  const Text p = format_text("P = {:.3f}{}", problem.p, fit.p_fitted ? " (counted)" : " (assumed)");
  const Text lambda = format_text("λ = {:.3g}{}", problem.lambda,
                                  fit.lambda_fitted       ? " (fitted)"
                                  : fit.faster_than_model ? " (bound)"
                                                          : " (assumed)");
  wrapped_text(format_text("n = {:.0f}   A = {:.0f}   {}   {}", problem.n, problem.dwell, p, lambda));
  if (now.cost_ratio != CostRatio::kWorkReduction) {
    ImGui::Text("q = %.0f multiprocessors, c = %.0f cores each", problem.q, problem.c);
  }
  const Text predicted = fit.predicted ? format_ratio(*fit.predicted) : "none (g · r · B is greater than n)";
  const Text measured = fit.measured ? format_ratio(*fit.measured) : "not measured yet (K)";
  wrapped_text(format_text("model: {}   measured: {}", predicted, measured));
  note(format_text(
      "The model predicts the {}. Measured is the exhaustive time divided by the time of the method.",
      words_of(now.cost_ratio)));
  note(formula_of(now.cost_ratio, problem.dimensions));
  note(
      format_text("n: {}. A: work of one of them, the dwell limit. P {}. λ: cost of a split "
                  "in units of A, {}.",
                  problem.dimensions == 3 ? "samples on an axis" : "side of a square of as many pixels",
                  fit.p_fitted ? "counted: regions that split, divided by regions, without the last level"
                               : "assumed: probability that a region splits",
                  fit.lambda_fitted       ? "estimated: with it, the model equals the measurement"
                  : fit.faster_than_model ? "at its lower bound"
                  : fit.measured          ? "assumed"
                                          : "assumed until the exhaustive time is measured"));
  if (fit.faster_than_model) {
    note(
        "The method is faster than the model allows even if splits cost nothing. The model does not include "
        "early-stop, the periodicity check and tiles in leaves.");
  } else if (!fit.lambda_fitted && fit.measured) {
    note("λ is not fitted: with these values there is one level, and no region splits.");
  }
}

/// The values as a plot. There must be one.
plot::LandscapeFigure landscape_of(std::span<const std::optional<double>> values, const char* value_name,
                                   std::size_t best, const CostCut& marked) {
  plot::LandscapeFigure landscape;
  landscape.value_name = value_name;
  for (std::uint32_t i = 1; i <= kLandscapeSide; ++i) landscape.gs.push_back(1U << i);
  landscape.bs = landscape.gs;
  landscape.rs.assign(kLandscapeR.begin(), kLandscapeR.end());
  landscape.best = landscape.worst = *values[best];
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) continue;
    landscape.cells.push_back({landscape_cut(i), *values[i]});
    landscape.worst = std::min(landscape.worst, *values[i]);
  }
  landscape.optimum = landscape_cut(best);
  landscape.marked = marked;
  return landscape;
}

/// Draws one heat map for each r.
void landscape_row(CostModelPanelState::HeatMaps& maps, const char* name,
                   std::span<const std::optional<double>> values, const char* value_name,
                   MandelbrotEdit& edit) {
  note(name);
  const auto best = best_cell(values);
  if (!best) return;
  const auto describe = [](const CostCut& cut, std::optional<double> value) {
    const Text text = value ? format_ratio(*value) : "no value";
    return fmt::format("g {}, r {}, B {}: {}. Click to apply.", cut.g, cut.r, cut.b, text);
  };
  const CostCut marked = edit.settings.cut();
  if (!std::ranges::equal(values, maps.values) || !(marked == maps.marked)) {
    maps.values.assign(values.begin(), values.end());
    maps.marked = marked;
    maps.plot.set(landscape_of(values, value_name, *best, marked));
  }
  const auto clicked = maps.plot.show({remaining_width(), 0}, describe);
  if (clicked) edit.commands.apply_cut = *clicked;
  const CostCut cut = landscape_cut(*best);
  note(format_text("Solid frame: best, {} at g {}, r {}, B {}. Dashed frame: current.",
                   format_ratio(*values[*best]), cut.g, cut.r, cut.b));
}

void measured_row(CostModelPanelState::HeatMaps& maps, MandelbrotEdit& edit, const MandelbrotStats& now) {
  const bool any = !now.landscape_measured.empty();
  if (any) landscape_row(maps, "Measured", now.landscape_measured, "speedup", edit);
  if (choice_button(now.landscape_runs ? "Stop"
                    : any              ? "Measure again"
                                       : "Measure the landscape",
                    false, ImGui::GetFontSize() * 12, now.has_picture ? "" : "No picture yet",
                    "Times the method for every g, r and B on a second engine, a part per frame")) {
    edit.commands.measure_landscape = true;
  }
  Text text = "not measured yet";
  if (any) {
    text = format_text("{} of {} combinations at {} × {} pixels", now.landscape_done, kLandscapeCells,
                       now.landscape_view->width, now.landscape_view->height);
    if (now.landscape_stale) text.append(", another view or method");
  }
  note(text);
}

}  // namespace

void cost_model_panel(CostModelPanelState& state, MandelbrotEdit& edit, const MandelbrotStats& now) {
  if (edit.settings.config.method == MandelbrotMethod::kExhaustive) {
    note("The exhaustive method has no regions: choose DP or ASK.");
  } else if (now.fit) {
    {
      const ScopedControlMark marked(Control::kCostModel);
      fit_text(now);
    }
    ImGui::Separator();
    {
      const ScopedControlMark marked(Control::kLandscape);
      landscape_row(state.predicted, "Predicted", now.landscape_model,
                    now.cost_ratio == CostRatio::kWorkReduction ? "work reduction" : "speedup", edit);
    }
    if (!now.in_space) measured_row(state.measured, edit, now);
  } else {
    note("Computing...");
  }
}

namespace {

// In font sizes.
constexpr float kMinWidth = 18;
constexpr float kMinHeight = 18;
constexpr float kPictureAbove = 0.42f;  ///< fraction of the height that the picture keeps

Text words_of(const DwellRequest& request) {
  const MandelbrotConfig& config = request.config;
  Text words = format_text("{}", name_of(config.method));
  if (config.method != MandelbrotMethod::kExhaustive) words.add("-{}", name_of(config.scheme));
  return words.add(", {} × {}", request.picture.x, request.picture.y);
}

}  // namespace

Area TimelineStrip::split(Area& picture) const {
  const float font = ImGui::GetFontSize();
  if (picture.size.x < kMinWidth * font || picture.size.y < kMinHeight * font) return {};
  Area strip = picture;
  if (picture.size.x >= 1.35f * picture.size.y && picture.size.x >= 2 * kMinWidth * font) {
    picture.size.x = std::floor(picture.size.x / 2);
    strip.corner.x += picture.size.x;
    strip.size.x -= picture.size.x;
  } else {
    picture.size.y = std::floor(picture.size.y * kPictureAbove);
    strip.corner.y += picture.size.y;
    strip.size.y -= picture.size.y;
  }
  return strip;
}

void TimelineStrip::follow(const std::optional<DwellRecording>& recorded) {
  if (!recorded || recorded->number == number_) return;
  number_ = recorded->number;
  of_ = recorded->request;
  backend_name_ = recorded->backend_name;
  view_.take(recorded->timeline, recorded->problem);
}

void TimelineStrip::show(const Area& area, MandelbrotEdit& edit, const Subject& now) {
  level_.reset();
  if (area.empty()) return;
  begin_pane_window("##timeline of dwells", area);
  Text stale;
  if (of_ && (!of_->same_picture(now.request) || backend_name_ != now.backend_name)) {
    stale = format_text("recorded for another method or view: {}", words_of(*of_));
  }
  const bool record = view_.header(
      "Computes the image once more with instrumented copies of the kernels (Q shows or hides this)",
      now.recording);
  if (record) edit.commands.record_timeline = true;
  ImGui::SameLine();
  const float cross = ImGui::GetFrameHeight();
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(remaining_width() - cross, 0.0f));
  if (choice_button("x##timeline", false, cross, {}, "Hide the timeline (Q)")) {
    edit.settings.show_timeline = false;
  }
  if (!stale.empty()) warning(stale);
  if (!view_.problem().empty()) warning(view_.problem());
  if (view_.recorded() && of_) {
    if (stale.empty()) elided_text(words_of(*of_).add(" on {}", backend_name_), remaining_width());
    // The level under the cursor is valid only if the recording matches the current method and view.
    const auto under = view_.show().level;
    if (stale.empty()) level_ = under;
  }
  ImGui::End();
}

}  // namespace loom::app
