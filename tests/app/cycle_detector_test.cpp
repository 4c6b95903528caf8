#include <gtest/gtest.h>

#include "app/workspaces/life/scene/cell_statistics.h"

namespace loom::app {
namespace {

void count(CycleDetector& cycle_detector, std::uint64_t generation, std::uint64_t state,
           const Work& work = {}) {
  cycle_detector.add({{.population = state + 1, .hash = state * 977}, generation}, work);
}

TEST(CycleDetector, FindsAPeriodAndSinceWhen) {
  CycleDetector cycle_detector;
  // 0 1 2 3 | 4 5 6 4 5 6 ...
  for (std::uint64_t g = 0; g < 9; ++g) count(cycle_detector, g, g < 4 ? g : 4 + (g - 4) % 3);
  EXPECT_FALSE(cycle_detector.cycle()) << "not confirmed yet";
  for (std::uint64_t g = 9; g < 12; ++g) count(cycle_detector, g, 4 + (g - 4) % 3);
  ASSERT_TRUE(cycle_detector.cycle());
  EXPECT_EQ(cycle_detector.cycle()->period, 3u);
  EXPECT_EQ(cycle_detector.cycle()->since, 4u);
  EXPECT_FALSE(cycle_detector.cycle()->may_start_earlier);
  EXPECT_FALSE(cycle_detector.cycle()->period_divides);
}

TEST(CycleDetector, StandsStill) {
  CycleDetector cycle_detector;
  for (std::uint64_t g = 0; g < 6; ++g) count(cycle_detector, g, g < 2 ? g : 2);
  ASSERT_TRUE(cycle_detector.cycle());
  EXPECT_EQ(cycle_detector.cycle()->period, 1u);
  EXPECT_EQ(cycle_detector.cycle()->since, 2u);
}

TEST(CycleDetector, SaysWhatItDidNotSee) {
  CycleDetector late;  // starts at generation 50, within the cycle
  for (std::uint64_t g = 50; g < 60; ++g) count(late, g, g % 2);
  ASSERT_TRUE(late.cycle());
  EXPECT_TRUE(late.cycle()->may_start_earlier);
  EXPECT_EQ(late.cycle()->since, 50u);
  CycleDetector sparse;  // counts every sixth generation of a cycle of period 4
  for (std::uint64_t g = 0; g < 60; g += 6) count(sparse, g, g % 4);
  ASSERT_TRUE(sparse.cycle());
  EXPECT_TRUE(sparse.cycle()->period_divides);
  EXPECT_EQ(sparse.cycle()->period % 4, 0u);
}

TEST(CycleDetector, BeginsAnewWithOtherWorkAndGoingBack) {
  CycleDetector cycle_detector;
  for (std::uint64_t g = 0; g < 6; ++g) count(cycle_detector, g, 7);
  ASSERT_TRUE(cycle_detector.cycle());
  count(cycle_detector, 6, 7, {.rule = {8, 12}});
  EXPECT_FALSE(cycle_detector.cycle()) << "the same state evolves differently under another rule";
  EXPECT_EQ(cycle_detector.size(), 1u);
  count(cycle_detector, 2, 7, {.rule = {8, 12}});
  EXPECT_EQ(cycle_detector.size(), 1u);
  count(cycle_detector, 2, 7, {.rule = {8, 12}});
  EXPECT_EQ(cycle_detector.size(), 1u) << "the same count is recorded once";
}

TEST(CycleDetector, AnEarlierGenerationOfTheSameHistoryKeepsWhatWasFound) {
  CycleDetector cycle_detector;
  for (std::uint64_t g = 0; g < 12; ++g) count(cycle_detector, g, g < 4 ? g : 4 + (g - 4) % 3);
  ASSERT_TRUE(cycle_detector.cycle());
  cycle_detector.jump();
  count(cycle_detector, 8, 5);
  EXPECT_EQ(cycle_detector.size(), 9u) << "generations 0 to 8";
  ASSERT_TRUE(cycle_detector.cycle());
  EXPECT_EQ(cycle_detector.cycle()->since, 4u);
  count(cycle_detector, 9, 6);
  EXPECT_EQ(cycle_detector.size(), 10u);
  // A later generation, or an earlier one with other cells, belongs to another history.
  cycle_detector.jump();
  count(cycle_detector, 40, 100);
  EXPECT_EQ(cycle_detector.size(), 1u);
  EXPECT_FALSE(cycle_detector.cycle());
  count(cycle_detector, 41, 101);
  cycle_detector.jump();
  count(cycle_detector, 40, 7);
  EXPECT_EQ(cycle_detector.size(), 1u);
}

TEST(CycleDetector, KeepsTheNewest) {
  CycleDetector cycle_detector;
  for (std::uint64_t g = 0; g < 2000; ++g) count(cycle_detector, g, g);
  EXPECT_EQ(cycle_detector.size(), CycleDetector::kMaxSamples);
  EXPECT_EQ(cycle_detector[0].generation, 2000 - CycleDetector::kMaxSamples);
  EXPECT_EQ(cycle_detector[CycleDetector::kMaxSamples - 1].generation, 1999u);
  EXPECT_FALSE(cycle_detector.cycle());
}

}  // namespace
}  // namespace loom::app
