#include "app/workspaces/mandelbrot/panels/cost_model_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/text/text.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/diagram_painter.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"

namespace loom::app {
namespace {

const char* words_of(CostRatio ratio) {
  switch (ratio) {
    case CostRatio::kWorkReduction:
      return "work reduction Ω (on the CPU each thread works alone)";
    case CostRatio::kSbrSpeedup:
      return "speedup T_Ex / T_SBR";
    case CostRatio::kMbrSpeedup:
      return "speedup T_Ex / T_MBR";
  }
  return "";
}

/// The formula of the ratio, as in compute/mandelbrot/cost_model.h.
const char* formula_of(CostRatio ratio) {
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
  note(formula_of(now.cost_ratio));
  note(format_text(
      "n: side of a square of as many pixels. A: work of a pixel, the dwell limit. P {}. λ: cost of a split "
      "in units of A, {}.",
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
                                   std::size_t best, const MandelbrotConfig& config) {
  plot::LandscapeFigure landscape;
  landscape.value_name = value_name;
  for (std::uint32_t i = 1; i <= kLandscapeSide; ++i) landscape.gs.push_back(1U << i);
  landscape.bs = landscape.gs;
  for (const std::uint32_t r : kLandscapeR) landscape.panels.push_back({r, {}});
  landscape.best = landscape.worst = *values[best];
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) continue;
    const CostCut cut = landscape_cut(i);
    const auto panel = std::find(kLandscapeR.begin(), kLandscapeR.end(), cut.r) - kLandscapeR.begin();
    landscape.panels[static_cast<std::size_t>(panel)].cells.push_back({cut.g, cut.b, *values[i]});
    landscape.worst = std::min(landscape.worst, *values[i]);
  }
  landscape.optimum = landscape_cut(best);
  landscape.marked = CostCut{config.g, config.r, config.b};
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
  const MandelbrotConfig& config = edit.settings.config;
  const CostCut marked{config.g, config.r, config.b};
  if (!std::ranges::equal(values, maps.values) || !(marked == maps.marked)) {
    maps.values.assign(values.begin(), values.end());
    maps.marked = marked;
    maps.plot.set(landscape_of(values, value_name, *best, config));
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
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  Text text = "not measured yet";
  if (any) {
    text = format_text("{} of {} combinations at {} × {} pixels", now.landscape_done, kLandscapeCells,
                       now.landscape_view->width, now.landscape_view->height);
    if (now.landscape_stale) text.append(", another view or method");
  }
  elided_text(text, remaining_width());
}

}  // namespace

void cost_model_panel(CostModelPanelState& state, MandelbrotEdit& edit, const MandelbrotStats& now) {
  const bool unfolded = section("Cost model", edit.settings.show_model);
  if (!unfolded) return;
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
    measured_row(state.measured, edit, now);
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
