#include "app/mandelbrot/scene/automatic_plan.h"

#include <gtest/gtest.h>

#include "compute/backend/mandelbrot_factory.h"

namespace loom::app {
namespace {

using namespace std::chrono_literals;

AutomaticPlan::For small() {
  MandelbrotConfig config;
  config.dwell_limit = 40;
  return {config, {{}, 120, 80}, {BackendKind::kCpu, 0, "test"}, true};
}

// What was found is one of the plans, no slower than every pixel was, and of this very view.
TEST(AutomaticPlan, FindsAPlanForAView) {
  AutomaticPlan plan;
  const AutomaticPlan::For what = small();
  EXPECT_EQ(plan.found_for(what), nullptr);
  EXPECT_TRUE(plan.is_due(what));
  plan.want(what);
  EXPECT_TRUE(plan.searching());
  EXPECT_TRUE(plan.poll(1h));
  EXPECT_FALSE(plan.searching());
  EXPECT_FALSE(plan.is_due(what));
  const AutomaticPlan::Found* found = plan.found_for(what);
  ASSERT_NE(found, nullptr);
  EXPECT_GT(found->timed, 5u);
  ASSERT_TRUE(found->exhaustive_ms);
  EXPECT_LE(found->milliseconds, *found->exhaustive_ms);
  EXPECT_EQ(found->plan.exhaustive, found->milliseconds == *found->exhaustive_ms);
  AutomaticPlan::For other = what;
  other.view.width = 121;
  EXPECT_TRUE(plan.is_due(other));
  AutomaticPlan::For over_parts = what;
  over_parts.backend.others = {1};
  EXPECT_TRUE(plan.is_due(over_parts)) << "it is timed on the devices in use";
  EXPECT_EQ(plan.found_for(other), nullptr);
}

// The plan itself is no part of what it is for: what was applied is not searched anew.
TEST(AutomaticPlan, IsNotSearchedTwiceForTheSame) {
  AutomaticPlan plan;
  AutomaticPlan::For what = small();
  plan.want(what);
  plan.poll(1h);
  what.config = with_plan(what.config, {false, {8, 4, 2}});
  plan.want(what);
  EXPECT_FALSE(plan.searching());
  EXPECT_NE(plan.found_for(what), nullptr);
  what.config.dwell_limit = 41;
  plan.want(what);
  EXPECT_TRUE(plan.searching());
  EXPECT_TRUE(plan.poll(1h));
}

TEST(AutomaticPlan, AnotherViewEndsASearch) {
  AutomaticPlan plan;
  AutomaticPlan::For large = small();
  large.view = {{-0.75, -0.74, 0.1, 0.11}, 1500, 1000};
  large.config.dwell_limit = 20000;
  plan.want(large);
  plan.want(small());
  EXPECT_FALSE(plan.poll(1h));
  EXPECT_EQ(plan.found_for(large), nullptr);
  plan.want(small());
  EXPECT_TRUE(plan.poll(1h));
  EXPECT_NE(plan.found_for(small()), nullptr);
}

TEST(AutomaticPlan, WhereRegionsAreToBeSeenItIsACut) {
  AutomaticPlan plan;
  AutomaticPlan::For what = small();
  what.view.width = what.view.height = 8;  // where every pixel is the fastest
  what.may_be_exhaustive = false;
  plan.want(what);
  ASSERT_TRUE(plan.poll(1h));
  EXPECT_FALSE(plan.found()->plan.exhaustive);
  EXPECT_FALSE(plan.found()->exhaustive_ms);
}

TEST(AutomaticPlan, MakesAConfigurationOfAPlan) {
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
