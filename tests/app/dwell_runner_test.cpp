#include "app/workspaces/mandelbrot/scene/dwell_runner.h"

#include <gtest/gtest.h>

#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "compute/backend/engine_factory.h"
#include "compute/cpu/mandelbrot/smooth_image.h"
#include "compute/mandelbrot/dwell.h"
#include "compute/mandelbrot/smooth_dwell.h"

namespace loom::app {
namespace {

constexpr glm::ivec2 kPicture{96, 64};

DwellRequest request() {
  DwellRequest request;
  request.config = {.g = 2, .r = 2, .b = 4, .dwell_limit = 64};
  request.config.optimisations.mirror = false;
  request.view = default_view(kPicture);
  request.picture = kPicture;
  return request;
}

/// A DwellRunner on the CPU. A runner owns a thread and cannot be moved.
class CpuRunner : public DwellRunner {
 public:
  CpuRunner() { use_backend({{}, "test"}); }
};

/// Advances until no work is left. Returns the number of frames.
int settle(DwellRunner& runner, const DwellRequest& request) {
  int frames = 0;
  while (frames < 20 && runner.advance(request)) ++frames;
  return frames;
}

TEST(DwellRunner, BeginsCoarselyAndComesToRest) {
  CpuRunner runner;
  ASSERT_TRUE(runner.advance(request()));
  EXPECT_GT(runner.divisor(), 1) << "no timing is known yet";
  EXPECT_FALSE(runner.report().has_value());
  settle(runner, request());
  EXPECT_EQ(runner.divisor(), 1);
  ASSERT_TRUE(runner.report().has_value());
  EXPECT_EQ(runner.report()->pixels, 96u * 64u);
  EXPECT_GE(runner.times().samples, 1u);
  EXPECT_LE(runner.times().samples, kTimedRuns);
  EXPECT_FALSE(runner.advance(request())) << "the request did not change";
}

TEST(DwellRunner, WhatIsCancelledBetweenTwoResolutionsIsNotMadeFiner) {
  CpuRunner runner;
  ASSERT_TRUE(runner.advance(request()));
  const int coarse = runner.divisor();
  ASSERT_GT(coarse, 1);
  ASSERT_FALSE(runner.busy());
  EXPECT_FALSE(runner.is_abandoned());
  runner.cancel();
  EXPECT_FALSE(runner.advance(request()));
  EXPECT_TRUE(runner.is_abandoned());
  EXPECT_EQ(runner.divisor(), coarse);
  EXPECT_TRUE(runner.has_picture()) << "the coarse picture is complete";
  DwellRequest other = request();
  other.view.centre.x += 0.1;
  EXPECT_TRUE(runner.advance(other));
  EXPECT_FALSE(runner.is_abandoned());
  settle(runner, request());
  EXPECT_EQ(runner.divisor(), 1) << "a new request is computed";
  runner.cancel();
  EXPECT_FALSE(runner.is_abandoned()) << "there was nothing to cancel";
}

TEST(DwellRunner, AnotherViewIsComputedAgain) {
  CpuRunner runner;
  settle(runner, request());
  DwellRequest other = request();
  other.view.centre.x += 0.1;
  EXPECT_TRUE(runner.advance(other));
  settle(runner, other);
  EXPECT_EQ(runner.request().view, other.view);
  EXPECT_LE(runner.times().samples, kTimedRuns) << "only timings of this view count";
}

// With several partitions the runner reports the work of each for the current picture; the dwells do not
// change.
TEST(DwellRunner, SaysWhatEachPartDid) {
  CpuRunner one;
  settle(one, request());
  EXPECT_TRUE(one.parts().empty());
  CpuRunner runner;
  for (const int others : {1, 3, 0, 2}) {
    std::vector<Device> further;
    for (int i = 0; i < others; ++i) further.push_back({.ordinal = i + 1});
    runner.use_backend({{}, "test", further});
    EXPECT_FALSE(runner.has_picture());
    for (const MandelbrotMethod method : kMandelbrotMethods) {
      DwellRequest of_method = request();
      of_method.config.g = 8;
      of_method.config.method = method;
      of_method.smooth = method == MandelbrotMethod::kAsk;
      settle(runner, of_method);
      ASSERT_EQ(runner.divisor(), 1);
      EXPECT_EQ(runner.parts().size(), others == 0 ? 0u : further.size() + 1);
      std::vector<int> computed(kPicture.y);
      for (const DwellPartition& part : runner.parts()) {
        EXPECT_GE(part.time.end, part.time.begin);
        for (const RowRange& rows : part.rows) {
          for (std::uint32_t y = rows.first; y < rows.end; ++y) ++computed.at(y);
        }
      }
      EXPECT_EQ(computed, std::vector<int>(kPicture.y, others > 0 ? 1 : 0));
      std::vector<std::uint32_t> dwells(96 * 64);
      std::vector<std::uint32_t> expected(96 * 64);
      DwellRequest alike = of_method;
      alike.smooth = false;
      settle(one, alike);
      runner.engine().read_dwells(0, dwells);
      one.engine().read_dwells(0, expected);
      EXPECT_EQ(dwells, expected);
      EXPECT_EQ(runner.histogram(), one.histogram());
    }
  }
}

TEST(DwellRunner, ATimelineIsOfOneDevice) {
  CpuRunner runner;
  runner.use_backend({{}, "test", {{.ordinal = 1}}});
  settle(runner, request());
  runner.record_timeline();
  ASSERT_TRUE(runner.recorded());
  EXPECT_EQ(runner.recorded()->timeline, nullptr);
  EXPECT_NE(runner.recorded()->problem.find("shows one device"), std::string::npos);
  EXPECT_EQ(runner.problem(), "") << "the problem is shown in place of the timeline only";
}

TEST(DwellRunner, EveryFrameIsTimed) {
  CpuRunner runner;
  DwellRequest every = request();
  every.every_frame = true;
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(runner.advance(every));
  EXPECT_EQ(runner.divisor(), 1);
  EXPECT_EQ(runner.times().samples, 5u);
}

TEST(DwellRunner, ListedRegionsCoverThePictureAndAreNotTimed) {
  CpuRunner runner;
  DwellRequest listed = request();
  listed.regions = true;
  settle(runner, listed);
  EXPECT_GE(runner.times().samples, 1u);
  EXPECT_LE(runner.times().samples, kTimedRuns);
  std::uint64_t covered = 0;
  for (const MandelbrotRegion& region : runner.regions()) {
    if (region.kind != RegionKind::kSplit) covered += std::uint64_t{region.width} * region.height;
  }
  EXPECT_EQ(covered, 96u * 64u);
}

TEST(DwellRunner, CheckIsOfThePictureThatStands) {
  // With g = 1 this distant view is a single region whose whole border escapes at once: the region is filled
  // and the set is missed.
  DwellRequest far = request();
  far.config.g = 1;
  far.view = {{-0.5, 0}, 12};
  CpuRunner runner;
  settle(runner, far);
  runner.check();
  ASSERT_TRUE(runner.checked().has_value());
  const MandelbrotView view = mandelbrot_view(far.view, kPicture, Precision::kFloat);
  const auto grid = make_direct<float>(view);
  std::uint64_t missed = 0;
  for (std::uint32_t i = 0; i < view.pixels(); ++i) {
    missed += dwell(grid.at(i % view.width, i / view.width), far.config.dwell_limit) > 0;
  }
  EXPECT_GT(missed, 100u);
  EXPECT_EQ(runner.checked()->differences.count, missed);
  DwellRequest other = far;
  other.config.g = 4;
  runner.advance(other);
  EXPECT_FALSE(runner.checked().has_value());
}

// The picture is read from the engine that computed it.
TEST(DwellRunner, StaysWithItsBackendUntilTheWorkOnItHasEnded) {
  CpuRunner runner;
  settle(runner, request());
  DwellRequest long_one = request();
  long_one.picture = {2000, 2000};
  long_one.config.dwell_limit = 60000;
  long_one.config.method = MandelbrotMethod::kExhaustive;
  long_one.config.optimisations = {};
  for (int i = 0; i < 20 && !runner.busy(); ++i) runner.advance(long_one, TaskTimeout{0});
  ASSERT_TRUE(runner.busy());
  runner.use_backend({cuda_device(0), "test"});
  EXPECT_EQ(runner.backend().device.kind, BackendKind::kCpu);
  settle(runner, request());
  EXPECT_EQ(runner.image(MemorySpace::kHost).width, kPicture.x);
}

TEST(DwellRunner, RemembersTheExhaustiveTimeOfAView) {
  CpuRunner runner;
  settle(runner, request());
  EXPECT_FALSE(runner.exhaustive_ms().has_value()) << "not measured yet";
  runner.measure_exhaustive();
  const auto measured = runner.exhaustive_ms();
  ASSERT_TRUE(measured.has_value());
  DwellRequest other = request();
  other.view.width = 1;
  settle(runner, other);
  EXPECT_FALSE(runner.exhaustive_ms().has_value()) << "another view has not been measured";
  DwellRequest other_cut = request();
  other_cut.config.b = 8;
  settle(runner, other_cut);
  EXPECT_EQ(runner.exhaustive_ms(), measured) << "the exhaustive time does not depend on g, r and B";
}

TEST(DwellRunner, ARequestThatFailsIsReportedOnceAndAnotherOneWorks) {
  CpuRunner runner;
  DwellRequest bad = request();
  bad.config.r = 1;
  EXPECT_FALSE(runner.advance(bad));
  EXPECT_NE(runner.problem().find("r = 1 is not allowed"), std::string::npos) << runner.problem();
  runner.clear_problem();
  EXPECT_FALSE(runner.advance(bad));
  EXPECT_TRUE(runner.problem().empty()) << "the failed request is not retried";
  EXPECT_TRUE(runner.is_abandoned());
  EXPECT_TRUE(runner.advance(request()));
  EXPECT_FALSE(runner.is_abandoned());
}

TEST(SmoothDwell, LiesAtTheDwellAndGrowsTowardsTheSet) {
  for (double re = 0.27; re < 1.9; re += 0.01) {
    const Complex<double> c{re, 0.05};
    const std::uint32_t whole = dwell(c, 512);
    const double smooth = static_cast<double>(smooth_dwell(c, 512));
    EXPECT_NEAR(smooth, whole, 1.3) << re;
  }
  float before = 1e9f;
  for (double re = 0.3; re < 1.4; re += 0.001) {
    const float smooth = smooth_dwell(Complex<double>{re, 0}, 512);
    EXPECT_LT(smooth, before) << "not strictly decreasing at re =" << re;
    before = smooth;
  }
  EXPECT_EQ(smooth_dwell(Complex<double>{-1, 0}, 512), 512.0f);
}

TEST(DwellColours, OfHighLimitsFollowTheScaleOfTheImage) {
  // Dwells of the tip of the antenna at 1e-40 are near 66; the dwells of its pixels span few values.
  const auto engine = make_mandelbrot_engine({{}, "test"});
  engine->compute({.dwell_limit = 200000, .precision = Precision::kPerturbedDouble},
                  make_decimal_view({"-2", "0", "1e-40"}, 64, 40));
  const ScaledHistogram histogram = count_dwells_by_scale(*engine);
  EXPECT_EQ(histogram.scale.limit, 200000u);
  std::vector<std::uint32_t> dwells(64 * 40);
  engine->read_dwells(0, dwells);
  EXPECT_EQ(histogram.scale.first, *std::min_element(dwells.begin(), dwells.end()));
  std::uint64_t counted = 0;
  for (const std::uint64_t count : histogram.counts) counted += count;
  EXPECT_EQ(counted, dwells.size());
  const auto inside = static_cast<std::uint64_t>(std::count(dwells.begin(), dwells.end(), 200000u));
  EXPECT_EQ(histogram.counts.back(), inside);
  const render::Palette& palette = render::palettes().front();
  DwellColours cyclic;
  dwell_colours(palette, {Colouring::kBands, InteriorColour::kBlack, 24}, histogram, cyclic);
  EXPECT_EQ(cyclic.scale.cycle, 24u);
  EXPECT_EQ(cyclic.colours.size(), 25u);
  EXPECT_EQ(cyclic.colours.back(), (glm::u8vec3{0, 0, 0}));
  EXPECT_EQ(cyclic.table().colours[cyclic.scale.entry(48, 25)], palette.cycle[0]);
  DwellColours whole;
  dwell_colours(palette, {Colouring::kHistogram, InteriorColour::kBlack}, histogram, whole);
  EXPECT_EQ(whole.colours.size(), histogram.counts.size());
  EXPECT_EQ(whole.scale, histogram.scale);
}

TEST(SmoothImage, TakesTheInteriorOverAndComputesTheRest) {
  const auto engine = make_mandelbrot_engine({{}, "test"});
  engine->compute(request().config, mandelbrot_view(request().view, kPicture, Precision::kFloat));
  SmoothImage smooth;
  const SmoothReport report = smooth.compute(*engine, Perturbation());
  const ImageView image = smooth.image();
  const auto* values = static_cast<const std::uint32_t*>(image.pixels);
  const DwellHistogram histogram = count_dwells(*engine);
  EXPECT_EQ(report.exterior + histogram.back(), 96u * 64u);
  std::uint64_t interior = 0;
  for (int i = 0; i < 96 * 64; ++i) interior += values[i] == 64u << 16;
  EXPECT_EQ(interior, histogram.back());
}

TEST(DwellColours, TheHistogramSharesTheScaleOut) {
  const render::Palette& palette = render::palettes().front();
  const DwellHistogram histogram = {0, 10, 0, 80, 10, 500};
  std::vector<glm::u8vec3> colours;
  dwell_colours(palette, {Colouring::kHistogram, InteriorColour::kBlack}, histogram, 5, colours);
  ASSERT_EQ(colours.size(), 6u);
  EXPECT_EQ(colours[1], palette.ramp[13]);   // the middle of the first 10 %
  EXPECT_EQ(colours[3], palette.ramp[128]);  // the middle of 10 % to 90 %
  EXPECT_EQ(colours[4], palette.ramp[242]);
  EXPECT_EQ(colours[5], (glm::u8vec3{0, 0, 0}));
}

TEST(DwellColours, TheLogarithmSpansTheDwellsOfThePicture) {
  const render::Palette& palette = render::palettes().front();
  DwellHistogram histogram(101);
  for (std::size_t dwell = 20; dwell < 60; ++dwell) histogram[dwell] = 100;
  std::vector<glm::u8vec3> colours;
  dwell_colours(palette, {}, histogram, 100, colours);
  EXPECT_EQ(colours[20], palette.ramp.front());
  EXPECT_EQ(colours[59], palette.ramp.back());
  EXPECT_EQ(colours[99], palette.ramp.back());
  EXPECT_EQ(colours[100], palette.hole);
  dwell_colours(palette, {}, {}, 1, colours);
  EXPECT_EQ(colours.size(), 2u);
}

}  // namespace
}  // namespace loom::app
