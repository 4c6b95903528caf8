#include "app/bench/sweep_runner.h"

#include <gtest/gtest.h>

#include <memory>
#include <new>

#include "app/bench/axes.h"
#include "app/bench/plan.h"
#include "app/bench/results.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app::bench {
namespace {

using Status = SweepRunner::Status;

/// Cases of the gasket at these levels: CPU, bounding box, tile size 1.
std::vector<Case> cases_at(const std::string& levels) {
  std::vector<Case> cases;
  for (int level : parse_levels(levels)) {
    cases.push_back(MapCase{.config = {.fractal = find_fractal("sierpinski-gasket"),
                                       .level = level,
                                       .tile_size = 1,
                                       .method = {.map = MapKind::kBoundingBox}},
                            .backend = {{}, "selected"}});
  }
  return cases;
}

/// A few milliseconds per case.
Sampling brief() {
  Sampling sampling;
  sampling.max_samples = 2;
  sampling.max_seconds = 0.001;
  return sampling;
}

/// The shortest slice: one step.
constexpr std::chrono::steady_clock::duration kOneStep{0};

void run_to_end(SweepRunner& runner) {
  while (!runner.ended()) runner.run(std::chrono::milliseconds(8));
}

TEST(SweepRunner, MeasuresEveryCaseInItsOrder) {
  SweepRunner runner({}, cases_at("2..4"), brief());
  EXPECT_EQ(runner.status(), Status::kRunning);
  run_to_end(runner);
  EXPECT_EQ(runner.status(), Status::kDone);
  const Results& results = runner.results();
  ASSERT_EQ(results.rows.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(results.rows[i]["level"], std::get<MapCase>(runner.cases()[i]).config.level);
    EXPECT_TRUE(results.rows[i].measured());
  }
  EXPECT_EQ(results.planned, 3u);
  EXPECT_TRUE(results.complete);
  EXPECT_FALSE(results.interrupted);
  EXPECT_EQ(runner.seconds_left(), 0);
}

TEST(SweepRunner, TheEstimateKnowsLimitsAndArithmetic) {
  const auto seconds = [](MapMethod method, double most) {
    const Case one = MapCase{
        .config = {
            .fractal = find_fractal("sierpinski-gasket"), .level = 11, .tile_size = 2, .method = method}};
    return RemainingTime({one}, {.max_seconds = most}).seconds();
  };
  const double table = seconds({.map = MapKind::kLambda, .arithmetic = MapArithmetic::kTable}, 20);
  EXPECT_GT(seconds({.map = MapKind::kLambda, .arithmetic = MapArithmetic::kTensor1}, 20), 2 * table);
  EXPECT_LT(seconds({.map = MapKind::kCompact, .arithmetic = MapArithmetic::kTensor}, 0.5), 0.6);
  EXPECT_EQ(seconds({.map = MapKind::kCompact, .arithmetic = MapArithmetic::kTensor1}, 20), 0)
      << "it is skipped";
}

TEST(SweepRunner, ASliceIsAtLeastOneStepAndNoMoreThanItsBudget) {
  SweepRunner runner({}, cases_at("2..4"), brief());
  int slices = 0;
  for (; !runner.ended(); ++slices) {
    const std::size_t before = runner.done();
    runner.run(kOneStep);
    EXPECT_LE(runner.done(), before + 1) << "a slice without a time budget is a single step";
  }
  // Each of three cases takes at least three steps: the engine, the first generation, and a second one to
  // warm up.
  EXPECT_GE(slices, 3 * 3);
  SweepRunner whole({}, cases_at("2..4"), brief());
  whole.run(std::chrono::hours(1));
  EXPECT_TRUE(whole.ended()) << "a slice continues while it has time left";
}

TEST(SweepRunner, APauseKeepsTheConfigurationUnderWay) {
  SweepRunner runner({}, cases_at("2..3"), brief());
  runner.run(kOneStep);
  runner.pause();
  EXPECT_EQ(runner.status(), Status::kPaused);
  runner.run(std::chrono::hours(1));
  EXPECT_EQ(runner.done(), 0u) << "nothing is measured while paused";
  EXPECT_GT(runner.seconds_left(), 0);
  runner.resume();
  run_to_end(runner);
  EXPECT_EQ(runner.done(), 2u);
  EXPECT_TRUE(runner.results().complete);
}

TEST(SweepRunner, StopKeepsWhatIsDone) {
  SweepRunner runner({}, cases_at("2..6"), brief());
  while (runner.done() < 2) runner.run(kOneStep);
  runner.run(kOneStep);
  runner.stop();
  EXPECT_EQ(runner.status(), Status::kStopped);
  runner.run(std::chrono::hours(1));
  runner.resume();
  runner.pause();
  EXPECT_EQ(runner.status(), Status::kStopped);
  const Results& results = runner.results();
  EXPECT_EQ(results.rows.size(), 2u);
  EXPECT_TRUE(results.interrupted);
  EXPECT_FALSE(results.complete);
  EXPECT_EQ(results.planned, 5u);
}

TEST(SweepRunner, WhatDoesNotFitIsSkippedWithTheReasonAndTheRestGoesOn) {
  SweepRunner runner({}, cases_at("2,30,3"), brief());
  run_to_end(runner);
  const Results& results = runner.results();
  ASSERT_EQ(results.rows.size(), 3u);
  EXPECT_EQ(runner.skipped(), 1u);
  EXPECT_TRUE(results.rows[1].measured());
  EXPECT_NE(results.rows[2].skipped().find("largest level that fits"), std::string::npos);
  EXPECT_TRUE(results.complete);
}

TEST(SweepRunner, AnInvalidConfigurationIsRefusedBeforeAnythingIsMeasured) {
  auto cases = cases_at("2..3");
  std::get<MapCase>(cases[1]).config.tile_size = 3;
  EXPECT_THROW(SweepRunner({}, cases, brief()), InputError);
}

TEST(SweepRunner, WithoutCasesItIsDone) {
  SweepRunner runner({}, {}, brief());
  EXPECT_EQ(runner.status(), Status::kDone);
  EXPECT_TRUE(runner.results().complete);
}

/// Cases of n x n images of the Mandelbrot set.
std::vector<Case> images_of(const std::vector<std::uint32_t>& sizes) {
  std::vector<Case> cases;
  for (const std::uint32_t n : sizes) {
    cases.push_back(MandelbrotCase{{.g = 2, .b = 4}, {{}, n, n}, {{}, "selected"}});
  }
  return cases;
}

TEST(SweepRunner, MeasuresTheMandelbrotSetByTheSameSlices) {
  SweepRunner runner(Results(SweepKind::kMandelbrot), images_of({32, 48, 64}), brief());
  while (runner.done() < 1) runner.run(kOneStep);
  runner.pause();
  runner.run(std::chrono::hours(1));
  EXPECT_EQ(runner.done(), 1u);
  runner.resume();
  while (runner.done() < 2) runner.run(kOneStep);
  runner.stop();
  EXPECT_EQ(runner.status(), Status::kStopped);
  const Results& results = runner.results();
  ASSERT_EQ(results.rows.size(), 2u);
  EXPECT_EQ(results.rows[1]["width"], 48u);
  EXPECT_EQ(results.rows[1]["pixels"], 48u * 48u);
  EXPECT_TRUE(results.interrupted);
  EXPECT_FALSE(results.complete);
  EXPECT_EQ(results.planned, 3u);
}

TEST(SweepRunner, AnImageThatDoesNotFitIsSkippedAndTheRestGoesOn) {
  SweepRunner runner(Results(SweepKind::kMandelbrot), images_of({32, 1 << 20, 64}), brief());
  run_to_end(runner);
  const auto& entries = runner.results().rows;
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_TRUE(entries[0].measured() && entries[2].measured());
  EXPECT_NE(entries[1].skipped().find("are free"), std::string::npos) << entries[1].skipped();
  EXPECT_EQ(runner.skipped(), 1u);
}

/// A measurement that returns scripted times instead of running an engine.
class Scripted : public Measurement {
 public:
  Scripted(const Case& one, const Sampling& sampling) : Measurement(sampling, {}, 1), case_(one) {}
  Row row() const override {
    Row row = describe(case_);
    set_times(row, sampler().summary(), sampler().limited());
    return row;
  }

