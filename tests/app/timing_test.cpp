#include <gtest/gtest.h>

#include <algorithm>

#include "app/shell/frame_times.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"

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
  const StageStats stats = times.stats(Stage::kFrame);
  EXPECT_EQ(stats.samples, 100u);
  EXPECT_DOUBLE_EQ(stats.mean, 50.5);
  EXPECT_DOUBLE_EQ(stats.median, 50.5);
  EXPECT_DOUBLE_EQ(stats.p95, 95);
}

TEST(FrameTimes, OneSample) {
  FrameTimes times;
  times.add(frame(3));
  EXPECT_DOUBLE_EQ(times.stats(Stage::kFrame).median, 3);
  EXPECT_DOUBLE_EQ(times.stats(Stage::kFrame).p95, 3);
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
  EXPECT_EQ(times.stats(Stage::kStep).samples, 0u);
  EXPECT_EQ(times.mean(Stage::kStep), 0);
}

using Clock = FrameClock::Clock;

Clock::time_point at(double milliseconds) {
  return Clock::time_point{} +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::milli>(milliseconds));
}

double sum_of_parts(const FrameSample& sample) {
  double sum = 0;
  for (const Stage stage : kFrameParts) sum += sample[stage].value_or(0);
  return sum;
}

TEST(FrameClock, SharesOutTheWholeFrame) {
  FrameClock clock;
  EXPECT_FALSE(clock.begin(at(0)).has_value()) << "there is no frame before the first";
  clock.lap(Stage::kPanels, at(2));
  clock.part(Stage::kStep, 3);
  clock.part(Stage::kResolve, 1);
  clock.lap(Stage::kOther, at(7));
  clock.lap(Stage::kDraw, at(7.5));
  clock.lap(Stage::kPanels, at(9));
  const auto sample = clock.begin(at(16));
  ASSERT_TRUE(sample.has_value());
  EXPECT_NEAR(*(*sample)[Stage::kPanels], 3.5, 1e-6) << "two laps of one stage";
  EXPECT_NEAR(*(*sample)[Stage::kStep], 3, 1e-6);
  EXPECT_NEAR(*(*sample)[Stage::kResolve], 1, 1e-6);
  EXPECT_NEAR(*(*sample)[Stage::kOther], 1, 1e-6) << "the unmeasured rest of the lap";
  EXPECT_NEAR(*(*sample)[Stage::kPresent], 7, 1e-6) << "until the next frame begins";
  EXPECT_NEAR(*(*sample)[Stage::kFrame], 16, 1e-6);
  EXPECT_NEAR(sum_of_parts(*sample), 16, 1e-6);
}

TEST(FrameClock, PartsThatExceedTheirLapAreCut) {
  FrameClock clock;
  clock.begin(at(0));
  clock.part(Stage::kStep, 100);  // for example a device clock that runs fast
  clock.part(Stage::kResolve, 1);
  clock.lap(Stage::kOther, at(4));
  const auto sample = clock.begin(at(5));
  EXPECT_NEAR(*(*sample)[Stage::kStep], 4, 1e-6);
  EXPECT_NEAR(sum_of_parts(*sample), 5, 1e-6);
}

TEST(FrameClock, AWaitEndsWithTheImage) {
  FrameClock clock;
  clock.begin(at(0));
  clock.wait(Stage::kStep, 29, 3);
  clock.lap(Stage::kOther, at(30));
  clock.wait(Stage::kPanesStep, 2, 3);  // only the rest of the image was waited for
  clock.wait(Stage::kPanesStep, 0, 1);
  clock.lap(Stage::kOther, at(34));
  const auto sample = clock.begin(at(37));
  EXPECT_NEAR(*(*sample)[Stage::kStep], 26, 1e-6);
  EXPECT_NEAR(*(*sample)[Stage::kResolve], 3 + 2, 1e-6);
  EXPECT_FALSE((*sample)[Stage::kPanesStep]);
  EXPECT_NEAR(*(*sample)[Stage::kOther], 1 + 2, 1e-6);
  EXPECT_NEAR(sum_of_parts(*sample), 37, 1e-6);
}

TEST(FrameClock, WhatGoesOnBesideIsNoPart) {
  FrameClock clock;
  clock.begin(at(0));
  clock.add_concurrent(Stage::kGpuPicture, 50);
  clock.lap(Stage::kDraw, at(1));
  const auto sample = clock.begin(at(2));
  EXPECT_EQ((*sample)[Stage::kGpuPicture], 50);
  EXPECT_NEAR(sum_of_parts(*sample), 2, 1e-6);
}

