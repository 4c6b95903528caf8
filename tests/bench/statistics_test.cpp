#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "app/bench/sampler.h"
#include "compute/core/error.h"

namespace loom::app::bench {
namespace {

TEST(Statistics, OfKnownSamples) {
  const std::vector<double> samples = {4, 2, 8, 6};
  const Summary summary = summarise(samples);
  EXPECT_DOUBLE_EQ(summary.median, 5);
  EXPECT_DOUBLE_EQ(summary.min, 2);
  EXPECT_DOUBLE_EQ(summary.p95, 8);
  EXPECT_DOUBLE_EQ(summary.mean, 5);
  // The noise is the standard error relative to the mean: the deviation sqrt(20 / 3) over sqrt(4), over the
  // mean.
  EXPECT_NEAR(*summary.noise, std::sqrt(20.0 / 3) / 2 / 5, 1e-12);
  EXPECT_EQ(summary.samples, 4u);
}

TEST(Statistics, The95thPercentileIsTheNearestRank) {
  std::vector<double> samples;
  for (int i = 1; i <= 100; ++i) samples.push_back(i);
  EXPECT_DOUBLE_EQ(summarise(samples).p95, 95);
  EXPECT_DOUBLE_EQ(summarise(samples).median, 50.5);
  samples.resize(19);
  EXPECT_DOUBLE_EQ(summarise(samples).p95, 19);
  EXPECT_DOUBLE_EQ(summarise(samples).median, 10);
}

TEST(Statistics, OneSampleHasNoNoise) {
  const std::vector<double> samples = {3};
  EXPECT_EQ(summarise(samples), (Summary{3, 3, 3, 3, std::nullopt, 1}));
}

TEST(Statistics, NoSampleIsAnError) {
  EXPECT_THROW(summarise({}), InputError);
}

TEST(Statistics, TheRunningErrorAgreesAndStaysExactOnAnOffset) {
  RunningError error;
  const std::vector<double> samples = {1e9 + 4, 1e9 + 2, 1e9 + 8, 1e9 + 6};
  for (double sample : samples) error.add(sample);
  EXPECT_DOUBLE_EQ(error.mean(), 1e9 + 5);
  EXPECT_NEAR(*error.relative_standard_error() * error.mean(), std::sqrt(20.0 / 3) / 2, 1e-6);
}

TEST(Statistics, OfManySamplesEveryNthIsKept) {
  DecimatedSamples samples;
  for (int i = 0; i < 1000; ++i) samples.add(i);
  ASSERT_EQ(samples.retained().size(), 1000u);
  EXPECT_EQ(samples.retained()[999], 999);
  for (int i = 1000; i < 5'000'000; ++i) samples.add(i);
  // With room for 2^20 samples, every eighth one is retained.
  ASSERT_EQ(samples.retained().size(), 625'000u);
  for (std::size_t i = 0; i < samples.retained().size(); ++i)
    ASSERT_EQ(samples.retained()[i], 8.0 * static_cast<double>(i));
}

}  // namespace
}  // namespace loom::app::bench