 protected:
  Rounds run(std::uint32_t rounds) override {
    ++runs_;
    return {runs_ <= 2 ? 1000.0 : 10.0 * runs_, rounds};  // the warm-up is slow
  }

 private:
  Case case_;
  int runs_ = 0;
};

TEST(SweepRunner, StatisticsAreOfTheSamplesWithoutTheWarmUp) {
  Sampling sampling;
  sampling.max_samples = 3;
  const auto begin = [](const Case& one, const Sampling& how,
                        ProgressMonitor*) -> std::unique_ptr<Measurement> {
    return std::make_unique<Scripted>(one, how);
  };
  SweepRunner runner({}, cases_at("2"), sampling, begin);
  run_to_end(runner);
  const Row& row = runner.results().rows.at(0);
  EXPECT_EQ(row["samples"], 3u);
  EXPECT_EQ(row.number("median_ms") - row.number("min_ms"), 10) << "three samples, 10 ms apart";
  EXPECT_EQ(row.number("p95_ms") - row.number("min_ms"), 20);
  EXPECT_EQ(row["limited"], true);
}

TEST(SweepRunner, ACancelEndsTheBuildingOfAnEngineAndLeavesNoEntry) {
  // Level 13 of the gasket has 1.6 million cells.
  Sampling sampling = brief();
  SweepRunner runner({}, cases_at("13"), sampling);
  ProgressMonitor watch;
  watch.cancel_at_poll(2);  // after the poll that precedes the step
  EXPECT_THROW(runner.work(std::chrono::seconds(0), &watch), OperationCancelled);
  runner.take();
  EXPECT_EQ(runner.done(), 0u);
  EXPECT_EQ(runner.skipped(), 0u);
  watch.reset();
  watch.cancel();
  EXPECT_THROW(runner.work(std::chrono::seconds(0), &watch), OperationCancelled) << "cancelled before a step";
  run_to_end(runner);
  EXPECT_EQ(runner.done(), runner.cases().size()) << "the sweep continues after the cancellation";
}

TEST(SweepRunner, WhatFailsIsSkippedWithItsReasonButALostDeviceIsNot) {
  int calls = 0;
  const auto begin = [&calls](const Case&, const Sampling&,
                              ProgressMonitor*) -> std::unique_ptr<Measurement> {
    switch (calls++) {
      case 0:
        throw InputError("no such combination");
      case 1:
        throw std::bad_alloc();
      case 2:
        throw MachineError("no child could start");
      default:
        throw DeviceFault("illegal address");
    }
  };
  SweepRunner runner({}, cases_at("2..5"), brief(), begin);
  EXPECT_THROW(run_to_end(runner), DeviceFault);
  const auto& entries = runner.results().rows;
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].skipped(), "no such combination");
  EXPECT_EQ(entries[1].skipped(), "out of memory");
  EXPECT_EQ(entries[2].skipped(), "no child could start");
  EXPECT_FALSE(runner.results().complete);
}

