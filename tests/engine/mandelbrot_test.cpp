#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "backend.h"
#include "compute/backend/engine_factory.h"
#include "compute/check/dwell_checks.h"
#include "compute/core/integer_math.h"
#include "compute/mandelbrot/mandelbrot_memory.h"
#include "compute/mandelbrot/smooth_dwell.h"
#include "plain_subdivision.h"

namespace loom {
namespace {

using Regions = MandelbrotEngine::Regions;

std::string describe(const MandelbrotConfig& config, const MandelbrotView& view) {
  return to_string(config.set) + ", " + std::string(name_of(config.method)) + "-" +
         std::string(name_of(config.scheme)) + " g " + std::to_string(config.g) + " r " +
         std::to_string(config.r) + " B " + std::to_string(config.b) + " dwell " +
         std::to_string(config.dwell_limit) + " block " + std::to_string(config.block.x) + "x" +
         std::to_string(config.block.y) + " " + std::string(name_of(config.precision)) + " fill " +
         std::string(name_of(config.fill)) + " ideas " + to_string(config.optimisations) + ", " +
         std::to_string(view.width) + " x " + std::to_string(view.height);
}

class Mandelbrot : public tests::EngineTest {
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
  std::uint64_t hash() const {
    std::uint64_t sum = 0;
    std::uint64_t pixel = 0;
    for (const std::uint32_t dwell : dwells()) sum += splitmix64(splitmix64(pixel++) + dwell);
    return sum;
  }
  /// Computes the image and compares it, its regions and its counts with PlainSubdivision.
  void expect_plain(const MandelbrotConfig& config, const MandelbrotView& view) {
    SCOPED_TRACE(describe(config, view));
    const MandelbrotReport report = engine_->compute(config, view, Regions::kList);
    const std::vector<std::uint32_t> found = dwells();
    const tests::PlainResult expected = tests::plain_subdivision(config, view);
    const auto [a, b] = std::mismatch(found.begin(), found.end(), expected.image.begin());
    if (a != found.end()) {
      const auto at = static_cast<std::uint64_t>(a - found.begin());
      FAIL() << "pixel (" << at % view.width << ", " << at / view.width << ") has dwell " << *a
             << ", expected " << *b;
    }
    expect_counts(config, report, expected);
  }
  void expect_counts(const MandelbrotConfig& config, const MandelbrotReport& report,
                     const tests::PlainResult& expected);

