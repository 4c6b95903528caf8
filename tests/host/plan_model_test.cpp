#include "compute/mandelbrot/plan_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace loom {
namespace {

constexpr std::uint32_t kSide = 1024;

/// A view in which `dimension` says how many regions are split: side^-dimension.
PlanTimes view_of(double dimension, double overhead, double level, double exhaustive) {
  MandelbrotLevels levels;
  for (std::uint32_t side = kSide / 2; side >= 2; side /= 2) {
    const double parts = static_cast<double>(kSide) / side;
    const auto regions = static_cast<std::uint64_t>(4 * std::pow(parts / 2, dimension));
    const auto split = static_cast<std::uint64_t>(std::pow(parts, dimension));
    MandelbrotLevel level_of_side;
    level_of_side.regions = regions;
    level_of_side.filled = regions - split;
    levels.push_back(level_of_side);
  }
  PlanTimes view{
      .n = kSide, .dwell_limit = 512, .exhaustive_ms = exhaustive, .census = RegionCensus(levels, kSide)};
  // The times of a machine that spends a time per computation, per level and per pixel on borders and in
  // leaves.
  for (const std::uint32_t r : {2u, 4u, 8u}) {
    for (const std::uint32_t g : kCutValues) {
      for (const std::uint32_t b : kCutValues) {
        if (std::uint64_t{g} * r * b > kSide) continue;
        double ms = overhead;
        double regions = static_cast<double>(g) * g;
        for (std::uint32_t side = kSide / g;; side /= r) {
          const double split = std::min(regions, std::pow(static_cast<double>(kSide) / side, dimension));
          ms += level;
          double pixels = regions * (4.0 * side - 4);
          if (side / r <= b) pixels += split * side * side;
          ms += exhaustive * pixels / (static_cast<double>(kSide) * kSide);
          if (side / r <= b) break;
          regions = split * r * r;
        }
        view.runs.push_back({{g, r, b}, ms});
      }
    }
  }
  return view;
}

TEST(PlanModel, ChoosesAFastPlanOfAViewThatItHasNotSeen) {
  std::vector<PlanTimes> views;
  for (int i = 0; i < 8; ++i) views.push_back(view_of(1.2 + 0.08 * i, 0.02, 0.01, 0.3 + 0.2 * i));
  for (std::size_t i = 1; i + 1 < views.size(); ++i) {
    const PlanModel model(views, i);
    const PlanTimes::Run* const chosen = model.choose(views[i]);
    ASSERT_NE(chosen, nullptr);
    double fastest = chosen->ms;
    double slowest = chosen->ms;
    for (const PlanTimes::Run& run : views[i].runs) {
      fastest = std::min(fastest, run.ms);
      slowest = std::max(slowest, run.ms);
    }
    EXPECT_LE(chosen->ms, 1.1 * fastest) << i;
    EXPECT_GT(slowest, 2 * fastest) << "any choice would do";
    EXPECT_NEAR(*model.predicted_ms(views[i], chosen->cut), chosen->ms, 0.2 * chosen->ms);
  }
}

TEST(PlanModel, SaysNothingAboutSidesThatNoFittedPlanHas) {
  std::vector<PlanTimes> views = {view_of(1.5, 0.02, 0.01, 1)};
  auto& runs = views[0].runs;
  runs.erase(std::remove_if(runs.begin(), runs.end(), [](const auto& run) { return run.cut.g < 16; }),
             runs.end());
  const PlanModel model(views);
  EXPECT_FALSE(model.predicted_ms(views[0], {2, 2, 256}).has_value());
  EXPECT_TRUE(model.predicted_ms(views[0], runs.front().cut).has_value());
}

TEST(RegionCensus, CountsTheSplitRegionsOfASide) {
  MandelbrotLevels levels;
  levels.resize(2);
  levels[0].regions = 2;
  levels[0].filled = 1;
  levels[1].regions = 4;
  const RegionCensus census(levels, 64);
  EXPECT_EQ(census.share, 0.5);
  EXPECT_EQ(census.split[5], 1);
  EXPECT_EQ(census.split[4], 4);
  EXPECT_EQ(census.split[3], 0);
}

}  // namespace
}  // namespace loom