/// The plan of a preset at sizes that are measured quickly.
Plan tiny_plan(const Preset& preset) {
  Plan plan;
  plan.preset = preset.name;
  plan.texts = default_axes(preset.kind);
  override_texts(plan.texts, preset.axes);
  plan.texts["backend"] = "cpu";
  if (preset.kind == SweepKind::kMaps) {
    override_texts(plan.texts, {{"level", "2,3"}, {"block", "1,4"}});
  } else {
    override_texts(plan.texts, {{"size", "64"}, {"g", "2,4"}, {"r", "2"}, {"b", "4,8"}});
    if (preset.name == "deep-zoom") override_texts(plan.texts, {{"size", "16"}});
  }
  plan.axes = parse_axes(preset.kind, plan.texts, {});
  plan.sampling = brief();
  return plan;
}

TEST(SweepRunner, EveryPresetRunsToItsEndAndItsDocumentIsReadBack) {
  for (const Preset& preset : presets()) {
    const Plan plan = tiny_plan(preset);
    auto cases = expand(plan.axes);
    ASSERT_GT(cases.size(), 1u) << preset.name;
    const std::size_t planned = cases.size();
    const auto refused = std::ranges::count_if(cases, [](const Case& one) {
      const auto* const dwells = std::get_if<MandelbrotCase>(&one);
      return dwells != nullptr && !precision_problem(dwells->config.precision, dwells->view).empty();
    });
    EXPECT_EQ(refused > 0, preset.name == "deep-zoom") << "no precision shows every depth";
    SweepRunner runner(new_results(plan, {}, planned), std::move(cases), plan.sampling);
    run_to_end(runner);
    const Results& results = runner.results();
    EXPECT_EQ(results.rows.size(), planned) << preset.name;
    EXPECT_EQ(runner.skipped(), static_cast<std::size_t>(refused)) << preset.name;
    EXPECT_TRUE(results.complete) << preset.name;
    EXPECT_EQ(results.kind, preset.kind);
    EXPECT_TRUE(parse_results(document_text(results), preset.name) == results) << preset.name;
  }
}

}  // namespace
}  // namespace loom::app::bench
