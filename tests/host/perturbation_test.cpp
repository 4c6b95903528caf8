#include "compute/perturbation/perturbation.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <cmath>

#include "compute/core/error.h"
#include "compute/cpu/mandelbrot/perturbed_lanes.h"
#include "compute/mandelbrot/big_real.h"
#include "compute/perturbation/nucleus.h"
#include "deep_places.h"

namespace loom {
namespace {

constexpr std::uint64_t kMemory = std::uint64_t{1} << 40;

/// The dwell of a pixel by a plain loop in MPFR numbers.
std::uint32_t exact_dwell(const DecimalView& view, std::uint32_t width, std::uint32_t height, std::uint32_t i,
                          std::uint32_t j, std::uint32_t limit, const std::optional<JuliaPoint>& julia = {}) {
  // An orbit of a Julia set that begins close to 0 has the square of the distance next.
  const auto bits = static_cast<mpfr_prec_t>((julia ? 2 : 1) * reference_bits(view) + 64);
  mpfr_t re, im, x, y, a, b;
  mpfr_inits2(bits, re, im, x, y, a, b, static_cast<mpfr_ptr>(nullptr));
  const auto set = [&](mpfr_ptr to, const std::string& centre, long twice) {
    mpfr_set_str(a, view.width.text().c_str(), 10, MPFR_RNDN);
    mpfr_mul_si(a, a, twice, MPFR_RNDN);
    mpfr_div_ui(a, a, 2ul * width, MPFR_RNDN);
    mpfr_set_str(to, centre.c_str(), 10, MPFR_RNDN);
    mpfr_add(to, to, a, MPFR_RNDN);
  };
  set(re, view.re.text(), 2 * static_cast<long>(i) - static_cast<long>(width));
  set(im, view.im.text(), 2 * static_cast<long>(j) - static_cast<long>(height));
  mpfr_set(x, re, MPFR_RNDN);
  mpfr_set(y, im, MPFR_RNDN);
  if (julia) {
    mpfr_set_d(re, julia->re, MPFR_RNDN);
    mpfr_set_d(im, julia->im, MPFR_RNDN);
  }
  std::uint32_t dwell = 0;
  for (; dwell < limit; ++dwell) {
    mpfr_sqr(a, x, MPFR_RNDN);
    mpfr_sqr(b, y, MPFR_RNDN);
    mpfr_mul(y, x, y, MPFR_RNDN);
    mpfr_sub(x, a, b, MPFR_RNDN);
    mpfr_add(a, a, b, MPFR_RNDN);
    if (mpfr_cmp_ui(a, 4) >= 0) break;
    mpfr_add(x, x, re, MPFR_RNDN);
    mpfr_mul_2ui(y, y, 1, MPFR_RNDN);
    mpfr_add(y, y, im, MPFR_RNDN);
  }
  mpfr_clears(re, im, x, y, a, b, static_cast<mpfr_ptr>(nullptr));
  return dwell;
}

constexpr std::uint32_t kWidth = 16;
constexpr std::uint32_t kHeight = 9;

bool prepare(Perturbation& perturbation, const DecimalView& view, std::uint32_t limit, PerturbedKind kind,
             const std::optional<JuliaPoint>& julia = {}) {
  return perturbation.prepare(view, kWidth, kHeight, limit, kind, kMemory, ProgressScope(), 0, julia);
}

template <typename Evaluator>
void expect_exact(const Evaluator& evaluator, const DecimalView& view, std::uint32_t limit,
                  const std::optional<JuliaPoint>& julia = {}) {
  for (std::uint32_t y = 0; y < kHeight; ++y) {
    for (std::uint32_t x = 0; x < kWidth; ++x) {
      ASSERT_EQ(evaluator.dwell_at(x, y, limit), exact_dwell(view, kWidth, kHeight, x, y, limit, julia))
          << view.re.text() << ", width " << view.width.text() << ": " << x << ", " << y;
    }
  }
}

struct Place {
  DecimalView view;
  std::uint32_t limit;
  std::optional<JuliaPoint> julia = {};
};

/// Whole set, seahorse and elephant valleys, tips, a period-3 minibrot, and views without a period or an
/// escape. Of Julia sets: whole ones, connected and not, fixed points and the critical point, an interior,
/// and the circle of radius 2.
const std::vector<Place> kPlaces = {
    {{"-0.5", "0", "4"}, 300},
    {{"-0.75", "0.1", "1e-2"}, 500},
    {{"0.2925755", "-0.0149977", "1e-5"}, 3000},
    {{"-1.7548776662466927", "0", "0.05"}, 1000},
    {{"-2", "0", "1e-20"}, 2000},
    {{"0", "1", "1e-60"}, 2000},
    {{"-1.25066", "0.02012", "1e-30"}, 20000},
    {{"0.3", "0.5", "1e-10"}, 500},
    {{"-0.2", "0.1", "1e-15"}, 500},
    {{"0", "0", "4"}, 500, {{-0.8, 0.156}}},
    {{"0.1", "-0.2", "3"}, 200, {{0.3, 0.5}}},
    {{"-0.5275031186435346322746079313519161694753124175117",
      "0.075912178352287865376456865868742942799734402525", "1e-30"},
     3000,
     {{-0.8, 0.156}}},
    {{"1.61803398874989484820458683436563811772030917980576", "0", "1e-25"}, 2000, {{-1, 0}}},
    {{"0", "0", "1e-20"}, 5000, {{0, 1}}},
    {{"0", "0", "1e-9"}, 3000, {{-1.7548776662466927, 0}}},
    {{"1e-7", "0", "1e-6"}, 3000, {{-0.75, 0.05}}},
    {{"1.2", "1.6", "1e-12"}, 100, {{-0.4, 0.6}}},
    {{"30", "0", "64"}, 100, {{-0.4, 0.6}}},
};

TEST(Perturbed, DoubleMantissasGiveTheDwellsOfExactArithmetic) {
  for (const auto& [view, limit, julia] : kPlaces) {
    Perturbation perturbation;
    prepare(perturbation, view, limit, {.is_double = true, .is_wide = false}, julia);
    expect_exact(perturbation.evaluator<double, false>(), view, limit, julia);
    prepare(perturbation, view, limit, {.is_double = true, .is_wide = true}, julia);
    expect_exact(perturbation.evaluator<double, true>(), view, limit, julia);
  }
}

template <typename Real, bool kWide>
void expect_lanes_equal_single_orbits() {
  auto places = kPlaces;
  if (kWide) places.push_back({{"0", "1", "1e-400"}, 4000});
  if (kWide) places.push_back({{"0", "0", "1e-400"}, 8000, {{0, 1}}});
  for (const auto& [view, limit, julia] : places) {
    Perturbation perturbation;
    prepare(perturbation, view, limit, {.is_double = sizeof(Real) == 8, .is_wide = kWide}, julia);
    const auto orbit = perturbation.evaluator<Real, kWide>();
    std::vector<Coord32> pixels;
    for (std::uint32_t y = 0; y < kHeight; ++y) {
      for (std::uint32_t x = 0; x < kWidth; ++x) pixels.push_back({x, y});
    }
    for (const std::uint32_t most : {1u, 2u, limit / 3, limit, (1u << 30) + 1}) {
      if (most > limit && view.width.text() != "4")
        continue;  // only the whole set has no pixel that takes long
      for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{17}, pixels.size()}) {
        if (most > limit && count > 1) continue;
        std::vector<std::uint32_t> dwells(count);
        cpu::dwells_of(orbit, pixels.data(), count, most, ProgressScope(), dwells.data());
        for (std::size_t i = 0; i < count; ++i) {
          ASSERT_EQ(dwells[i], orbit.dwell_at(pixels[i].x, pixels[i].y, most))
              << view.width.text() << ", limit " << most << ", pixel " << i << " of " << count;
        }
      }
    }
  }
}