TEST(FrameClock, AnUnusualFrameIsLeftOut) {
  FrameClock clock;
  clock.begin(at(0));
  clock.discard_sample();
  EXPECT_FALSE(clock.begin(at(900)).has_value());
  EXPECT_TRUE(clock.begin(at(910)).has_value()) << "the next frame counts again";
}

TEST(FrameTimes, MeansOfThePartsSumToTheFrame) {
  FrameTimes times;
  FrameClock clock;
  clock.begin(at(0));
  for (int frame = 1; frame <= 50; ++frame) {
    if (frame % 3 == 0) clock.part(Stage::kStep, frame * 0.1);  // not in every frame
    clock.lap(Stage::kOther, at(frame * 10 - 4));
    if (const auto sample = clock.begin(at(frame * 10))) times.add(*sample);
  }
  double sum = 0;
  for (const Stage stage : kFrameParts) sum += times.mean(stage);
  EXPECT_NEAR(sum, times.mean(Stage::kFrame), 1e-6);
  EXPECT_NEAR(times.mean(Stage::kFrame), 10, 1e-6);
}

TEST(FrameTimes, PauseKeepsAndResetForgets) {
  FrameTimes times;
  times.add(frame(1));
  times.set_paused(true);
  times.add(frame(100));
  EXPECT_DOUBLE_EQ(times.stats(Stage::kFrame).p95, 1);
  times.set_paused(false);
  times.reset();
  EXPECT_EQ(times.size(), 0u);
}

TimingConditions conditions(const FractalConfig& config, std::uint32_t generations = 1, const Work& work = {},
                            const std::string& backend = "cpu") {
  return conditions_of(config, work, backend, generations);
}

std::optional<double> shown(const MapTimes& times, const TimingConditions& at, const FractalConfig& config,
                            MapKind map) {
  const MapComparison comparison = times.compare(at, config);
  const auto& row = comparison.maps[static_cast<std::size_t>(map)];
  return row ? std::optional(row->milliseconds) : std::nullopt;
}

TEST(MapTimes, RemembersEachMapUnderItsConditions) {
  MapTimes times;
  const FractalConfig lambda = default_life_settings().config;
  FractalConfig box = lambda;
  box.method.map = MapKind::kBoundingBox;
  times.record(conditions(lambda), {lambda.method, 2});
  times.record(conditions(box), {box.method, 7});
  times.record(conditions(box), {box.method, 8});
  EXPECT_EQ(shown(times, conditions(box), box, MapKind::kLambda), 2);
  EXPECT_EQ(shown(times, conditions(box), box, MapKind::kBoundingBox), 8);
  EXPECT_FALSE(shown(times, conditions(box), box, MapKind::kCompact));
  EXPECT_FALSE(shown(times, conditions(box, 1, {}, "cuda"), box, MapKind::kLambda));
  EXPECT_FALSE(shown(times, conditions(box, 1, {.workload = Workload::kReduction}), box, MapKind::kLambda));
  FractalConfig other = box;
  other.level = 8;
  EXPECT_FALSE(shown(times, conditions(other), other, MapKind::kLambda));
  other = box;
  other.tile_size = 8;
  EXPECT_FALSE(shown(times, conditions(other), other, MapKind::kLambda));
}

TEST(MapTimes, AnotherNumberOfGenerationsAFrameIsAnotherCondition) {
  MapTimes times;
  const FractalConfig lambda = default_life_settings().config;
  times.record(conditions(lambda, 1), {lambda.method, 2});
  times.record(conditions(lambda, 1), {with_loop_arithmetic(lambda).method, 3});
  EXPECT_EQ(times.compare(conditions(lambda, 1), lambda).loop_ms, 3);
  const MapComparison at_64 = times.compare(conditions(lambda, 64), lambda);
  EXPECT_FALSE(at_64.selected_ms || at_64.loop_ms || at_64.maps[1]);
}

