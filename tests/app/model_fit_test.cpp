#include <gtest/gtest.h>

#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"

namespace loom::app {
namespace {

MeasuredRun run_of(double p, double lambda, CostRatio ratio) {
  MeasuredRun run{.ratio = ratio, .config = {.g = 4, .r = 2, .b = 16}, .q = 132, .c = 128};
  run.report.pixels = 4096 * 4096;
  const auto regions = [](std::uint64_t all, std::uint64_t splits) {
    MandelbrotLevel level;
    level.regions = all;
    level.splits = splits;
    return level;
  };
  // The last level cannot split and says nothing about P.
  run.report.levels = {regions(1000, static_cast<std::uint64_t>(1000 * p)), regions(50000, 0)};
  run.milliseconds = 10;
  CostProblem problem{.n = 4096, .dwell = 512, .p = p, .lambda = lambda, .q = 132, .c = 128};
  run.exhaustive_ms = 10 * cost_ratio(ratio, problem, {4, 2, 16});
  return run;
}

TEST(ModelFit, FindsThePAndLambdaThatMadeTheTimes) {
  for (const CostRatio ratio : {CostRatio::kWorkReduction, CostRatio::kSbrSpeedup, CostRatio::kMbrSpeedup}) {
    const ModelFit fit = fit_model(run_of(0.625, 37, ratio));
    EXPECT_TRUE(fit.p_fitted);
    EXPECT_DOUBLE_EQ(fit.problem.p, 0.625);
    ASSERT_TRUE(fit.lambda_fitted);
    EXPECT_NEAR(fit.problem.lambda, 37, 1e-6);
    EXPECT_NEAR(*fit.predicted, *fit.measured, 1e-9);
  }
}

TEST(ModelFit, SaysWhereTheRunIsFasterThanTheModelCanBe) {
  MeasuredRun run = run_of(0.625, 0, CostRatio::kWorkReduction);
  *run.exhaustive_ms *= 2;
  const ModelFit fit = fit_model(run);
  EXPECT_TRUE(fit.faster_than_model);
  EXPECT_FALSE(fit.lambda_fitted);
  EXPECT_EQ(fit.problem.lambda, 0);
  EXPECT_NEAR(*fit.measured, 2 * *fit.predicted, 1e-9);
}

TEST(ModelFit, AssumesWhatWasNotMeasured) {
  MeasuredRun run = run_of(0.5, 3, CostRatio::kWorkReduction);
  run.exhaustive_ms.reset();
  ModelFit fit = fit_model(run);
  EXPECT_FALSE(fit.measured.has_value());
  EXPECT_FALSE(fit.lambda_fitted);
  EXPECT_EQ(fit.problem.lambda, kAssumedLambda);
  EXPECT_TRUE(fit.predicted.has_value());
  run.report.levels.resize(1);
  EXPECT_FALSE(fit_model(run).p_fitted) << "a single level never splits";
  run.config.g = 1024;
  run.config.b = 1024;
  EXPECT_FALSE(fit_model(run).predicted.has_value()) << "no level is left";
}

TEST(Landscape, EveryCutHasOneCell) {
  for (std::size_t cell = 0; cell < kLandscapeCells; ++cell) {
    for (std::size_t other = 0; other < cell; ++other) EXPECT_NE(landscape_cut(other), landscape_cut(cell));
  }
  EXPECT_EQ(landscape_cut(0), (CostCut{2, 2, 2}));
  EXPECT_EQ(landscape_cut(kLandscapeCells - 1), (CostCut{256, 8, 256}));
}

TEST(Landscape, TheModelsBestIsThatOfTheSearch) {
  const CostProblem problem{.n = 65536, .dwell = 16, .p = 0.7, .lambda = 100, .q = 128, .c = 64};
  const LandscapeValues values = model_landscape(CostRatio::kWorkReduction, problem);
  const auto best = best_cell(values);
  ASSERT_TRUE(best.has_value());
  EXPECT_EQ(landscape_cut(*best), (CostCut{2, 2, 8}));
  EXPECT_NEAR(*values[*best], 10.41, 0.005);
  EXPECT_FALSE(best_cell(LandscapeValues(4)).has_value());
}

TEST(Landscape, MeasuresEveryCutBesideAndStopsWhenItIsTold) {
  Landscape landscape;
  landscape.start({.dwell_limit = 8}, {{-0.5, 0}, 2}, {40, 30}, {{}, "test"});
  EXPECT_EQ(landscape.view()->width, 40u) << "a small view is not scaled down";
  EXPECT_TRUE(landscape.running());
  landscape.poll(kNoTimeout);
  EXPECT_FALSE(landscape.running());
  EXPECT_EQ(landscape.done(), kLandscapeCells);
  LandscapeValues values;
  landscape.values(values);
  for (const auto& value : values) {
    ASSERT_TRUE(value.has_value());
    EXPECT_GT(*value, 0);
  }
  landscape.start({}, {{-0.5, 0}, 2}, {1280, 640}, {{}, "test"});
  EXPECT_EQ(landscape.view()->width, 320u);
  EXPECT_EQ(landscape.view()->height, 160u);
  landscape.stop();
  landscape.poll(kNoTimeout);
  EXPECT_FALSE(landscape.running());
  EXPECT_LT(landscape.done(), kLandscapeCells);
}

}  // namespace
}  // namespace loom::app
