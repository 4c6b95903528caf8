#include "app/bench/sweep_runner.h"

#include <gtest/gtest.h>

#include "app/bench/axis_text.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app::bench {
namespace {

using Status = SweepRunner::Status;

/// The gasket at some levels on the CPU, block size 1, bounding box.
std::vector<MapCase> cases_at(const std::string& levels) {
  std::vector<MapCase> cases;
  for (int level : parse_levels(levels)) {
    cases.push_back({.config = {.fractal = find_fractal("sierpinski-gasket"),
                                .level = level,
                                .block = 1,
                                .method = {.map = MapKind::kBoundingBox}},
                     .backend = {BackendKind::kCpu, 0, "as asked"}});
  }
  return cases;
}

/// A few milliseconds a case.
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
  ASSERT_EQ(results.entries.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(results.entries[i].level, runner.cases()[i].config.level);
    EXPECT_TRUE(results.entries[i].measured);
  }
  EXPECT_EQ(results.planned, 3u);
  EXPECT_TRUE(results.complete);
  EXPECT_FALSE(results.interrupted);
  EXPECT_EQ(runner.seconds_left(), 0);
}

TEST(SweepRunner, ASliceIsAtLeastOneStepAndNoMoreThanItsBudget) {
  SweepRunner runner({}, cases_at("2..4"), brief());
  int slices = 0;
  for (; !runner.ended(); ++slices) {
    const std::size_t before = runner.done();
    runner.run(kOneStep);
    EXPECT_LE(runner.done(), before + 1) << "a slice without budget is a single step";
  }
  // An engine, a first generation, a second one for the warm-up at least, for each of three.
  EXPECT_GE(slices, 3 * 3);
  SweepRunner whole({}, cases_at("2..4"), brief());
  whole.run(std::chrono::hours(1));
  EXPECT_TRUE(whole.ended()) << "a slice goes on while there is budget";
}

TEST(SweepRunner, APauseKeepsTheConfigurationUnderWay) {
  SweepRunner runner({}, cases_at("2..3"), brief());
  runner.run(kOneStep);
  runner.pause();
  EXPECT_EQ(runner.status(), Status::kPaused);
  runner.run(std::chrono::hours(1));
  EXPECT_EQ(runner.done(), 0u) << "nothing is measured meanwhile";
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
  EXPECT_EQ(results.entries.size(), 2u);
  EXPECT_TRUE(results.interrupted);
  EXPECT_FALSE(results.complete);
  EXPECT_EQ(results.planned, 5u);
}

TEST(SweepRunner, WhatDoesNotFitIsSkippedWithTheReasonAndTheRestGoesOn) {
  SweepRunner runner({}, cases_at("2,30,3"), brief());
  run_to_end(runner);
  const Results& results = runner.results();
  ASSERT_EQ(results.entries.size(), 3u);
  EXPECT_EQ(runner.skipped(), 1u);
  EXPECT_TRUE(results.entries[1].measured);
  EXPECT_NE(results.entries[2].skipped.find("largest level that fits"), std::string::npos);
  EXPECT_TRUE(results.complete);
}

TEST(SweepRunner, AnInvalidConfigurationIsRefusedBeforeAnythingIsMeasured) {
  auto cases = cases_at("2..3");
  cases[1].config.block = 3;
  EXPECT_THROW(SweepRunner({}, cases, brief()), InputError);
}

TEST(SweepRunner, WithoutCasesItIsDone) {
  SweepRunner runner({}, {}, brief());
  EXPECT_EQ(runner.status(), Status::kDone);
  EXPECT_TRUE(runner.results().complete);
}

}  // namespace
}  // namespace loom::app::bench