  std::unique_ptr<MandelbrotEngine> engine_;
};

/// Compares the counts of a report and the list of regions with those of PlainSubdivision.
void Mandelbrot::expect_counts(const MandelbrotConfig& config, const MandelbrotReport& report,
                               const tests::PlainResult& expected) {
  EXPECT_EQ(report.pixels, expected.image.size());
  EXPECT_EQ(report.mirrored_pixels, expected.mirrored_pixels);
  EXPECT_EQ(report.axis_pixels, expected.axis_pixels);
  ASSERT_EQ(report.levels.size(), expected.levels.size());
  const auto regions = engine_->regions();
  ASSERT_EQ(regions.size(), expected.regions.size());
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const auto fields = [](const MandelbrotRegion& region) {
      return std::tie(region.level, region.y, region.x, region.width, region.height, region.kind);
    };
    ASSERT_EQ(fields(regions[i]), fields(expected.regions[i])) << "region " << i;
  }
  for (std::size_t i = 0; i < report.levels.size(); ++i) {
    SCOPED_TRACE("level " + std::to_string(i));
    const MandelbrotLevel& level = report.levels[i];
    const MandelbrotLevel& plain = expected.levels[i];
    EXPECT_EQ(level.regions, plain.regions);
    EXPECT_EQ(level.filled, plain.filled);
    EXPECT_EQ(level.leaves, plain.leaves);
    EXPECT_EQ(level.splits, plain.splits);
    EXPECT_EQ(level.children, plain.children);
    const bool last = i + 1 == report.levels.size();
    if (last) {  // optimisations move pixels between these counts but keep their sum
      EXPECT_EQ(level.border_pixels + level.leaf_pixels + level.filled_pixels,
                plain.border_pixels + plain.leaf_pixels + plain.filled_pixels);
    }
    if (last && config.optimisations.tiles) continue;
    EXPECT_EQ(level.filled_pixels, plain.filled_pixels);
    if (config.optimisations.early_stop) {
      EXPECT_LE(level.border_pixels, plain.border_pixels);
      continue;
    }
    EXPECT_EQ(level.border_pixels, plain.border_pixels);
    EXPECT_EQ(level.leaf_pixels, plain.leaf_pixels);
  }
}

/// Every method and scheme and, for ASK, each optimisation alone.
std::vector<MandelbrotConfig> every_method(MandelbrotConfig config) {
  std::vector<MandelbrotConfig> configs;
  for (const MandelbrotMethod method : kMandelbrotMethods) {
    for (const RegionScheme scheme : kRegionSchemes) {
      config.method = method;
      config.scheme = scheme;
      for (const MandelbrotOptimisations& optimisations : {MandelbrotOptimisations{}, kNoOptimisations}) {
        config.optimisations = optimisations;
        configs.push_back(config);
      }
      if (method != MandelbrotMethod::kAsk) continue;
      for (const NamedOptimisation& idea : kMandelbrotOptimisations) {
        config.optimisations = kNoOptimisations;
        config.optimisations.*idea.flag = true;
        configs.push_back(config);
      }
    }
  }
  return configs;
}

TEST_F(Mandelbrot, EveryMethodEqualsThePlainForm) {
  MandelbrotConfig config;
  config.g = 4;
  config.b = 8;
  config.dwell_limit = 100;
  for (const MandelbrotConfig& each : every_method(config)) expect_plain(each, {{}, 256, 256});
}

/// Every formula with every power, and a Julia set of each that has many dwells.
std::vector<EscapeTimeSet> every_set() {
  std::vector<EscapeTimeSet> sets;
  for (const FormulaRow& row : kFormulas) {
    const bool has_power = row.formula == Formula::kMultibrot;
    for (std::uint32_t power = has_power ? kMinPower : 3; power <= (has_power ? kMaxPower : 3); ++power) {
      sets.push_back({row.formula, power, std::nullopt});
      sets.push_back({row.formula, power, JuliaPoint{-0.4, 0.6}});
    }
  }
  // A real c, whose Julia set mirrors its rows; a c of modulus 2, at which an orbit outside may come back.
  sets.push_back({Formula::kMandelbrot, 3, JuliaPoint{-0.75, 0}});
  sets.push_back({Formula::kTricorn, 3, JuliaPoint{0, -2}});
  return sets;
}

/// Calls use(configuration) for every set, precision, method and scheme, with all optimisations and with
/// none.
template <typename Use>
void for_every_set(const Use& use) {
  for (const EscapeTimeSet& set : every_set()) {
    for (const Precision precision : kDirectPrecisions) {
      for (const MandelbrotMethod method : kMandelbrotMethods) {
        for (const RegionScheme scheme : kRegionSchemes) {
          for (const bool plain : {false, true}) {
            MandelbrotConfig config{.set = set,
                                    .method = method,
                                    .scheme = scheme,
                                    .g = 4,
                                    .b = 4,
                                    .dwell_limit = 90,
                                    .precision = precision};
            if (plain) config.optimisations = kNoOptimisations;
            use(config);
          }
        }
      }
    }
  }
}

TEST_F(Mandelbrot, EverySetEqualsThePlainForm) {
  // The points of the first view's rows mirror each other; the second one begins outside of |z| < 2.
  const MandelbrotView views[] = {{{}, 48, 48}, {{-2.3, 1.1, -1.7, 2.1}, 51, 33}};
  for_every_set([&](const MandelbrotConfig& config) {
    for (const MandelbrotView& view : views) expect_plain(config, view);
  });
}

// Rows, columns and the known interior of a turned view are those of no other one.
TEST_F(Mandelbrot, TurnedViewsOfEverySetEqualThePlainForm) {
  for_every_set([&](const MandelbrotConfig& config) {
    for (const double angle : {37.0, -120.5, 90.0}) {
      expect_plain(config, {{}, 48, 48, nullptr, angle});
      expect_plain(config, {{-2.3, 1.1, -1.7, 2.1}, 51, 33, nullptr, angle});
    }
  });
}

// All points of this window are exact, so that its turns by 90 degrees have the same points: pixel (x, y) is
// pixel (n - y, x) of the view that is turned by 90 degrees less.
TEST_F(Mandelbrot, ATurnBy90DegreesTurnsTheImage) {
  constexpr std::uint32_t kSide = 64;
  for (const Precision precision : kDirectPrecisions) {
    for (const EscapeTimeSet& set : {EscapeTimeSet{}, EscapeTimeSet{Formula::kBurningShip}}) {
      MandelbrotConfig config{.set = set, .method = MandelbrotMethod::kExhaustive, .precision = precision};
      engine_->compute(config, {{}, kSide, kSide});
      const std::vector<std::uint32_t> upright = dwells();
      std::vector<std::uint32_t> before = upright;
      for (const double angle : {90.0, 180.0, 270.0, 360.0}) {
        engine_->compute(config, {{}, kSide, kSide, nullptr, angle});
        const std::vector<std::uint32_t> turned = dwells();
        for (std::uint32_t y = 1; y < kSide; ++y) {
          for (std::uint32_t x = 0; x < kSide; ++x)
            ASSERT_EQ(turned[y * kSide + x], before[x * kSide + kSide - y])
                << angle << ": " << x << ", " << y;
        }
        before = turned;
      }
      EXPECT_EQ(before, upright) << "a whole turn";
    }
  }
}

TEST_F(Mandelbrot, SmoothDwellsOfATurnedViewAreThoseOfItsPoints) {
  const MandelbrotView view{{-1.4, 1.3, -1.2, 1.1}, 64, 48, nullptr, 37};
  for (const Formula formula : {Formula::kMandelbrot, Formula::kTricorn}) {
    MandelbrotConfig config{.set = {.formula = formula}, .dwell_limit = 200, .precision = Precision::kDouble};
    engine_->compute(config, view);
    engine_->compute_smooth();
    const ImageView smooth = engine_->smooth_image(MemorySpace::kHost);
    const std::vector<std::uint32_t> whole = dwells();
    const tests::PlainPoints<double> points(view);
    for (std::uint32_t i = 0; i < view.pixels(); ++i) {
      if (whole[i] >= config.dwell_limit) continue;
      const auto [re, im] = points.at(i % view.width, i / view.width);
      tests::PlainOrbit<double> orbit(config.set, re, im);
      for (std::uint32_t step = 0; step < whole[i] + 3; ++step) orbit.step();
      const double expected = std::fmax(0, whole[i] + 3 - std::log2(0.5 * std::log2(orbit.square())));
      const double found = static_cast<const std::uint32_t*>(smooth.pixels)[i] / 65536.0;
      EXPECT_NEAR(found, expected, 1e-3) << i;
    }
  }
}

// Orbits that are run in parts and tested for cycles, and dwells of 32 bits.
TEST_F(Mandelbrot, LongOrbitsOfEverySetEqualThePlainForm) {
  for (const EscapeTimeSet& set : every_set()) {
    for (const std::uint32_t limit : {20000u, 70000u}) {
      for (const MandelbrotMethod method : {MandelbrotMethod::kExhaustive, MandelbrotMethod::kAsk}) {
        MandelbrotConfig config{.set = set, .method = method, .g = 2, .b = 4, .dwell_limit = limit};
        expect_plain(config, {{-1.1, 0.9, -1, 0.7}, 16, 12});
      }
    }
  }
}

// The check values of the contract: numbers from another program.
TEST_F(Mandelbrot, FormulasHaveTheirCheckValues) {
  struct CheckValue {
    Formula formula;
    ComplexWindow window;
    double sum;
    double at_limit;
  };
  for (const CheckValue& value : {CheckValue{Formula::kBurningShip, {-2, 1.5, -2, 1}, 8674262, 26617},
                                  CheckValue{Formula::kMultibrot, {-1.2, 1.2, -1.2, 1.2}, 15496634, 50103}}) {
    MandelbrotConfig config{.set = {.formula = value.formula}, .method = MandelbrotMethod::kExhaustive};
    config.dwell_limit = 300;
    config.precision = Precision::kDouble;
    engine_->compute(config, {value.window, 400, 400});
    const auto image = dwells();
    EXPECT_NEAR(std::accumulate(image.begin(), image.end(), 0.0), value.sum, 0.001 * value.sum);
    EXPECT_NEAR(static_cast<double>(std::ranges::count(image, 300u)), value.at_limit, 0.002 * value.at_limit);
  }
}

// For polynomials the inside of a border that does not escape does not escape either. What is left are
// details that cross a border between two of its pixels; without the principle there may be any number.
TEST_F(Mandelbrot, FillingAtTheLimitMissesNextToNothingInPolynomials) {
  for (const EscapeTimeSet& set : every_set()) {
    if (!set.has_maximum_principle()) continue;
    MandelbrotConfig config{.set = set, .g = 4, .b = 8, .dwell_limit = 200};
    config.fill = FillRule::kInterior;
    engine_->compute(config, {{-1.5, 1.5, -1.5, 1.5}, 300, 300}, Regions::kList);
    const DwellDifferences missed = engine_->count_differences(10);
    EXPECT_LE(missed.count, 2u) << to_string(set);
    for (const DwellDifference& place : missed.places) EXPECT_EQ(place.dwell, 200u);
    EXPECT_EQ(count_border_misses(*engine_, missed), missed.count);
  }
}

// m - log_d(log2 |z_m|), for m a few steps after the dwell.
TEST_F(Mandelbrot, SmoothDwellsOfEverySet) {
  constexpr std::uint32_t kLimit = 90;
  for (const EscapeTimeSet& set : every_set()) {
    SCOPED_TRACE(to_string(set));
    const MandelbrotView view{{-1.4, 1.3, -1.2, 1.1}, 97, 61};
    const auto grid = make_direct<double>(view);
    engine_->compute({.set = set, .g = 4, .dwell_limit = kLimit, .precision = Precision::kDouble}, view);
    const auto image = dwells();
    engine_->compute_smooth();
    const auto* values = static_cast<const std::uint32_t*>(engine_->smooth_image(MemorySpace::kHost).pixels);
    for (std::uint32_t i = 0; i < image.size(); ++i) {
      const double smooth = values[i] / 65536.0;
      if (image[i] == kLimit) {
        ASSERT_EQ(smooth, kLimit);
        continue;
      }
      tests::PlainOrbit<double> orbit(set, grid.re.at(i % view.width), grid.im.at(i / view.width));
      const auto degree = static_cast<double>(orbit.degree());
      const std::uint32_t steps = image[i] + static_cast<std::uint32_t>(smooth_more_steps(orbit.degree()));
      for (std::uint32_t step = 0; step < steps; ++step) orbit.step();
      const double expected = steps - std::log(0.5 * std::log2(orbit.square())) / std::log(degree);
      ASSERT_NEAR(smooth, std::clamp(expected, 0.0, kLimit - 1 / 65536.0), 1e-3) << "pixel " << i;
    }
  }
}

// Colouring needs the histogram of dwells and the smooth dwells.
TEST_F(Mandelbrot, CountsAndSmoothDwellsAreThoseOfTheImage) {
  for (const Precision precision : kDirectPrecisions) {
    for (const bool narrow : {true, false}) {
      MandelbrotConfig config;
      config.dwell_limit = 77;
      config.precision = precision;
      config.optimisations.narrow = narrow;
      const MandelbrotView view{{-2.0, 0.6, -1.1, 1.2}, 233, 131};
      engine_->compute(config, view);
      const std::vector<std::uint32_t> image = dwells();
      std::vector<std::uint64_t> counts(78, 5);
      engine_->count_dwells(counts);
      std::vector<std::uint64_t> expected(78);
      for (const std::uint32_t dwell : image) ++expected[dwell];
      EXPECT_EQ(counts, expected);
      const SmoothReport report = engine_->compute_smooth();
      EXPECT_EQ(report.exterior, view.pixels() - expected.back());
      const ImageView smooth = engine_->smooth_image(MemorySpace::kHost);
      ASSERT_EQ(smooth.format, PixelFormat::kSmoothDwell32);
      ASSERT_EQ(smooth.width, 233);
      ASSERT_EQ(smooth.height, 131);
      const auto* values = static_cast<const std::uint32_t*>(smooth.pixels);
      const auto grid = make_direct<double>(view);
      const auto grid_float = make_direct<float>(view);
      for (std::uint32_t i = 0; i < image.size(); ++i) {
        const std::uint32_t x = i % view.width;
        const std::uint32_t y = i / view.width;
        if (image[i] == 77) {
          ASSERT_EQ(values[i], 77u << 16);
          continue;
        }
        const double whole = precision == Precision::kDouble ? smooth_dwell(grid.at(x, y), 77)
                                                             : smooth_dwell(grid_float.at(x, y), 77);
        // Logarithms of different libraries differ by a few ULPs.
        ASSERT_NEAR(values[i] / 65536.0, std::min(whole, 77 - 1 / 65536.0), 2e-4) << x << " " << y;
      }
    }
  }
}

TEST_F(Mandelbrot, AnySizeOfImage) {
  MandelbrotConfig config;
  config.g = 3;
  config.r = 3;
  config.b = 2;
  config.dwell_limit = 64;
  const std::pair<std::uint32_t, std::uint32_t> sizes[] = {
      {1, 1}, {2, 1}, {1, 50}, {5, 7}, {33, 2}, {201, 97}, {64, 200}, {255, 257}, {3000, 1}, {2, 2500}};
  for (const MandelbrotConfig& each : every_method(config)) {
    for (const auto& [width, height] : sizes) expect_plain(each, {{-2.0, 0.6, -1.1, 1.2}, width, height});
  }
}

TEST_F(Mandelbrot, AnyCut) {
  const std::uint32_t cuts[][3] = {{1, 2, 1},  {1, 2, 1024}, {2, 4, 4},   {5, 7, 1},   {32, 2, 32},
                                   {64, 3, 1}, {300, 2, 1},  {16, 16, 2}, {1, 100, 3}, {1, 2, 60}};
  for (const auto& [g, r, b] : cuts) {
    for (const MandelbrotMethod method : {MandelbrotMethod::kAsk, MandelbrotMethod::kDp}) {
      for (const RegionScheme scheme : kRegionSchemes) {
        MandelbrotConfig config{
            .method = method, .scheme = scheme, .g = g, .r = r, .b = b, .dwell_limit = 50};
        expect_plain(config, {{}, 190, 150});
      }
    }
  }
}

// Chains of device launches progress independently; some are two or more levels ahead of others.
TEST_F(Mandelbrot, LaunchesThatRunAheadLeaveTheOthersAlone) {
  if (backend_.device.kind != BackendKind::kCuda) GTEST_SKIP() << "launches from the device are CUDA's";
  const MandelbrotView view{{-1.45, 0.55, -1.3, 0.7}, 1024, 1024};
  for (const std::uint32_t g : {2u, 4u, 8u}) {
    for (std::uint32_t limit = 40; limit < 4000; limit += limit / 8) {
      MandelbrotConfig config{.g = g, .r = 2, .b = 2, .dwell_limit = limit};
      config.optimisations = parse_optimisations("join");
      SCOPED_TRACE(describe(config, view));
      config.method = MandelbrotMethod::kAsk;
      engine_->compute(config, view);
      const std::uint64_t expected = hash();
      config.method = MandelbrotMethod::kDp;
      for (int turn = 0; turn < 5; ++turn) {
        engine_->compute(config, view);
        ASSERT_EQ(hash(), expected) << "turn " << turn;
      }
    }
  }
}

TEST_F(Mandelbrot, AnyBlockShapePrecisionFillAndLimit) {
  for (const BlockShape block : {BlockShape{32, 1}, BlockShape{8, 4}, BlockShape{16, 16}, BlockShape{64, 8},
                                 BlockShape{1, 64}, BlockShape{32, 32}, BlockShape{96, 1}}) {
    for (const MandelbrotConfig& each : every_method({.g = 2, .b = 16, .dwell_limit = 40, .block = block})) {
      expect_plain(each, {{}, 160, 130});
    }
  }
  for (const Precision precision : kDirectPrecisions) {
    for (const FillRule fill : kFillRules) {
      for (const std::uint32_t limit : {1u, 2u, 9u, 300u}) {
        MandelbrotConfig config{.g = 4, .b = 4, .dwell_limit = limit};
        config.precision = precision;
        config.fill = fill;
        for (const MandelbrotConfig& each : every_method(config)) {
          expect_plain(each, {{-0.78, -0.72, 0.05, 0.11}, 120, 125});
        }
      }
    }
  }
}

struct GoldenDwells {
  MandelbrotMethod method;
  Precision precision;
  MandelbrotView view;
  std::uint32_t limit;
  std::uint64_t hash;
};

/// The exhaustive values come from an independent C program, the others from PlainSubdivision.
const GoldenDwells kGoldenDwells[] = {
    {MandelbrotMethod::kExhaustive, Precision::kFloat, {{}, 1024, 1024}, 512, 0xd611779d0d75011d},
    {MandelbrotMethod::kExhaustive, Precision::kDouble, {{}, 1024, 1024}, 512, 0x103160f54511308d},
    {MandelbrotMethod::kAsk, Precision::kFloat, {{}, 1024, 1024}, 512, 0x7218718e658c5a51},
    {MandelbrotMethod::kDp, Precision::kFloat, {{}, 1024, 1024}, 512, 0x7218718e658c5a51},
    {MandelbrotMethod::kExhaustive,
     Precision::kDouble,
     {{-0.743643900, -0.743643870, 0.131825890, 0.131825910}, 300, 200},
     20000,
     0x3c4e581523bb7072},
    {MandelbrotMethod::kExhaustive,
     Precision::kFloat,
     {{-0.7437, -0.7435, 0.1317, 0.1319}, 300, 200},
     65535,
     0xa376c1614a72e7e2},
};

TEST_F(Mandelbrot, GoldenHashes) {
  for (const GoldenDwells& golden : kGoldenDwells) {
    MandelbrotConfig config;
    config.method = golden.method;
    config.precision = golden.precision;
    config.dwell_limit = golden.limit;
    for (const MandelbrotOptimisations& optimisations :
         {MandelbrotOptimisations{}, MandelbrotOptimisations{.narrow = false, .queue = false}}) {
      config.optimisations = optimisations;
      SCOPED_TRACE(describe(config, golden.view));
      engine_->compute(config, golden.view);
      EXPECT_EQ(hash(), golden.hash) << std::hex << hash();
    }
  }
}

TEST_F(Mandelbrot, DifferencesAreThoseFromTheExhaustiveImageAndAllBorderMisses) {
  // Seahorse valley at low resolution: region borders miss some of its channels.
  const MandelbrotView view{{-0.8, -0.7, 0.05, 0.15}, 1000, 900};
  MandelbrotConfig config;
  config.method = MandelbrotMethod::kExhaustive;
  engine_->compute(config, view);
  const std::vector<std::uint32_t> exact = dwells();
  EXPECT_EQ(engine_->count_differences(10).count, 0u);
  for (const bool tiles : {true, false}) {
    config.method = MandelbrotMethod::kAsk;
    config.g = 8;
    config.b = 4;
    config.optimisations.tiles = tiles;
    engine_->compute(config, view, Regions::kList);
    const std::vector<std::uint32_t> filled = dwells();
    const DwellDifferences all = engine_->count_differences(100000);
    ASSERT_EQ(all.count, all.places.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      if (exact[i] == filled[i]) continue;
      ASSERT_LT(next, all.places.size());
      const DwellDifference& place = all.places[next++];
      EXPECT_EQ(place.pixel, (Coord32{static_cast<std::uint32_t>(i % view.width),
                                      static_cast<std::uint32_t>(i / view.width)}));
      EXPECT_EQ(place.dwell, filled[i]);
      EXPECT_EQ(place.expected, exact[i]);
    }
    EXPECT_EQ(next, all.places.size());
    EXPECT_GT(all.count, 0u);
    EXPECT_EQ(count_border_misses(*engine_, all), all.count);
    const DwellDifferences few = engine_->count_differences(3);
    EXPECT_EQ(few.count, all.count);
    ASSERT_EQ(few.places.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(few.places[i].pixel, all.places[i].pixel);
    // Other differences must not count as border misses.
    DwellDifferences wrong = all;
    for (DwellDifference& place : wrong.places) ++place.dwell;
    EXPECT_EQ(count_border_misses(*engine_, wrong), 0u);
  }
}

TEST_F(Mandelbrot, FillingTheInteriorAloneLeavesEveryEscapingPixelOutsideExact) {
  const MandelbrotView view{{-0.8, -0.7, 0.05, 0.15}, 500, 450};
  MandelbrotConfig config{.g = 4, .b = 8};
  config.fill = FillRule::kInterior;
  const MandelbrotReport interior = engine_->compute(config, view);
  for (const DwellDifference& place : engine_->count_differences(100000).places) {
    EXPECT_EQ(place.dwell, config.dwell_limit);
  }
  config.fill = FillRule::kUniform;
  EXPECT_GT(interior.computed_pixels(), engine_->compute(config, view).computed_pixels());
}

// A CPU counts parallel loops, and for DP tasks.
TEST_F(Mandelbrot, LaunchesAreCounted) {
  // So little work that no launch is sliced, even in the build that slices almost all.
  const MandelbrotView view{{-1.5, 0.5, -1, 1}, 32, 32};
  for (const RegionScheme scheme : kRegionSchemes) {
    MandelbrotConfig config{.scheme = scheme, .g = 2, .b = 4, .dwell_limit = 64};
    config.optimisations.join = config.optimisations.mirror = false;
    const bool shares = scheme == RegionScheme::kMbr && !backend_.device.on_host;
    config.method = MandelbrotMethod::kExhaustive;
    EXPECT_EQ(engine_->compute(config, view).launches, 1u);
    config.method = MandelbrotMethod::kAsk;
    const MandelbrotReport ask = engine_->compute(config, view);
    EXPECT_EQ(ask.launches, ask.levels.size() * (shares ? 2 : 1));
    config.method = MandelbrotMethod::kDp;
    const MandelbrotReport dp = engine_->compute(config, view);
    std::uint64_t regions = 0;
    std::uint64_t launches = 1;
    for (const MandelbrotLevel& level : dp.levels) {
      regions += level.regions;
      launches += level.splits + (shares ? level.filled + level.leaves : 0);
    }
    EXPECT_EQ(dp.launches, backend_.device.on_host ? regions : launches);
  }
}

TEST_F(Mandelbrot, ImageHoldsTheDwells) {
  for (const bool narrow : {true, false}) {
    MandelbrotConfig config;
    config.optimisations.narrow = narrow;
    engine_->compute(config, {{}, 301, 203});
    const ImageView image = engine_->image(MemorySpace::kHost);
    EXPECT_EQ(image.format, PixelFormat::kDwell16);
    ASSERT_EQ(image.width, 301);
    ASSERT_EQ(image.height, 203);
    const std::vector<std::uint32_t> all = dwells();
    for (int y = 0; y < image.height; ++y) {
      const auto* row = reinterpret_cast<const std::uint16_t*>(
          static_cast<const std::uint8_t*>(image.pixels) + static_cast<std::size_t>(y) * image.row_bytes);
      for (int x = 0; x < image.width; ++x) ASSERT_EQ(row[x], all[static_cast<std::size_t>(y) * 301 + x]);
    }
    std::vector<std::uint32_t> rows(2 * 301);
    engine_->read_dwells(201, rows);
    EXPECT_TRUE(std::equal(rows.begin(), rows.end(), all.begin() + 201 * 301));
  }
  std::vector<std::uint32_t> values(301);
  EXPECT_THROW(engine_->read_dwells(203, values), InputError);
  values.resize(300);
  EXPECT_THROW(engine_->read_dwells(0, values), InputError);
  if (backend_.device.kind == BackendKind::kCpu) {
    EXPECT_THROW(engine_->image(MemorySpace::kCudaDevice), InputError);
  }
}

TEST_F(Mandelbrot, ASecondComputationTakesNoMoreMemory) {
  const MandelbrotView view{{}, 640, 480};
  MandelbrotConfig config{.g = 4, .b = 8};
  const MandelbrotReport first = engine_->compute(config, view, Regions::kList);
  EXPECT_GE(first.allocated_bytes, 2u * 640 * 480) << "two bytes per dwell";
  EXPECT_LE(first.allocated_bytes, bytes_needed(config, view, true) + 1024 * 1024);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(engine_->compute(config, view, Regions::kList).allocated_bytes, first.allocated_bytes);
  EXPECT_EQ(engine_->compute(config, {{}, 320, 200}).allocated_bytes, first.allocated_bytes);
}

TEST_F(Mandelbrot, RefusesWhatIsNotAllowedOrDoesNotFit) {
  EXPECT_THROW(engine_->compute({.g = 0}, {}), InputError);
  EXPECT_THROW(engine_->compute({}, {{0, 0, 0, 0}, 8, 8}), InputError);
  EXPECT_THROW(engine_->compute({}, {{}, 8, 8, nullptr, NAN}), InputError);
  try {
    engine_->compute({}, {{}, 1 << 20, 1 << 20});
    FAIL() << "two tebibytes were allocated";
  } catch (const CapacityError& error) {
    EXPECT_GE(error.needed_bytes, std::uint64_t{2} << 40);
    EXPECT_LT(error.free_bytes, error.needed_bytes);
  }
  // The engine stays usable after the error.
  engine_->compute({}, {{}, 64, 64});
  EXPECT_EQ(dwells().size(), 4096u);
}

TEST_F(Mandelbrot, TimesAreOfTheWholeAndOfEachLevel) {
  MandelbrotConfig config{.g = 4, .b = 8};
  const MandelbrotReport ask = engine_->compute(config, {{}, 512, 512});
  EXPECT_GT(ask.milliseconds, 0);
  double sum = 0;
  for (const MandelbrotLevel& level : ask.levels) {
    ASSERT_TRUE(level.milliseconds);
    EXPECT_GE(*level.milliseconds, 0);
    sum += *level.milliseconds;
  }
  EXPECT_GT(sum, 0);
  EXPECT_LE(sum, ask.milliseconds * 1.1 + 0.1)
      << "levels run one after the other, so their sum cannot exceed the total";
  config.method = MandelbrotMethod::kDp;
  for (const MandelbrotLevel& level : engine_->compute(config, {{}, 512, 512}).levels) {
    EXPECT_FALSE(level.milliseconds);
  }
}

}  // namespace
}  // namespace loom
