#include "compute/check/verification.h"

#include <gtest/gtest.h>

#include "compute/geometry/nbb_catalog.h"

namespace loom {
namespace {

TEST(Verification, ListsWhatDoesNotFitAndKnowsWhetherAnythingWasCompared) {
  VerifyPlan plan;
  plan.fractals = {find_fractal("candy")};  // 4^9 x 4^9 points do not fit in memory
  plan.level_min = plan.level_max = 9;
  plan.steps = 1;
  plan.backends = {BackendSelection{}};
  const auto silent = [](std::uint64_t, std::uint64_t, const VerifyCase&) {};
  // Four maps with tile sizes 1, 4 and 16, plus two bit-packed storages; three workloads each.
  const VerifyResult nothing = verify(plan, silent);
  EXPECT_EQ(nothing.skips.size(), 42u);
  EXPECT_NE(nothing.skips.front().what.find("bytes"), std::string::npos);
  EXPECT_FALSE(nothing.compared_any());

  plan.fractals = {find_fractal("sierpinski-gasket"), find_fractal("candy")};
  const VerifyResult some = verify(plan, silent);
  EXPECT_TRUE(some.compared_any());
  EXPECT_TRUE(some.ok());
  ASSERT_EQ(some.levels.size(), 2u);
  EXPECT_EQ(some.levels[0].passed, 78u);
  EXPECT_EQ(some.levels[1].passed, 0u);
  EXPECT_EQ(some.levels[1].skipped, 42u);
  EXPECT_EQ(some.skips.size(), 42u);
}

}  // namespace
}  // namespace loom
