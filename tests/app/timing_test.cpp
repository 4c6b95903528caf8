#include <gtest/gtest.h>

#include "app/frame_times.h"
#include "app/map_times.h"
#include "app/session.h"

namespace loom::app {
namespace {

FrameSample frame(double milliseconds) {
  FrameSample sample;
  sample[Stage::kFrame] = milliseconds;
  return sample;
}

TEST(FrameTimes, MedianAndNearestRank) {
  FrameTimes times;
  for (int i = 1; i <= 100; ++i) times.add(frame(101 - i));
  const StageFigures figures = times.figures(Stage::kFrame);
  EXPECT_EQ(figures.samples, 100u);
  EXPECT_DOUBLE_EQ(figures.mean, 50.5);
  EXPECT_DOUBLE_EQ(figures.median, 50.5);
  EXPECT_DOUBLE_EQ(figures.p95, 95);
}

TEST(FrameTimes, OneSample) {
  FrameTimes times;
  times.add(frame(3));
  EXPECT_DOUBLE_EQ(times.figures(Stage::kFrame).median, 3);
  EXPECT_DOUBLE_EQ(times.figures(Stage::kFrame).p95, 3);
}

TEST(FrameTimes, KeepsTheLastWindow) {
  FrameTimes times;
  for (std::size_t i = 0; i < FrameTimes::kWindow + 10; ++i) times.add(frame(static_cast<double>(i)));
  EXPECT_EQ(times.size(), FrameTimes::kWindow);
  EXPECT_DOUBLE_EQ(*times.sample(0)[Stage::kFrame], 10);
  EXPECT_DOUBLE_EQ(*times.sample(FrameTimes::kWindow - 1)[Stage::kFrame], FrameTimes::kWindow + 9);
}

TEST(FrameTimes, StagesThatDidNotRunHaveNoFigures) {
  FrameTimes times;
  times.add(frame(1));
  EXPECT_EQ(times.figures(Stage::kStep).samples, 0u);
  EXPECT_EQ(times.generation_figures().samples, 0u);
}

TEST(FrameTimes, AGenerationIsItsShareOfTheStep) {
  FrameTimes times;
  FrameSample sample;
  sample[Stage::kStep] = 12;
  sample.generations = 4;
  times.add(sample);
  EXPECT_DOUBLE_EQ(times.figures(Stage::kStep).median, 12);
  EXPECT_DOUBLE_EQ(times.generation_figures().median, 3);
}

TEST(FrameTimes, PauseKeepsAndResetForgets) {
  FrameTimes times;
  times.add(frame(1));
  times.set_paused(true);
  times.add(frame(100));
  EXPECT_DOUBLE_EQ(times.figures(Stage::kFrame).p95, 1);
  times.set_paused(false);
  times.reset();
  EXPECT_EQ(times.size(), 0u);
}

TEST(MapTimes, RemembersEachMapAtItsSettings) {
  MapTimes times;
  FractalConfig config = default_settings().config;
  times.record(config, "cpu", 2);
  config.map = MapKind::kBoundingBox;
  times.record(config, "cpu", 7);
  times.record(config, "cpu", 8);
  EXPECT_DOUBLE_EQ(times.find(config, "cpu", MapKind::kLambda)->milliseconds, 2);
  EXPECT_DOUBLE_EQ(times.find(config, "cpu", MapKind::kBoundingBox)->milliseconds, 8);
  EXPECT_FALSE(times.find(config, "cpu", MapKind::kCompact));
  EXPECT_FALSE(times.find(config, "cuda", MapKind::kLambda));
  FractalConfig other = config;
  other.level = 8;
  EXPECT_FALSE(times.find(other, "cpu", MapKind::kLambda));
  other = config;
  other.block = 8;
  EXPECT_FALSE(times.find(other, "cpu", MapKind::kLambda));
}

}  // namespace
}  // namespace loom::app
