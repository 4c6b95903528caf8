#include "app/workspaces/mandelbrot/panels/cost_model_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/heat_map.h"
#include "app/widgets/text.h"

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
  const Text measured = fit.measured ? format_ratio(*fit.measured) : "not measured yet (E)";
  wrapped_text(format_text("model: {}   measured: {}", predicted, measured));
  note(format_text(
      "The model predicts the {}. Measured is the exhaustive time divided by the time of the method.",
      words_of(now.cost_ratio)));
  if (fit.faster_than_model) {
    note(
        "The method is faster than the model allows even if splits cost nothing. The model does not include "
        "early-stop, the periodicity check and tiles in leaves.");
  } else if (!fit.lambda_fitted && fit.measured) {
    note("λ is not fitted: with these values there is one level, and no region splits.");
  }
}

struct MapRow {
  const char* name;
  std::span<const std::optional<double>> values;
};

/// Draws one heat map for each r.
void landscape_row(const MapRow& row, MandelbrotEdit& edit, const render::Palette& palette) {
  constexpr std::size_t kCells = kLandscapeSide * kLandscapeSide;
  double low = 1e300;
  double high = 0;
  for (const auto& value : row.values) {
    if (!value) continue;
    low = std::min(low, *value);
    high = std::max(high, *value);
  }
  const auto best = best_cell(row.values);
  const MandelbrotConfig& config = edit.settings.config;
  const auto present = landscape_cell({config.g, config.r, config.b});
  note(row.name);
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float width = equal_width(static_cast<int>(kLandscapeR.size()));
  for (std::size_t i = 0; i < kLandscapeR.size(); ++i) {
    if (i > 0) ImGui::SameLine(0, gap);
    const Text title = format_text("r = {}", kLandscapeR[i]);
    const auto within = [&](std::optional<std::size_t> cell) -> std::optional<std::size_t> {
      if (!cell || *cell / kCells != i) return std::nullopt;
      return *cell % kCells;
    };
    const HeatMap map{.title = title.c_str(),
                      .rows = "g",
                      .columns = "B",
                      .values = row.values.subspan(i * kCells, kCells),
                      .side = kLandscapeSide,
                      .low = low,
                      .high = high,
                      .best = within(best),
                      .present = within(present)};
    const auto describe = [&](std::size_t index) {
      const std::size_t cell = i * kCells + index;
      const CostCut cut = landscape_cut(cell);
      const Text value = row.values[cell] ? format_ratio(*row.values[cell]) : "no value";
      return fmt::format("g {}, r {}, B {}: {}. Click to apply.", cut.g, cut.r, cut.b, value);
    };
    if (const auto clicked = heat_map(map, palette, width, describe)) {
      edit.commands.apply_cut = landscape_cut(i * kCells + *clicked);
    }
  }
  if (!best) return;
  const CostCut cut = landscape_cut(*best);
  note(format_text("{} to {}, best at g {}, r {}, B {} (white)", format_ratio(low), format_ratio(high), cut.g,
                   cut.r, cut.b));
}

void measured_row(MandelbrotEdit& edit, const MandelbrotStats& now, const render::Palette& palette) {
  const bool any = !now.landscape_measured.empty();
  if (any) landscape_row({"Measured", now.landscape_measured}, edit, palette);
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

void cost_model_panel(MandelbrotEdit& edit, const MandelbrotStats& now, const render::Palette& palette) {
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
      landscape_row({"Predicted", now.landscape_model}, edit, palette);
    }
    measured_row(edit, now, palette);
  } else {
    note("Computing...");
  }
}

}  // namespace loom::app