TEST(Perturbed, SeveralOrbitsAtATimeGiveTheSameDwells) {
  expect_lanes_equal_single_orbits<double, false>();
  expect_lanes_equal_single_orbits<float, false>();
  expect_lanes_equal_single_orbits<double, true>();
  expect_lanes_equal_single_orbits<float, true>();
}

TEST(Perturbed, SeveralOrbitsAtATimeCanBeCancelled) {
  Perturbation perturbation;
  const auto& [view, limit, julia] = kPlaces[0];
  prepare(perturbation, view, limit, {.is_double = true}, julia);
  const auto orbit = perturbation.evaluator<double, false>();
  ProgressMonitor monitor;
  monitor.cancel();
  const ProgressScope call(&monitor, 1);
  const Coord32 middle{kWidth / 2, kHeight / 2};
  std::uint32_t dwell = 12345;
  cpu::dwells_of(orbit, &middle, 1, limit, call, &dwell);
  EXPECT_EQ(dwell, 12345u);
}

TEST(Perturbed, WideNumbersHaveNoSmallestWidth) {
  for (const char* width : {"1e-290", "1e-308", "1e-320", "1e-700"}) {
    const DecimalView view{"-2", "0", width};
    Perturbation perturbation;
    prepare(perturbation, view, 20000, {.is_double = true, .is_wide = true});
    expect_exact(perturbation.evaluator<double, true>(), view, 20000);
  }
  for (const char* width : {"1e-150", "1e-400"}) {
    const DecimalView view{"0", "0", width};
    Perturbation perturbation;
    prepare(perturbation, view, 8000, {.is_double = true, .is_wide = true}, JuliaPoint{0, 1});
    expect_exact(perturbation.evaluator<double, true>(), view, 8000, JuliaPoint{0, 1});
  }
}

