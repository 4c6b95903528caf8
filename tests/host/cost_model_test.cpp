#include "compute/mandelbrot/cost_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compute/core/error.h"

namespace loom {
namespace {

struct CheckValue {
  double n;
  CostRatio ratio;
  double value;
  CostCut cut;
};

/// P = 0.7, lambda = 100, A = 16, q = 128, c = 64; g, r, B over 2^1 .. 2^8.
const CheckValue kCheckValues[] = {
    {65536, CostRatio::kWorkReduction, 10.41, {2, 2, 8}},
    {65536, CostRatio::kSbrSpeedup, 4.59, {8, 2, 64}},
    {65536, CostRatio::kMbrSpeedup, 7.41, {2, 2, 64}},
    {1073741824, CostRatio::kWorkReduction, 15.94, {2, 2, 8}},
    {1073741824, CostRatio::kSbrSpeedup, 15.67, {16, 2, 64}},
    {1073741824, CostRatio::kMbrSpeedup, 15.88, {2, 2, 64}},
};

TEST(CostModel, CheckValues) {
  for (const CheckValue& check : kCheckValues) {
    const CostProblem problem{check.n, 16, 0.7, 100, 128, 64};
    const auto best = best_cut(check.ratio, problem);
    ASSERT_TRUE(best);
    EXPECT_EQ(best->cut, check.cut) << best->cut.g << " " << best->cut.r << " " << best->cut.b;
    EXPECT_NEAR(best->value, check.value, 0.005);
    EXPECT_EQ(best->value, cost_ratio(check.ratio, problem, check.cut));
  }
}

TEST(CostModel, OneLevelByHand) {
  // tau = 1: the sum is empty and only the last level remains: G R^0 regions of n^2 / G pixels.
  const CostProblem problem{64, 10, 0.5, 3, 4, 8};
  const CostCut cut{4, 2, 8};
  EXPECT_EQ(cost_levels(problem, cut), 1);
  EXPECT_EQ(subdivision_work(problem, cut), 64 * 64 * 10);
  EXPECT_EQ(sbr_time(problem, cut), 10.0 * (256 / 8) * (16 / 4));
  EXPECT_EQ(mbr_time(problem, cut), 10.0 * (4096 / 32));
  EXPECT_EQ(cost_ratio(CostRatio::kWorkReduction, problem, cut), 1);
}

TEST(CostModel, TwoLevelsByHand) {
  const CostProblem problem{64, 10, 0.5, 3, 4, 8};
  const CostCut cut{4, 2, 4};
  EXPECT_EQ(cost_levels(problem, cut), 2);
  // Level 0: 16 regions of 16 x 16. Border 4 * 16 * 10, split 0.5 * 30, fill 0.5 * 256.
  EXPECT_DOUBLE_EQ(subdivision_work(problem, cut), 16 * (640 + 15 + 128) + 0.5 * 64 * 64 * 10);
  // SBR: ceil(640 / 8) + 15 + 0.5 * 32, four rounds; then 64 regions of 64 pixels, 16 rounds.
  EXPECT_DOUBLE_EQ(sbr_time(problem, cut), (80 + 15 + 16) * 4 + 10.0 * 8 * 16 * 0.5);
  // MBR: ceil(64 / 8) * 4 rounds * 10, splits 4 * 30 * 0.5, fills and leaves at full width (128).
  EXPECT_DOUBLE_EQ(mbr_time(problem, cut), 8 * 4 * 10 + 60 + 128 * 0.5 + 10 * 0.5 * 128);
}

TEST(CostModel, LevelsEndWhereNoRegionIsLeft) {
  EXPECT_EQ(cost_levels({.n = 65536}, {32, 2, 32}), 6);
  EXPECT_EQ(cost_levels({.n = 65535}, {32, 2, 32}), 5);
  EXPECT_EQ(cost_levels({.n = 1024}, {32, 2, 32}), std::nullopt);
  EXPECT_THROW(sbr_time({.n = 1024}, {32, 2, 32}), InputError);
  EXPECT_EQ(best_cut(CostRatio::kSbrSpeedup, {.n = 7}), std::nullopt);
  EXPECT_TRUE(best_cut(CostRatio::kSbrSpeedup, {.n = 8}));
}

TEST(CostModel, WorkReductionNeverPassesTheWorkOfAPixel) {
  for (double p : {0.0, 0.3, 0.7, 1.0}) {
    for (double n = 1024; n <= 1 << 20; n *= 4) {
      const auto best = best_cut(CostRatio::kWorkReduction, {n, 16, p, 10, 128, 64});
      ASSERT_TRUE(best);
      EXPECT_LE(best->value, 16);
      EXPECT_GT(best->value, p == 1 ? 0 : 1);
    }
  }
}

TEST(CostModel, RefusesNumbersOutOfRange) {
  EXPECT_NO_THROW(validate(CostProblem{}));
  EXPECT_THROW(validate(CostProblem{.n = 0}), InputError);
  EXPECT_THROW(validate(CostProblem{.p = 1.5}), InputError);
  EXPECT_THROW(validate(CostProblem{.p = std::numeric_limits<double>::quiet_NaN()}), InputError);
  EXPECT_THROW(validate(CostProblem{.lambda = -1}), InputError);
  EXPECT_THROW(validate(CostProblem{.q = 0}), InputError);
}

}  // namespace
}  // namespace loom
