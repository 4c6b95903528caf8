#include <algorithm>
#include <utility>

#include "backend.h"
#include "compute/backend/engine_factory.h"
#include "compute/check/dwell_checks.h"
#include "deep_places.h"

namespace loom {
namespace {

using Regions = MandelbrotEngine::Regions;

class DeepZoom : public tests::EngineTest {
 protected:
  void SetUp() override {
    EngineTest::SetUp();
    if (!IsSkipped()) engine_ = make_mandelbrot_engine(backend_);
  }
  std::vector<std::uint32_t> dwells() const {
    std::vector<std::uint32_t> result(engine_->view().pixels());
    engine_->read_dwells(0, result);
    return result;
  }
  std::unique_ptr<MandelbrotEngine> engine_;
};

MandelbrotConfig config_of(MandelbrotMethod method, std::uint32_t limit) {
  MandelbrotConfig config{.g = 2, .b = 8, .dwell_limit = limit, .precision = Precision::kAuto};
  set_method(config, method);
  return config;
}

TEST_F(DeepZoom, TheDwellsOfTenPlacesAreExactWithEveryMethod) {
  for (const tests::DeepPlace& place : tests::kDeepPlaces) {
    SCOPED_TRACE(place.name);
    const MandelbrotView view = make_decimal_view(place.view, 40, 24);
    const MandelbrotReport report =
        engine_->compute(config_of(MandelbrotMethod::kExhaustive, place.limit), view);
    ASSERT_TRUE(report.perturbation);
    EXPECT_GT(report.perturbation->digits, 20);
    const SampledCheck check = check_samples(*engine_, place.samples, 1, 10);
    EXPECT_EQ(check.samples, place.samples);
    EXPECT_EQ(check.different, 0u) << check.places[0].pixel.x << ", " << check.places[0].pixel.y << ": "
                                   << check.places[0].dwell << ", exactly " << check.places[0].expected;
    const std::vector<std::uint32_t> exhaustive = dwells();
    EXPECT_NE(*std::min_element(exhaustive.begin(), exhaustive.end()),
              *std::max_element(exhaustive.begin(), exhaustive.end()));
    for (const MandelbrotMethod method : {MandelbrotMethod::kAsk, MandelbrotMethod::kDp}) {
      for (const RegionScheme scheme : kRegionSchemes) {
        for (const MandelbrotOptimisations& optimisations : {MandelbrotOptimisations{}, kNoOptimisations}) {
          MandelbrotConfig config = config_of(method, place.limit);
          config.scheme = scheme;
          config.optimisations = optimisations;
          SCOPED_TRACE(std::string(name_of(method)) + " " + std::string(name_of(scheme)));
          const MandelbrotReport subdivided = engine_->compute(config, view, Regions::kList);
          EXPECT_TRUE(subdivided.perturbation->orbit_reused);
          const std::vector<std::uint32_t> found = dwells();
          std::uint64_t different = 0;
          for (std::size_t i = 0; i < found.size(); ++i) different += found[i] != exhaustive[i];
          const DwellDifferences differences = engine_->count_differences(1000);
          EXPECT_EQ(differences.count, different);
          EXPECT_EQ(count_border_misses(*engine_, differences), different);
        }
      }
    }
  }
}

/// Whether the pixels of the computed view are exact (MPFR).
void expect_exact(MandelbrotEngine& engine, const std::string& what) {
  const SampledCheck check = check_samples(engine, 200, 1, 10);
  EXPECT_EQ(check.different, 0u) << what << ": " << check.places[0].pixel.x << ", "
                                 << check.places[0].pixel.y;
}

TEST_F(DeepZoom, TurnedViewsAreExact) {
  for (const char* width : {"1e-9", "1e-30", "1e-400"}) {
    for (const double angle : {37.0, -90.0, 211.25}) {
      const MandelbrotView view = make_decimal_view({"0", "1", width}, 40, 24, angle);
      for (const MandelbrotMethod method : kMandelbrotMethods) {
        engine_->compute(config_of(method, 2000), view);
        expect_exact(*engine_, std::string(width) + ", " + std::to_string(angle));
      }
    }
  }
  // Pixels that two doubles do not decide: the real axis, which does not escape, is the middle column.
  engine_->compute(config_of(MandelbrotMethod::kExhaustive, 2000),
                   make_decimal_view({"-1.9", "0", "1e-30"}, 24, 24, 90));
  expect_exact(*engine_, "the axis");
  for (std::uint32_t y = 0; y < 24; ++y) {
    EXPECT_EQ(dwells()[y * 24 + 12], 2000u);
    EXPECT_LT(dwells()[y * 24 + 13], 2000u);
  }
}

// As in mandelbrot_test.cpp; the dwells are those of exact arithmetic.
TEST_F(DeepZoom, ATurnBy90DegreesTurnsTheImage) {
  constexpr std::uint32_t kSide = 32;
  const DecimalView place{"0", "1", "7.888609052210118e-31"};
  engine_->compute(config_of(MandelbrotMethod::kExhaustive, 2000), make_decimal_view(place, kSide, kSide));
  const std::vector<std::uint32_t> upright = dwells();
  engine_->compute(config_of(MandelbrotMethod::kExhaustive, 2000),
                   make_decimal_view(place, kSide, kSide, 90));
  const std::vector<std::uint32_t> turned = dwells();
  EXPECT_NE(turned, upright);
  for (std::uint32_t y = 1; y < kSide; ++y) {
    for (std::uint32_t x = 0; x < kSide; ++x)
      ASSERT_EQ(turned[y * kSide + x], upright[x * kSide + kSide - y]) << x << ", " << y;
  }
}

TEST_F(DeepZoom, AskIsRightForAnySizeAndNumberOfRegionsAndLevels) {
  const auto cpu = make_mandelbrot_engine(select_backend(BackendChoice::kCpu));
  std::size_t most_levels = 0;
  std::uint64_t filled_by_tiles = 0;
  struct Cut {
    std::uint32_t g, r, b;
  };
  struct Size {
    std::uint32_t width, height;
    std::vector<Cut> cuts;
    const tests::DeepPlace* place = &tests::kDeepPlaces[0];
  };
  const std::vector<Cut> many{{1, 2, 128}, {7, 2, 128}, {32, 2, 128}, {100, 2, 128},
                              {1, 2, 3},   {3, 3, 2},   {1, 16, 4},   {16, 2, 1}};
  // At 2048 x 8 leaves have one row: all of them is border, of eight times 32 pixels.
  // The last view has no pixel that reaches the limit, and leaves in which the dwell seldom changes.
  for (const auto& [width, height, cuts, place] :
       {Size{75, 41, many},
        {64, 1, many},
        {3, 40, many},
        {150, 100, {{1, 2, 128}, {1, 2, 3}, {1, 3, 40}}},
        {2048, 8, {{1, 2, 128}}},
        {512, 24, {{2, 2, 16}}},
        {150, 100, {{2, 2, 128}, {3, 2, 128}, {1, 2, 40}}, &tests::kDeepPlaces[5]}}) {
    const MandelbrotView view = make_decimal_view(place->view, width, height);
    engine_->compute(config_of(MandelbrotMethod::kExhaustive, place->limit), view);
    const std::vector<std::uint32_t> exhaustive = dwells();
    for (const Cut& cut : cuts) {
      for (const FillRule fill : {FillRule::kUniform, FillRule::kInterior}) {
        SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(height) + ", g " + std::to_string(cut.g) +
                     ", r " + std::to_string(cut.r) + ", b " + std::to_string(cut.b));
        MandelbrotConfig config = config_of(MandelbrotMethod::kAsk, place->limit);
        config.g = cut.g;
        config.r = cut.r;
        config.b = cut.b;
        config.fill = fill;
        config.optimisations.early_stop = config.optimisations.tiles = false;
        const MandelbrotReport expected = cpu->compute(config, view);
        for (const bool tiles : {false, true}) {
          SCOPED_TRACE(tiles ? "tiles" : "no tiles");
          config.optimisations.tiles = tiles;
          const MandelbrotReport report = engine_->compute(config, view, Regions::kList);
          most_levels = std::max(most_levels, report.levels.size());
          ASSERT_EQ(report.levels.size(), expected.levels.size());
          std::vector<std::uint64_t> listed(report.levels.size());
          std::uint64_t pixels = 0;
          for (const MandelbrotRegion& region : engine_->regions()) {
            ++listed[region.level];
            if (region.kind != RegionKind::kSplit) pixels += std::uint64_t{region.width} * region.height;
          }
          EXPECT_EQ(pixels, view.pixels());
          for (std::size_t level = 0; level < report.levels.size(); ++level) {
            SCOPED_TRACE("level " + std::to_string(level));
            MandelbrotLevel counted = report.levels[level];
            const MandelbrotLevel& same = expected.levels[level];
            EXPECT_EQ(counted.regions, listed[level]);
            const auto sum = [](const MandelbrotLevel& of) {
              return of.border_pixels + of.leaf_pixels + of.filled_pixels;
            };
            EXPECT_EQ(sum(counted), sum(same));
            if (tiles) {
              EXPECT_GE(counted.filled_pixels, same.filled_pixels);
              counted.border_pixels = same.border_pixels;
              counted.leaf_pixels = same.leaf_pixels;
              counted.filled_pixels = same.filled_pixels;
            }
            counted.milliseconds = same.milliseconds;
            EXPECT_EQ(counted, same);
          }
          filled_by_tiles +=
              tiles ? report.levels.back().filled_pixels - expected.levels.back().filled_pixels : 0;
          const std::vector<std::uint32_t> found = dwells();
          std::uint64_t different = 0;
          for (std::size_t i = 0; i < found.size(); ++i) different += found[i] != exhaustive[i];
          const DwellDifferences differences = engine_->count_differences(100'000);
          EXPECT_EQ(differences.count, different);
          EXPECT_EQ(count_border_misses(*engine_, differences), different);
        }
      }
    }
  }
  EXPECT_GE(most_levels, 6u);
  EXPECT_GT(filled_by_tiles, 0u);
}

TEST_F(DeepZoom, BordersMayHaveMoreThan32768Times32Pixels) {
  // 2^15 + 1 times 32 pixels, rounded up, all of them on the border of one region but for one row.
  const MandelbrotView view = make_decimal_view({"0", "1", "1e-200"}, 524'304, 3);
  engine_->compute(config_of(MandelbrotMethod::kExhaustive, 4000), view);
  const std::vector<std::uint32_t> exhaustive = dwells();
  MandelbrotConfig config = config_of(MandelbrotMethod::kAsk, 4000);
  config.g = 1;
  config.r = config.b = 1024;
  for (const bool tiles : {false, true}) {
    config.optimisations.tiles = tiles;
    const MandelbrotReport report = engine_->compute(config, view);
    EXPECT_EQ(report.levels.size(), 1u);
    EXPECT_EQ(report.levels[0].leaves, 1u);
    EXPECT_EQ(dwells(), exhaustive);
  }
}

/// Kalles Fraktaler's benchmark "1e50".
const DecimalView kBenchmark{
    "-0.04947002906310409375169222672735363011874571248822487931810494023264219477268690342790",
    "-0.67478757584467536401139205313059765633477070682240348069799979479099419834548451115142",
    "7.111111e-50"};

// Dwells by an integer loop with 320 and 512 bits, which shares no code with ours.
TEST_F(DeepZoom, PixelsThatADoubleMantissaGetsWrongAreComputedWithTwoDoubles) {
  const std::pair<Coord32, std::uint32_t> right[] = {
      {{47, 5}, 173740}, {{35, 11}, 173557}, {{16, 22}, 170935}, {{25, 22}, 173461}};
  const MandelbrotView view = make_decimal_view(kBenchmark, 96, 54);
  MandelbrotConfig config = config_of(MandelbrotMethod::kExhaustive, 263010);
  for (const MandelbrotMethod method : kMandelbrotMethods) {
    set_method(config, method);
    const MandelbrotReport report = engine_->compute(config, view);
    EXPECT_TRUE(engine_->config().exact);
    EXPECT_GT(report.perturbation->uncertain, 0u);
    EXPECT_LT(report.perturbation->uncertain, view.pixels() / 20);
    EXPECT_EQ(report.perturbation->undecided, 0u);
    const std::vector<std::uint32_t> exact = dwells();
    for (const auto& [pixel, dwell] : right)
      EXPECT_EQ(exact[pixel.y * view.width + pixel.x], dwell) << pixel.x << ", " << pixel.y;
    EXPECT_EQ(engine_->count_differences(1).count, 0u);
  }
  config.method = MandelbrotMethod::kExhaustive;
  const std::vector<std::uint32_t> exact = dwells();
  config.precision = Precision::kPerturbedDouble;
  const MandelbrotReport report = engine_->compute(config, view);
  EXPECT_EQ(report.perturbation->uncertain, 0u) << "as selected";
  const std::vector<std::uint32_t> plain = dwells();
  std::uint64_t different = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) different += plain[i] != exact[i];
  EXPECT_GT(different, 0u) << "53 bits do not suffice here";
  EXPECT_LT(different, plain.size() / 50);
}

// Long orbits at shallow spirals: without two doubles 11 of 8,000 samples differ.
TEST_F(DeepZoom, ShallowSpiralsAreExact) {
  const DecimalView spirals[] = {
      {"0.2766", "0.4834", "0.012"},
      {"-0.75", "0.1", "0.01"},
      {"-0.743643887037158704752191506114774", "0.131825904205311970493132056385139", "5.3e-9"}};
  for (const DecimalView& spiral : spirals) {
    SCOPED_TRACE(spiral.width.text());
    const MandelbrotReport report =
        engine_->compute(config_of(MandelbrotMethod::kAsk, 2000), make_decimal_view(spiral, 160, 90));
    EXPECT_GT(report.perturbation->uncertain, 0u);
    EXPECT_EQ(report.perturbation->undecided, 0u);
    EXPECT_EQ(check_samples(*engine_, 3000, 9, 1).different, 0u);
  }
}

// Next to a minibrot of a shallow spiral, orbits stay for so long that 106 bits do not suffice either.
TEST_F(DeepZoom, PixelsThatTwoDoublesDoNotDecideHaveOrbitsOfTheirOwn) {
  for (const DecimalView& view :
       {DecimalView{"-0.093733", "0.654808", "0.0013"}, DecimalView{"-0.09373", "0.65481", "0.00026"}}) {
    const MandelbrotView image = make_decimal_view(view, 24, 14);
    for (const MandelbrotMethod method : {MandelbrotMethod::kExhaustive, MandelbrotMethod::kAsk}) {
      MandelbrotConfig config = config_of(method, 100'000);
      config.optimisations = kNoOptimisations;
      const MandelbrotReport report = engine_->compute(config, image);
      EXPECT_GT(report.perturbation->uncertain, 0u);
      EXPECT_EQ(report.perturbation->undecided, 0u);
      EXPECT_EQ(dwells(), exact_dwells(image, 100'000)) << name_of(method) << " " << view.width.text();
    }
  }
}

// A third of the pixels are inside: the loop in MPFR numbers proves it instead of iterating to the limit,
// which would take a minute for each twenty.
TEST_F(DeepZoom, AViewWithAMinibrotIsExactAtAHighLimit) {
  const DecimalView minibrot{
      "-0.22817920769910571887912207570709061548015633738483510364900064462415074681475",
      "1.1151567671155511043715094934051461395156851581586311660939652760704751491664",
      "7.1111111111111111e-50"};
  const MandelbrotReport report =
      engine_->compute(config_of(MandelbrotMethod::kAsk, 10'100'100), make_decimal_view(minibrot, 96, 54));
  EXPECT_EQ(report.perturbation->undecided, 0u);
  EXPECT_EQ(check_samples(*engine_, 60, 5, 1).different, 0u);
}

// The centre is a point by itself, whatever the width.
TEST_F(DeepZoom, TheDwellOfTheCentreDoesNotDependOnTheWidth) {
  DecimalView view{"-0.743643887037158704752191506114774", "0.131825904205311970493132056385139", ""};
  for (const char* width : {"1e-2", "1e-6", "1e-12", "1e-16", "1e-20"}) {
    SCOPED_TRACE(width);
    view.width = width;
    engine_->compute(config_of(MandelbrotMethod::kExhaustive, 200'000), make_decimal_view(view, 16, 16));
    EXPECT_EQ(dwells()[8 * 16 + 8], 200'000u);
  }
}

// At |c| = 2 orbits end on the circle |z| = 2 itself. Only pixels of the real axis are chaotic up to the
// limit.
TEST_F(DeepZoom, TheTipNeedsNoLongerMantissa) {
  for (const char* width : {"1e-200", "1e-320"}) {
    const MandelbrotReport report = engine_->compute(config_of(MandelbrotMethod::kExhaustive, 4000),
                                                     make_decimal_view({"-2", "0", width}, 40, 24));
    EXPECT_LE(report.perturbation->uncertain, 20u) << width;
    EXPECT_EQ(report.perturbation->undecided, 0u) << width;
  }
}

TEST_F(DeepZoom, EveryPrecisionOfAPlaceIsNearTheExactOne) {
  const tests::DeepPlace& place = tests::kDeepPlaces[0];
  const MandelbrotView view = make_decimal_view(place.view, 96, 64);
  MandelbrotConfig config = config_of(MandelbrotMethod::kExhaustive, place.limit);
  engine_->compute(config, view);
  EXPECT_EQ(engine_->config().precision, Precision::kPerturbedDouble);
  const std::vector<std::uint32_t> exact = dwells();
  config.precision = Precision::kPerturbedDouble;
  engine_->compute(config, view);
  const std::vector<std::uint32_t> rounded = dwells();
  for (const Precision precision :
       {Precision::kPerturbedWide, Precision::kPerturbedFloat, Precision::kPerturbedWideFloat}) {
    config.precision = precision;
    engine_->compute(config, view);
    EXPECT_EQ(engine_->config().precision, precision);
    const std::vector<std::uint32_t> found = dwells();
    std::uint64_t different = 0;
    std::uint64_t far = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::uint32_t distance = found[i] < exact[i] ? exact[i] - found[i] : found[i] - exact[i];
      different += found[i] != rounded[i];
      far += distance > 1 && distance * std::uint64_t{1000} > exact[i];
    }
    EXPECT_LE(far * 10, found.size()) << name_of(precision) << " is not exact, and this place is sensitive";
    if (precision == Precision::kPerturbedWide) {
      EXPECT_EQ(different, 0u) << "the same mantissa";
    }
  }
}

TEST_F(DeepZoom, SmoothDwellsAndCountsFollowTheDwells) {
  const tests::DeepPlace& place = tests::kDeepPlaces[0];
  const MandelbrotView view = make_decimal_view(place.view, 40, 24);
  const MandelbrotConfig config = config_of(MandelbrotMethod::kExhaustive, place.limit);
  engine_->compute(config, view);
  const std::vector<std::uint32_t> found = dwells();
  std::vector<std::uint64_t> counts(place.limit + 1);
  engine_->count_dwells(counts);
  for (const std::uint32_t dwell : found) ASSERT_GT(counts[dwell], 0u);
  engine_->compute_smooth();
  const ImageView image = engine_->smooth_image(MemorySpace::kHost);
  const auto* const values = static_cast<const std::uint32_t*>(image.pixels);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == place.limit) {
      EXPECT_EQ(values[i], place.limit << 16);
    } else {
      EXPECT_NEAR(values[i] / 65536.0, found[i], 1.5) << i;
    }
  }
}

TEST_F(DeepZoom, DwellLimitsBeyond16BitsKeepTheirDwells) {
  for (const Precision precision : kDirectPrecisions) {
    const MandelbrotView view{{-0.7501, -0.7499, 0.0000, 0.0002}, 32, 24};
    MandelbrotConfig config{
        .method = MandelbrotMethod::kExhaustive, .dwell_limit = 100'000, .precision = precision};
    engine_->compute(config, view);
    const std::vector<std::uint32_t> exhaustive = dwells();
    EXPECT_GT(std::count_if(exhaustive.begin(), exhaustive.end(), [](std::uint32_t d) { return d > 65535; }),
              0);
    EXPECT_EQ(engine_->image(MemorySpace::kHost).format, PixelFormat::kDwell32);
    config.method = MandelbrotMethod::kAsk;
    config.optimisations.tiles = config.optimisations.mirror = false;
    config.g = 8;
    config.b = 4;
    config.fill = FillRule::kInterior;
    engine_->compute(config, view);
    EXPECT_EQ(dwells(), exhaustive);
  }
}

TEST_F(DeepZoom, RefusesWhatAViewDoesNotAllowAndKeepsItsPicture) {
  const MandelbrotView view = make_decimal_view({"-0.75", "0.1", "1e-300"}, 16, 9);
  MandelbrotConfig config = config_of(MandelbrotMethod::kAsk, 100);
  engine_->compute(config, view);
  const std::vector<std::uint32_t> before = dwells();
  for (const Precision precision :
       {Precision::kFloat, Precision::kDouble, Precision::kPerturbedFloat, Precision::kPerturbedDouble}) {
    config.precision = precision;
    EXPECT_THROW(engine_->compute(config, view), InputError) << name_of(precision);
  }
  EXPECT_EQ(dwells(), before);
}

TEST_F(DeepZoom, AReferenceCanBeCancelled) {
  ProgressMonitor monitor;
  engine_->set_monitor(&monitor);
  monitor.cancel();
  const MandelbrotView view = make_decimal_view({"-0.75", "0.1", "1e-300"}, 16, 9);
  EXPECT_THROW(engine_->compute(config_of(MandelbrotMethod::kAsk, 100), view), OperationCancelled);
  monitor.reset();
  engine_->compute(config_of(MandelbrotMethod::kAsk, 100), view);
  engine_->set_monitor(nullptr);
  EXPECT_EQ(dwells().size(), 144u);
}

}  // namespace
}  // namespace loom
