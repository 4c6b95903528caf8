#include <gtest/gtest.h>

#include "app/life/scene/map_times.h"
#include "app/shell/frame_times.h"
#include "app/life/scene/life_settings.h"

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
  const Work life;
  FractalConfig config = default_settings().config;
  times.record(config, life, "cpu", 2);
  config.method.map = MapKind::kBoundingBox;
  times.record(config, life, "cpu", 7);
  times.record(config, life, "cpu", 8);
  EXPECT_DOUBLE_EQ(times.find(config, life, "cpu", MapKind::kLambda)->milliseconds, 2);
  EXPECT_DOUBLE_EQ(times.find(config, life, "cpu", MapKind::kBoundingBox)->milliseconds, 8);
  EXPECT_FALSE(times.find(config, life, "cpu", MapKind::kCompact));
  EXPECT_FALSE(times.find(config, life, "cuda", MapKind::kLambda));
  FractalConfig other = config;
  other.level = 8;
  EXPECT_FALSE(times.find(other, life, "cpu", MapKind::kLambda));
  other = config;
  other.block = 8;
  EXPECT_FALSE(times.find(other, life, "cpu", MapKind::kLambda));
  EXPECT_FALSE(times.find(config, {.workload = Workload::kReduction}, "cpu", MapKind::kLambda));
}

TEST(MapTimes, TellsMethodsOfOneMapApart) {
  MapTimes times;
  const Work life;
  FractalConfig table = default_settings().config;
  table.method.arithmetic = MapArithmetic::kTable;
  const FractalConfig loop = with_loop(table);
  EXPECT_EQ(loop.method.arithmetic, MapArithmetic::kLoop);
  EXPECT_EQ(loop.method.intra_block, table.method.intra_block);
  times.record(table, life, "cpu", 3);
  EXPECT_FALSE(times.find_method(loop, life, "cpu"));
  times.record(loop, life, "cpu", 5);
  EXPECT_DOUBLE_EQ(times.find_method(table, life, "cpu")->milliseconds, 3);
  EXPECT_DOUBLE_EQ(times.find_method(loop, life, "cpu")->milliseconds, 5);
  EXPECT_DOUBLE_EQ(times.find(table, life, "cpu", MapKind::kLambda)->milliseconds, 5) << "the last measured";
  times.record(table, life, "cpu", 4);
  EXPECT_DOUBLE_EQ(times.find(table, life, "cpu", MapKind::kLambda)->milliseconds, 4);
  FractalConfig unrolled = table;
  unrolled.method.intra_block = IntraBlock::kUnrolled;
  EXPECT_FALSE(times.find_method(unrolled, life, "cpu"));
}

TEST(MapTimes, LoopAtTheSameSettingsIsValidWhateverTheArithmetic) {
  FractalConfig config = default_settings().config;
  config.method.arithmetic = MapArithmetic::kTensor2;
  config.method.tiles = 4;  // which loop on the gasket cannot have
  EXPECT_NO_THROW(validate(with_loop(config)));
}

}  // namespace
}  // namespace loom::app