TEST(Perturbed, FloatMantissasAreNear) {
  for (const auto& [view, limit, julia] : kPlaces) {
    Perturbation perturbation;
    const bool is_wide = view.width.rounded().exponent < (julia ? -52 : -104);
    prepare(perturbation, view, limit, {.is_double = false, .is_wide = is_wide}, julia);
    std::uint32_t far = 0;
    for (std::uint32_t i = 0; i < kWidth * kHeight; ++i) {
      const std::uint32_t x = i % kWidth;
      const std::uint32_t y = i / kWidth;
      const std::uint32_t found = is_wide ? perturbation.evaluator<float, true>().dwell_at(x, y, limit)
                                          : perturbation.evaluator<float, false>().dwell_at(x, y, limit);
      const double expected = exact_dwell(view, kWidth, kHeight, x, y, limit, julia);
      // Rounding decides about the orbits that wander around a Julia set for long.
      if (julia && expected > 100) continue;
      far += std::abs(found - expected) > std::max(1.0, expected / 1000);
    }
    EXPECT_LE(far, 3u) << view.re.text() << " " << view.width.text();
  }
}

// For a thousand iterations, orbits turn around the fixed point that is the view's centre, at distances that
// hardly grow while their derivative does.
TEST(Perturbed, RoundingIsNoticedWhereOrbitsOfAJuliaSetStayBesideThatOfTheCentre) {
  constexpr std::uint32_t kAcross = 64;
  constexpr std::uint32_t kDown = 36;
  constexpr std::uint32_t kLimit = 3000;
  const JuliaPoint c{-0.8, 0.156};
  const DecimalView view{"-0.52750311864353463227460793135191616947531241751173",
                         "0.075912178352287865376456865868742942799734402525727", "1e-30"};
  Perturbation perturbation;
  perturbation.prepare(view, kAcross, kDown, kLimit, {.is_double = true, .is_exact = true}, kMemory,
                       ProgressScope(), 0, c);
  auto orbit = perturbation.evaluator<double, false, true>();
  unsigned long long count = 0;
  std::vector<Coord32> uncertain(std::size_t{kAcross} * kDown);
  orbit.uncertain = {&count, uncertain.data(), uncertain.size()};
  std::vector<Coord32> pixels;
  for (std::uint32_t i = 0; i < kAcross * kDown; ++i) pixels.push_back({i % kAcross, i / kAcross});
  std::vector<std::uint32_t> dwells(pixels.size());
  cpu::dwells_of(orbit, pixels.data(), pixels.size(), kLimit, ProgressScope(), dwells.data());
  uncertain.resize(count);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    if (dwells[i] == exact_dwell(view, kAcross, kDown, pixels[i].x, pixels[i].y, kLimit, c)) continue;
    ++wrong;
    EXPECT_NE(std::find(uncertain.begin(), uncertain.end(), pixels[i]), uncertain.end())
        << pixels[i].x << ", " << pixels[i].y;
  }
  EXPECT_GT(wrong, 0u) << "nothing was to notice";
}