TEST(MapTimes, WhatWasMeasuredTogetherIsNotMixedWithWhatWasSeen) {
  MapTimes times;
  const FractalConfig lambda = default_life_settings().config;
  FractalConfig box = lambda;
  box.method.map = MapKind::kBoundingBox;
  times.record(conditions(lambda), {lambda.method, 2});
  times.record_benchmark(conditions(lambda), {{box.method, 10}, {lambda.method, 4}});
  const MapComparison comparison = times.compare(conditions(lambda), lambda);
  EXPECT_TRUE(comparison.benchmarked);
  EXPECT_EQ(comparison.selected_ms, 4) << "not the 2 ms of the live timing";
  EXPECT_EQ(comparison.maps[0]->milliseconds, 10);
  EXPECT_FALSE(comparison.maps[2]);
  EXPECT_FALSE(comparison.loop_ms);
  times.record(conditions(lambda), {with_loop_arithmetic(lambda).method, 5});
  EXPECT_FALSE(times.compare(conditions(lambda), lambda).loop_ms)
      << "live timings are not compared with benchmarks";
}

TEST(MapTimes, TellsMethodsOfOneMapApart) {
  MapTimes times;
  FractalConfig table = default_life_settings().config;
  table.method.arithmetic = MapArithmetic::kTable;
  const FractalConfig loop = with_loop_arithmetic(table);
  EXPECT_EQ(loop.method.arithmetic, MapArithmetic::kLoop);
  EXPECT_EQ(loop.method.intra_block, table.method.intra_block);
  times.record(conditions(table), {table.method, 3});
  EXPECT_FALSE(times.compare(conditions(table), table).loop_ms);
  times.record(conditions(loop), {loop.method, 5});
  EXPECT_EQ(times.compare(conditions(table), table).selected_ms, 3);
  EXPECT_EQ(times.compare(conditions(table), table).loop_ms, 5);
  EXPECT_EQ(shown(times, conditions(table), table, MapKind::kLambda), 3) << "the row of the selected method";
  FractalConfig unrolled = table;
  unrolled.method.intra_block = IntraBlock::kUnrolled;
  EXPECT_FALSE(times.compare(conditions(unrolled), unrolled).selected_ms);
}

TEST(MapTimes, ComparesAllMapsAndLoopEachOnceAndValid) {
  FractalConfig config = default_life_settings().config;
  config.method.arithmetic = MapArithmetic::kTensor2;
  config.method.tiles = 4;  // not available with loop arithmetic on the gasket
  const auto configs = methods_to_compare(config);
  ASSERT_EQ(configs.size(), 4u);
  for (const FractalConfig& one : configs) EXPECT_NO_THROW(validate(one));
  for (const MapKind map : kMapKinds) {
    EXPECT_TRUE(std::any_of(configs.begin(), configs.end(),
                            [&](const FractalConfig& one) { return one.method.map == map; }));
  }
  EXPECT_EQ(configs.back().method.arithmetic, MapArithmetic::kLoop);
  config.method = {.map = MapKind::kLambda};  // loop is the default arithmetic
  EXPECT_EQ(methods_to_compare(config).size(), 3u);
  // Bit-packed storage is compared with bit-packed storage only, which the lambda map does not support.
  config.method = {.map = MapKind::kCompact, .storage = CellStorage::kBits};
  const auto bits = methods_to_compare(config);
  ASSERT_EQ(bits.size(), 2u);
  for (const FractalConfig& one : bits) EXPECT_EQ(one.method.storage, CellStorage::kBits);
  const TimingConditions conditions = conditions_of(config, {}, "cpu", 1);
  config.method.storage = CellStorage::kBytes;
  EXPECT_FALSE(conditions == conditions_of(config, {}, "cpu", 1));
}

TEST(FrameRate, WhatIsSkippedIsNoFramesTime) {
  using std::chrono::milliseconds;
  FrameRate rate;
  FrameRate::Clock::time_point now{std::chrono::seconds{1}};
  for (int i = 0; i < 100; ++i) rate.count(now += milliseconds{20});
  EXPECT_NEAR(rate.frames_per_second(), 50, 1e-9);
  for (int i = 0; i < 30; ++i) {
    rate.skip();
    rate.count(now += milliseconds{100});
  }
  EXPECT_NEAR(rate.frames_per_second(), 50, 1e-9) << "skipped intervals do not change the rate";
  for (int i = 0; i < 100; ++i) rate.count(now += milliseconds{10});
  EXPECT_NEAR(rate.frames_per_second(), 100, 1e-9);
}

}  // namespace
}  // namespace loom::app
