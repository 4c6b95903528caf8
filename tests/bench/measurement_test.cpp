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
  ASSERT_TRUE(entry.measured()) << entry.skipped();
  EXPECT_GE(entry.count("samples"), 10u);
  EXPECT_LE(entry.count("samples"), 12u);
  EXPECT_EQ(entry["limited"], entry.number("noise") >= sampling.target_noise);
  EXPECT_GT(entry.number("min_ms"), 0);
  EXPECT_LE(entry.number("min_ms"), entry.number("median_ms"));
  EXPECT_LE(entry.number("median_ms"), entry.number("p95_ms"));
  EXPECT_TRUE(entry.skipped().empty());
}

TEST(Measurement, CountsAreOfOneGenerationThoughSamplesHoldMore) {
  const auto entry = test::measure_whole(gasket_case(4), {});
  ASSERT_TRUE(entry.measured()) << entry.skipped();
  EXPECT_GT(entry.count("generations_per_sample"), 1u);
  EXPECT_EQ(entry.count("threads_launched"), 256u);
  EXPECT_EQ(entry.count("threads_active"), 81u);
  EXPECT_EQ(entry.count("bytes_moved"), 162u);
  EXPECT_EQ(entry.count("bytes_held"), 512u);
  EXPECT_EQ(entry["cells"], 81u);
}

TEST(Measurement, AFirstGenerationAboveTheLimitIsTheOnlySample) {
  Sampling sampling;
  sampling.max_seconds = 1e-9;
  const auto entry = test::measure_whole(gasket_case(7), sampling);
  ASSERT_TRUE(entry.measured()) << entry.skipped();
  EXPECT_EQ(entry.count("samples"), 1u);
  EXPECT_EQ(entry.count("generations_per_sample"), 1u);
  EXPECT_EQ(entry["limited"], true);
  EXPECT_TRUE(entry["noise"].is_null());
}

TEST(Measurement, TheWarmUpOfShortGenerationsDoesNotUseUpTheLimit) {
  Sampling sampling;
  sampling.max_seconds = 0.05;
  const auto entry = test::measure_whole(gasket_case(4), sampling);
  ASSERT_TRUE(entry.measured()) << entry.skipped();
  EXPECT_GT(entry.count("samples"), 1u);
}

TEST(Measurement, WhatDoesNotFitIsSkippedWithTheReason) {
  const auto entry = test::measure_whole(gasket_case(30), {});
  EXPECT_FALSE(entry.measured());
  EXPECT_NE(entry.skipped().find("largest level that fits"), std::string::npos) << entry.skipped();
}

}  // namespace
}  // namespace loom::app::bench