TEST(Perturbed, SmoothDwellsAreThoseOfTheDirectEvaluator) {
  const DecimalView view{"-0.75", "0.1", "1e-2"};
  Perturbation perturbation;
  prepare(perturbation, view, 500, {});
  const auto evaluator = perturbation.evaluator<double, false>();
  const auto direct = make_direct<double>(make_decimal_view(view, kWidth, kHeight));
  for (std::uint32_t i = 0; i < kWidth * kHeight; ++i) {
    const std::uint32_t dwell = direct.dwell_at(i % kWidth, i / kWidth, 500);
    if (dwell == 500 || evaluator.dwell_at(i % kWidth, i / kWidth, 500) != dwell) continue;
    EXPECT_NEAR(evaluator.smooth_at(i % kWidth, i / kWidth, dwell),
                direct.smooth_at(i % kWidth, i / kWidth, dwell), 1e-2);
  }
}

TEST(ReferenceOrbit, IsCutAtItsPeriodAndServesOtherViews) {
  Perturbation perturbation;
  const PerturbedKind kind;
  const DecimalView view{"-1.75487766624669276", "0", "1e-4"};
  EXPECT_TRUE(prepare(perturbation, view, 10000, kind));
  EXPECT_EQ(perturbation.stats().period, 3u);
  EXPECT_EQ(perturbation.stats().orbit_length, 3u);
  EXPECT_FALSE(prepare(perturbation, view, 10000, kind)) << "nothing to do for the same view";
  EXPECT_TRUE(perturbation.stats().orbit_reused);
  const DecimalView beside = moved(view, 0.3, 0.2);
  prepare(perturbation, beside, 10000, kind);
  EXPECT_TRUE(perturbation.stats().orbit_reused);
  expect_exact(perturbation.evaluator<double, false>(), beside, 10000);
  DecimalView deeper = view;
  deeper.width = "1e-12";
  prepare(perturbation, deeper, 10000, kind);
  EXPECT_TRUE(perturbation.stats().orbit_reused);
  expect_exact(perturbation.evaluator<double, false>(), deeper, 10000);
  deeper.width = "1e-40";  // the reference is not periodic to 40 digits, and has too few bits
  prepare(perturbation, deeper, 10000, kind);
  EXPECT_FALSE(perturbation.stats().orbit_reused);
  const DecimalView away{"-0.75", "0.1", "1e-4"};
  prepare(perturbation, away, 1000, kind);
  EXPECT_FALSE(perturbation.stats().orbit_reused);
}

TEST(ReferenceOrbit, IsContinuedForMoreDwellsAndSmallerViews) {
  const DecimalView view{"-1.75487766624669276", "0", "1e-4"};
  const FloatExp<double> wide = Decimal("1e-4").rounded();
  const FloatExp<double> narrow = Decimal("1e-22").rounded();
  const auto expect_same = [](const ReferenceOrbit& a, const ReferenceOrbit& b) {
    ASSERT_EQ(a.length(), b.length());
    EXPECT_EQ(a.end, b.end);
    EXPECT_EQ(a.tiny.size(), b.tiny.size());
    EXPECT_EQ(a.edges.size(), b.edges.size());
    for (std::uint32_t n = 0; n <= a.length(); ++n) {
      EXPECT_EQ(a.points[n].re, b.points[n].re) << n;
      EXPECT_EQ(a.points[n].im, b.points[n].im) << n;
    }
  };
  ReferenceOrbitComputation orbit(view, 200, kMemory);
  orbit.extend(wide, 10000, kMemory, ProgressScope());
  EXPECT_EQ(orbit.orbit().end, OrbitEnd::kPeriod);
  EXPECT_TRUE(orbit.serves(wide, 20000));
  EXPECT_FALSE(orbit.serves(narrow, 20000)) << "it is not periodic to 22 digits";
  orbit.extend(narrow, 500, kMemory, ProgressScope());
  expect_same(orbit.orbit(), compute_reference_orbit(view, 200, narrow, 500, kMemory, ProgressScope()));
  EXPECT_FALSE(orbit.serves(narrow, 501));
  orbit.extend(narrow, 700, kMemory, ProgressScope());
  expect_same(orbit.orbit(), compute_reference_orbit(view, 200, narrow, 700, kMemory, ProgressScope()));
  // A cancelled computation is continued.
  ProgressMonitor monitor;
  monitor.cancel_at_poll(1);
  {
    const ProgressScope call(&monitor, 1000000);
    EXPECT_THROW(orbit.extend(narrow, 1000000, kMemory, call), OperationCancelled);
  }
  EXPECT_FALSE(orbit.serves(narrow, 700));
  orbit.extend(narrow, 900, kMemory, ProgressScope());
  expect_same(orbit.orbit(), compute_reference_orbit(view, 200, narrow, 900, kMemory, ProgressScope()));
}

