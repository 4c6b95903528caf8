#include <gtest/gtest.h>

#include "app/bench/sweep_runner.h"
#include "compute/geometry/nbb_catalog.h"
#include "measure_whole.h"

namespace loom::app::bench {
namespace {

MapCase gasket_case(int level, MapKind map = MapKind::kBoundingBox) {
  return {.config = {.fractal = find_fractal("sierpinski-gasket"),
                     .level = level,
                     .tile_size = 1,
                     .method = {.map = map}},
          .workload = Workload::kLife,
          .backend = {{}, "selected"}};
}

TEST(Measurement, SamplesUntilALimitOrLowNoise) {
  Sampling sampling;
  sampling.max_samples = 12;
  const auto entry = test::measure_whole(gasket_case(4), sampling);
  ASSERT_TRUE(entry.measured) << entry.skipped;
  const MapResult& measured = *entry.measured;
  EXPECT_GE(measured.milliseconds.samples, 10u);
  EXPECT_LE(measured.milliseconds.samples, 12u);
  EXPECT_EQ(measured.limited, *measured.milliseconds.noise >= sampling.target_noise);
  EXPECT_GT(measured.milliseconds.min, 0);
  EXPECT_LE(measured.milliseconds.min, measured.milliseconds.median);
  EXPECT_LE(measured.milliseconds.median, measured.milliseconds.p95);
  EXPECT_TRUE(entry.skipped.empty());
}

TEST(Measurement, CountsAreOfOneGenerationThoughSamplesHoldMore) {
  const auto entry = test::measure_whole(gasket_case(4), {});
  ASSERT_TRUE(entry.measured) << entry.skipped;
  EXPECT_GT(entry.measured->generations_per_sample, 1u);
  EXPECT_EQ(entry.measured->threads_launched, 256u);
  EXPECT_EQ(entry.measured->threads_active, 81u);
  EXPECT_EQ(entry.measured->bytes_moved, 162u);
  EXPECT_EQ(entry.measured->allocated_bytes, 512u);
  EXPECT_EQ(entry.cells, 81u);
}

TEST(Measurement, AFirstGenerationAboveTheLimitIsTheOnlySample) {
  Sampling sampling;
  sampling.max_seconds = 1e-9;
  const auto entry = test::measure_whole(gasket_case(7), sampling);
  ASSERT_TRUE(entry.measured) << entry.skipped;
  EXPECT_EQ(entry.measured->milliseconds.samples, 1u);
  EXPECT_EQ(entry.measured->generations_per_sample, 1u);
  EXPECT_TRUE(entry.measured->limited);
  EXPECT_FALSE(entry.measured->milliseconds.noise);
}

TEST(Measurement, TheWarmUpOfShortGenerationsDoesNotUseUpTheLimit) {
  Sampling sampling;
  sampling.max_seconds = 0.05;
  const auto entry = test::measure_whole(gasket_case(4), sampling);
  ASSERT_TRUE(entry.measured) << entry.skipped;
  EXPECT_GT(entry.measured->milliseconds.samples, 1u);
}

TEST(Measurement, WhatDoesNotFitIsSkippedWithTheReason) {
  const auto entry = test::measure_whole(gasket_case(30), {});
  EXPECT_FALSE(entry.measured);
  EXPECT_NE(entry.skipped.find("largest level that fits"), std::string::npos) << entry.skipped;
}

}  // namespace
}  // namespace loom::app::bench
