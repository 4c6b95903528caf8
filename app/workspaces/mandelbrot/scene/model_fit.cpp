#include "app/workspaces/mandelbrot/scene/model_fit.h"

#include <cmath>

namespace loom::app {

ModelFit fit_model(const MeasuredRun& run) {
  ModelFit fit;
  const auto& levels = run.report.levels;
  fit.problem = {.n = std::sqrt(static_cast<double>(run.report.pixels)),
                 .dwell = static_cast<double>(run.config.dwell_limit),
                 .p = 0.7,
                 .lambda = kAssumedLambda,
                 .q = run.q,
                 .c = run.c};
  std::uint64_t regions = 0;
  std::uint64_t splits = 0;
  for (std::size_t level = 0; level + 1 < levels.size(); ++level) {
    regions += levels[level].regions;
    splits += levels[level].splits;
  }
  if (regions > 0) {
    fit.problem.p = static_cast<double>(splits) / static_cast<double>(regions);
    fit.p_fitted = true;
  }
  if (run.exhaustive_ms && run.milliseconds > 0) fit.measured = *run.exhaustive_ms / run.milliseconds;

  const CostCut cut{run.config.g, run.config.r, run.config.b};
  if (!cost_levels(fit.problem, cut)) return fit;
  const auto ratio_at = [&](double lambda) {
    CostProblem problem = fit.problem;
    problem.lambda = lambda;
    return cost_ratio(run.ratio, problem, cut);
  };
  if (fit.measured && fit.p_fitted) {
    // The model's cost is linear in lambda, and so is the inverse ratio.
    const double free_splits = 1 / ratio_at(0);
    const double a_split = 1 / ratio_at(1) - free_splits;
    const double wanted = 1 / *fit.measured - free_splits;
    fit.faster_than_model = wanted < 0;
    if (fit.faster_than_model) fit.problem.lambda = 0;
    if (wanted >= 0 && a_split > 0) {
      fit.problem.lambda = wanted / a_split;
      fit.lambda_fitted = true;
    }
  }
  fit.predicted = ratio_at(fit.problem.lambda);
  return fit;
}

}  // namespace loom::app