// 2^30 / 3 limbs is the largest limit for numbers of 128 bits and an integer part.
TEST(ReferenceOrbit, FindsTheDwellOfTheCentre) {
  const auto dwell = [](const DecimalView& view, std::int64_t bits, std::uint32_t limit) {
    const Coord32 centre{1, 1};
    return fixed_point_dwells(view, 2, 2, {&centre, 1}, bits, limit, ProgressScope()).front();
  };
  EXPECT_EQ(dwell({"0.25", "0", "1"}, 128, 100'000), 100'000u);
  EXPECT_EQ(dwell({"-1.7548776662466927", "0", "1"}, 128, 300'000'000), 300'000'000u) << "it is periodic";
  EXPECT_EQ(dwell({"-1.7548776662466927", "0", "1"}, 128, 400'000'000), std::nullopt);
  EXPECT_EQ(dwell({"-2", "0", "1"}, 128, 10'000), 0u) << "|c| = 2";
  EXPECT_EQ(dwell({"-1.9", "0", "1"}, 128, 10'000'000), 10'000'000u) << "chaotic, but real";
  EXPECT_EQ(dwell({"0.26", "0", "1"}, 128, 10'000), 29u);
  // Its orbit, close to a repelling one, loses more than 100 bits: 128 do not suffice. Compared with 1,000
  // bits.
  const DecimalView repelled{"1e-33", "1", "1"};
  const BigReal re(repelled.re.text(), 1000), im(repelled.im.text(), 1000);
  BigReal x(repelled.re.text(), 1000), y(repelled.im.text(), 1000), a(1000), b(1000), c(1000);
  std::uint32_t expected = 0;
  for (;; ++expected) {
    mpfr_sqr(a.get(), x.get(), MPFR_RNDN);
    mpfr_sqr(b.get(), y.get(), MPFR_RNDN);
    mpfr_add(c.get(), a.get(), b.get(), MPFR_RNDN);
    if (mpfr_cmp_ui(c.get(), 4) >= 0) break;
    mpfr_mul(y.get(), x.get(), y.get(), MPFR_RNDN);
    mpfr_mul_2ui(y.get(), y.get(), 1, MPFR_RNDN);
    mpfr_add(y.get(), y.get(), im.get(), MPFR_RNDN);
    mpfr_sub(x.get(), a.get(), b.get(), MPFR_RNDN);
    mpfr_add(x.get(), x.get(), re.get(), MPFR_RNDN);
  }
  EXPECT_GT(expected, 60u);
  EXPECT_EQ(dwell(repelled, 128, 10'000), expected);
}

// c = 0.25 + 0.3 (2 x - 300) / 600, and 3 x 200,000,000 x 3 limbs are more than 2^30.
TEST(ReferenceOrbit, FindsTheDwellsOfPixels) {
  const DecimalView view{"0.25", "0", "0.3"};
  const Coord32 pixels[] = {{0, 0}, {150, 0}, {200, 0}};
  const auto dwells = fixed_point_dwells(view, 300, 0, pixels, 128, 1000, ProgressScope());
  // 0.1, 0.25 and 0.3: z -> z^2 + 0.3 by doubles.
  std::uint32_t expected = 0;
  for (double z = 0.3; z < 2; z = z * z + 0.3) ++expected;
  EXPECT_EQ(dwells, (std::vector<std::optional<std::uint32_t>>{1000, 1000, expected}));
  EXPECT_EQ(fixed_point_dwells(view, 300, 0, pixels, 128, 200'000'000, ProgressScope()),
            std::vector<std::optional<std::uint32_t>>(3));
}

TEST(ReferenceOrbit, HasPointsOfTwoDoubles) {
  for (const DecimalView& view :
       {DecimalView{"-0.743643887037158704752191506114774", "0.131825904205311970493132056385139", "1e-30"},
        DecimalView{"-1.7548776662466927", "0", "1e-14"}}) {
    const std::int64_t bits = reference_bits(view) + 64;
    ReferenceOrbitComputation computation(view, bits, kMemory, true);
    computation.extend(view.width.rounded(), 900, kMemory, ProgressScope());
    const ReferenceOrbit& orbit = computation.orbit();
    const BigReal re(view.re.text(), 1000), im(view.im.text(), 1000);
    BigReal x(view.re.text(), 1000), y(view.im.text(), 1000), a(1000), b(1000);
    for (std::uint32_t n = 1; n < std::min(orbit.length(), 60u); ++n) {
      const ComplexExp<DoubleDouble> point = orbit.at<DoubleDouble>(n);
      const ComplexExp<double> exact = rounded(x.get(), y.get());
      // What the two doubles leave out, in units of the point.
      mpfr_set_d(a.get(), point.re.high, MPFR_RNDN);
      mpfr_add_d(a.get(), a.get(), point.re.low, MPFR_RNDN);
      mpfr_mul_2si(a.get(), a.get(), point.exponent, MPFR_RNDN);
      mpfr_sub(a.get(), a.get(), x.get(), MPFR_RNDN);
      mpfr_mul_2si(a.get(), a.get(), -exact.exponent, MPFR_RNDN);
      EXPECT_LE(std::fabs(mpfr_get_d(a.get(), MPFR_RNDN)), 0x1p-103) << n;
      mpfr_sqr(a.get(), x.get(), MPFR_RNDN);
      mpfr_sqr(b.get(), y.get(), MPFR_RNDN);
      mpfr_mul(y.get(), x.get(), y.get(), MPFR_RNDN);
      mpfr_mul_2ui(y.get(), y.get(), 1, MPFR_RNDN);
      mpfr_add(y.get(), y.get(), im.get(), MPFR_RNDN);
      mpfr_sub(x.get(), a.get(), b.get(), MPFR_RNDN);
      mpfr_add(x.get(), x.get(), re.get(), MPFR_RNDN);
    }
  }
}

void expect_rounded_points(const ReferenceOrbit& orbit, const DecimalView& view) {
  const std::int64_t bits = 2 * reference_bits(view);
  const BigReal re(view.re.text(), bits), im(view.im.text(), bits);
  BigReal x(view.re.text(), bits), y(view.im.text(), bits), a(bits), b(bits), c(bits);
  // The last point of a period is as good as zero.
  const std::uint32_t last = orbit.length() - (orbit.end == OrbitEnd::kPeriod ? 1 : 0);
  for (std::uint32_t n = 1; n <= last; ++n) {
    const ComplexExp<double> exact = complex_of(rounded(x.get()), rounded(y.get()));
    const ComplexExp<double> point = orbit.at(n);
    const int shift = point.exponent - exact.exponent;
    ASSERT_NEAR(std::ldexp(point.re, shift), exact.re, 0x1p-51) << n << " of " << orbit.length();
    ASSERT_NEAR(std::ldexp(point.im, shift), exact.im, 0x1p-51) << n << " of " << orbit.length();
    mpfr_sqr(a.get(), x.get(), MPFR_RNDN);
    mpfr_sqr(b.get(), y.get(), MPFR_RNDN);
    mpfr_mul(c.get(), x.get(), y.get(), MPFR_RNDN);
    mpfr_sub(x.get(), a.get(), b.get(), MPFR_RNDN);
    mpfr_add(x.get(), x.get(), re.get(), MPFR_RNDN);
    mpfr_mul_2ui(y.get(), c.get(), 1, MPFR_RNDN);
    mpfr_add(y.get(), y.get(), im.get(), MPFR_RNDN);
  }
}

// Points have fewer limbs where the derivative is large, and more again after a point close to zero.
TEST(ReferenceOrbit, HasTheRoundedPointsOfExactArithmetic) {
  const auto expect_exact_points = [](const DecimalView& view) {
    SCOPED_TRACE(view.width.text());
    expect_rounded_points(compute_reference_orbit(view, reference_bits(view), view.width.rounded(), 8000,
                                                  kMemory, ProgressScope()),
                          view);
  };
  for (const tests::DeepPlace& place : tests::kDeepPlaces) {
    constexpr std::int64_t kMostBits = 10000;
    if (reference_bits(place.view) < kMostBits) expect_exact_points(place.view);
  }
  // Minibrots of the antenna beside minibrots: orbits that come close to zero several times.
  DecimalView view{"-1.99999999999999999999", "0", "1e-20"};
  while (reference_bits(view) < 1000) {
    const std::optional<Nucleus> nucleus = find_nucleus(view, 16, 9, 100000, kMemory, ProgressScope());
    ASSERT_TRUE(nucleus.has_value()) << view.width.text();
    const DecimalView center{nucleus->re, nucleus->im, nucleus->size};
    expect_exact_points(center);
    view = moved(center, -20, 0, 0.5);
  }
}

TEST(ReferenceOrbit, NeedsMemoryAndCanBeCancelled) {
  const DecimalView view{"-2", "0", "1e-1000"};
  Perturbation perturbation;
  EXPECT_THROW(perturbation.prepare(view, 16, 9, 100000, {.is_wide = true}, 1000, ProgressScope()),
               CapacityError);
  ProgressMonitor monitor;
  monitor.cancel();
  const ProgressScope call(&monitor, 100000);
  EXPECT_THROW(perturbation.prepare(view, 16, 9, 100000, {.is_wide = true}, kMemory, call),
               OperationCancelled);
  monitor.reset();
  EXPECT_TRUE(perturbation.prepare(view, 16, 9, 100000, {.is_wide = true}, kMemory, call));
}

// How long an orbit is, and so what it needs, is known once it is computed.
TEST(ReferenceOrbit, IsRefusedOnceItNeedsTooMuchMemory) {
  const DecimalView inside{"-0.1", "0.01", "1e-1000"};
  Perturbation perturbation;
  constexpr std::uint64_t kAllowed = 500'000;
  EXPECT_TRUE(perturbation.prepare(inside, 16, 9, 2000, {.is_wide = true}, kAllowed, ProgressScope()));
  EXPECT_LT(perturbation.stats().bytes, kAllowed);
  try {
    perturbation.prepare(inside, 16, 9, 5000, {.is_wide = true}, kAllowed, ProgressScope());
    ADD_FAILURE() << "5000 points";
  } catch (const CapacityError& error) {
    EXPECT_GT(error.needed_bytes, kAllowed);
    EXPECT_LT(error.needed_bytes, 5000 * kBytesPerPoint);
    EXPECT_EQ(error.free_bytes, kAllowed);
    EXPECT_NE(std::string(error.what()).find("allowed: "), std::string::npos) << error.what();
  }
}

TEST(Nucleus, OfKnownMinibrots) {
  const auto find = [](const DecimalView& view) {
    return find_nucleus(view, 16, 9, 100000, kMemory, ProgressScope());
  };
  const auto three = find({"-1.75", "0", "0.1"});
  ASSERT_TRUE(three);
  EXPECT_EQ(three->period, 3u);
  EXPECT_EQ(three->re.substr(0, 22), "-1.7548776662466927600");
  EXPECT_NEAR(std::stod(three->size), 0.01904, 1e-4);
  const auto one = find({"0.1", "0.1", "1"});
  ASSERT_TRUE(one);
  EXPECT_EQ(one->period, 1u);
  EXPECT_NEAR(std::stod(one->size), 1, 1e-9);
  const auto deep = find({"-0.7436447860", "0.1318252536", "1e-5"});
  ASSERT_TRUE(deep);
  Perturbation perturbation;
  const DecimalView view{deep->re, deep->im, deep->size};
  prepare(perturbation, view, deep->period * 100, {.is_wide = true});
  EXPECT_EQ(perturbation.stats().period, deep->period) << "the centre of its own view";
  EXPECT_EQ((perturbation.evaluator<double, true>().dwell_at(kWidth / 2, kHeight / 2, deep->period * 100)),
            deep->period * 100);
  EXPECT_FALSE(find({"2", "2", "0.1"})) << "everything escapes";
}

}  // namespace
}  // namespace loom
