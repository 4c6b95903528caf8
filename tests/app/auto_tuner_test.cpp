#include <gtest/gtest.h>

#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"
#include "compute/backend/engine_factory.h"

namespace loom::app {
namespace {

using namespace std::chrono_literals;

AutoTuner::TuningProblem small() {
  MandelbrotConfig config;
  config.dwell_limit = 40;
  return {config, {{}, 120, 80}, {{}, "test"}, true};
}

// The result is one of the candidate plans, is at most as slow as the exhaustive method, and applies to this
// view only.
TEST(AutoTuner, FindsAPlanForAView) {
  AutoTuner plan;
  const AutoTuner::TuningProblem what = small();
  EXPECT_EQ(plan.result_for(what), nullptr);
  EXPECT_TRUE(plan.needs_search(what));
  plan.request(what);
  EXPECT_TRUE(plan.searching());
  EXPECT_TRUE(plan.poll(1h));
  EXPECT_FALSE(plan.searching());
  EXPECT_FALSE(plan.needs_search(what));
  const AutoTuner::TuningResult* result = plan.result_for(what);
  ASSERT_NE(result, nullptr);
  EXPECT_GT(result->timed, 5u);
  ASSERT_TRUE(result->exhaustive_ms);
  EXPECT_LE(result->milliseconds, *result->exhaustive_ms);
  EXPECT_EQ(result->plan.exhaustive, result->milliseconds == *result->exhaustive_ms);
  AutoTuner::TuningProblem other = what;
  other.view.width = 121;
  EXPECT_TRUE(plan.needs_search(other));
  AutoTuner::TuningProblem over_parts = what;
  over_parts.backend.others = {{.ordinal = 1}};
  EXPECT_TRUE(plan.needs_search(over_parts)) << "timings depend on the devices in use";
  EXPECT_EQ(plan.result_for(other), nullptr);
}

// The plan is not part of the tuning problem: applying a plan does not start a new search.
TEST(AutoTuner, IsNotSearchedTwiceForTheSame) {
  AutoTuner plan;
  AutoTuner::TuningProblem what = small();
  plan.request(what);
  plan.poll(1h);
  what.config = with_plan(what.config, {false, {8, 4, 2}});
  plan.request(what);
  EXPECT_FALSE(plan.searching());
  EXPECT_NE(plan.result_for(what), nullptr);
  what.config.dwell_limit = 41;
  plan.request(what);
  EXPECT_TRUE(plan.searching());
  EXPECT_TRUE(plan.poll(1h));
}

TEST(AutoTuner, AnotherViewEndsASearch) {
  AutoTuner plan;
  AutoTuner::TuningProblem large = small();
  large.view = {{-0.75, -0.74, 0.1, 0.11}, 1500, 1000};
  large.config.dwell_limit = 20000;
  plan.request(large);
  plan.request(small());
  EXPECT_FALSE(plan.poll(1h));
  EXPECT_EQ(plan.result_for(large), nullptr);
  plan.request(small());
  EXPECT_TRUE(plan.poll(1h));
  EXPECT_NE(plan.result_for(small()), nullptr);
}

TEST(AutoTuner, WhereRegionsAreToBeSeenItIsACut) {
  AutoTuner plan;
  AutoTuner::TuningProblem what = small();
  what.view.width = what.view.height = 8;  // at this size the exhaustive method is the fastest
  what.may_be_exhaustive = false;
  plan.request(what);
  ASSERT_TRUE(plan.poll(1h));
  EXPECT_FALSE(plan.result()->plan.exhaustive);
  EXPECT_FALSE(plan.result()->exhaustive_ms);
}

TEST(AutoTuner, MakesAConfigurationOfAPlan) {
  MandelbrotConfig config;
  config.dwell_limit = 99;
  const MandelbrotConfig cut = with_plan(config, {false, {8, 4, 2}});
  EXPECT_EQ(cut.method, MandelbrotMethod::kAsk);
  EXPECT_EQ(std::tuple(cut.g, cut.r, cut.b, cut.dwell_limit), std::tuple(8u, 4u, 2u, 99u));
  EXPECT_EQ(with_plan(cut, {true, {}}).method, MandelbrotMethod::kExhaustive);
  EXPECT_EQ(with_plan(cut, {true, {}}).g, 8u);
}

}  // namespace
}  // namespace loom::app
