#include "compute/perturbation/orbit_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include "compute/mandelbrot/decimal_view.h"
#include "compute/perturbation/step_series.h"

namespace loom {
namespace {

constexpr std::uint64_t kStepBytes = std::uint64_t{1} << 40;

// Each step of the table, taken from the edge of its validity, is the iteration it stands for.
TEST(OrbitSteps, AgreeWithTheIterationWithinTheRounding) {
  const DecimalView view{"-1.7687788", "0.0017389", "1e-20"};
  const FloatExp<double> radius = Decimal("1e-20").rounded();
  const ReferenceOrbit orbit =
      compute_reference_orbit(view, reference_bits(view), radius, 3000, kStepBytes, ProgressScope());
  const auto steps = make_orbit_steps(orbit, radius, 53);
  ASSERT_GT(steps.size(), 10u);
  for (const bool quadratic : {false, true}) {
    std::uint32_t covered = 0;
    for (const OrbitStep<>& step : steps) {
      ASSERT_LE(step.start + step.length, orbit.length());
      const FloatExp<double> threshold = quadratic ? step.quadratic_threshold : step.threshold;
      if (threshold.is_zero() || step.length > 2000) continue;
      // Half the threshold; steps of one or two iterations have none.
      const ComplexExp<double> w(0.5, -0.6, std::min(threshold.exponent, 0));
      covered = std::max(covered, step.length);
      const ComplexExp<double> c(radius.mantissa, 0.3 * radius.mantissa, radius.exponent - 1);
      ComplexExp<double> by_step = step.a * w + step.b * c;
      if (quadratic) by_step = by_step + step.q * (w * w);
      ComplexExp<double> z = w + c;
      for (std::uint32_t k = step.start + 1; k < step.start + step.length; ++k)
        z = z * (orbit.at(k).doubled() + z) + c;
      ComplexExp<double> error = by_step;
      error.re = -error.re;
      error.im = -error.im;
      error = error + z;
      EXPECT_LT(error.exponent, z.exponent - 53 + 8) << step.start << " + " << step.length << quadratic;
    }
    EXPECT_GT(covered, 20u);
  }
  EXPECT_EQ(steps[0].start, 0u);
}

/// How far a series step without terms above `degree` is from the iteration with two doubles, in roundings of
/// |A w| + |B c|, at the edge of its validity.
double roundings_of(const ReferenceOrbit& orbit, OrbitSeries<double> step, std::uint32_t start,
                    FloatExp<double> radius, int degree) {
  using Twice = ComplexExp<DoubleDouble>;
  constexpr int N = Series<double>::N;
  for (int i = 0; i <= N; ++i) {
    for (int j = 0; j <= N; ++j) {
      if (i + j > degree) step.series.terms[i][j] = {0, 0};
    }
  }
  const Complex<double> x{0.99, -0.1};
  const Complex<double> y{0.6 * radius.mantissa / 2, 0.8 * radius.mantissa / 2};
  Complex<double> slopes[1];
  const Complex<double> by_step = step.series.at(x, y, slopes);
  const Twice c = converted<DoubleDouble>(ComplexExp<double>(y.re, y.im, c_exponent_of(radius)));
  Twice z = converted<DoubleDouble>(ComplexExp<double>(x.re, x.im, step.exponent)) + c;
  for (std::uint32_t k = start + 1; k < start + step.length; ++k)
    z = z * (converted<DoubleDouble>(orbit.at(k)).doubled() + z) + c;
  const double size = larger_part(step.series.terms[1][0]) + larger_part(step.series.terms[0][1]);
  return larger_part((z - converted<DoubleDouble>(ComplexExp<double>(by_step))).value()) / size * 0x1p53;
}

// A minibrot of period 1728 around one of period 48: after 576 iterations the reference is about as close to
// zero as the distances are, and after each 48 within 10^7 of them.
TEST(OrbitSteps, OfASeriesReachOverRoundsOfANearPeriod) {
  const DecimalView view{
      "-0.22817920769910571887912207570709061548015633738483510364900064462415074681475649883563716288269044",
      "1.1151567671155511043715094934051461395156851581586311660939652760704751491664241304196866028059481",
      "7.1111111111111111e-50"};
  const FloatExp<double> radius = Decimal("4.1e-50").rounded();
  const ReferenceOrbit orbit =
      compute_reference_orbit(view, reference_bits(view), radius, 100000, kStepBytes, ProgressScope());
  ASSERT_EQ(orbit.length(), 1728u);
  std::vector<OrbitSeries<double>> series;
  const auto steps = make_orbit_steps(orbit, radius, 54, &series);
  std::set<std::uint32_t> longest;
  for (const OrbitSeries<double>& step : series) {
    const OrbitStep<>& first = steps[step.first];
    EXPECT_TRUE(step.first == 0 || steps[step.first - 1].start != first.start);
    EXPECT_EQ(steps[step.next].start, (first.start + step.length) % orbit.length());
    EXPECT_LT(roundings_of(orbit, step, first.start, radius, 3), 256) << first.start << " + " << step.length;
    if (step.length != 576) continue;
    EXPECT_GT(roundings_of(orbit, step, first.start, radius, 2), 1000) << first.start;
    longest.insert(first.start);
  }
  EXPECT_EQ(longest, (std::set<std::uint32_t>{0, 576, 1152}));
}

// A single iteration among the steps that a series is composed of: its threshold is above every number.
TEST(OrbitSteps, OfASeriesMayContainSingleIterations) {
  OrbitStep<> iteration;
  iteration.length = 1;
  iteration.a = iteration.b = ComplexExp<double>(Complex<double>{1, 0});
  iteration.threshold = iteration.quadratic_threshold = FloatExp<double>(1.0, 1 << 20);
  StepSeries<double> series(-40, -40);
  series.join(StepSeries<double>(iteration, -40), {0.5, 0.25}, 0.03);
  series.set_exponent(0.5, 54);
  ASSERT_TRUE(series.is_usable());
  // z = 2 Z (w + c) + (w + c)^2 + c.
  const double w = std::ldexp(1.0, series.exponent());
  const double c = 0x1p-40;
  const auto& terms = series.series().terms;
  EXPECT_EQ(terms[1][0].re, w);
  EXPECT_EQ(terms[1][0].im, 0.5 * w);
  EXPECT_EQ(terms[0][1].re, 2 * c);
  EXPECT_EQ(terms[2][0].re, w * w);
  EXPECT_EQ(terms[1][1].re, 2 * w * c);
}

// The orbit of a preperiodic point has the same few distances from zero over and over.
TEST(OrbitSteps, BeginRegularlyWhereNoPointIsClosest) {
  const DecimalView view{"0", "1", "1e-1000"};
  const FloatExp<double> radius = Decimal("1e-1000").rounded();
  const ReferenceOrbit orbit =
      compute_reference_orbit(view, reference_bits(view), radius, 4096, kStepBytes, ProgressScope());
  ASSERT_GT(orbit.length(), 2000u);
  std::uint32_t longest = 0;  // of the lowest stage
  std::uint32_t start = ~0u;
  for (const OrbitStep<>& step : make_orbit_steps(orbit, radius, 53)) {
    if (step.start != start) longest = std::max(longest, step.length);
    start = step.start;
  }
  EXPECT_LE(longest, 16u);
}

// Without the quadratic term a step ends where z is about the rounding of Z; with it, about the root of that.
TEST(OrbitSteps, OfTheSecondOrderReachFarther) {
  const DecimalView view{"-1.7687788", "0.0017389", "1e-40"};
  const FloatExp<double> radius = Decimal("1e-40").rounded();
  const ReferenceOrbit orbit =
      compute_reference_orbit(view, reference_bits(view), radius, 3000, kStepBytes, ProgressScope());
  for (const OrbitStep<>& step : make_orbit_steps(orbit, radius, 53)) {
    if (step.length < 2 || step.threshold.is_zero()) continue;
    EXPECT_GT(step.quadratic_threshold.exponent, step.threshold.exponent + 16) << step.start;
  }
}

TEST(OrbitSteps, BeginWhereTheyLeadTo) {
  const DecimalView view{"-0.75", "0.0001", "1e-12"};
  const FloatExp<double> radius = Decimal("1e-12").rounded();
  const ReferenceOrbit orbit =
      compute_reference_orbit(view, reference_bits(view), radius, 5000, kStepBytes, ProgressScope());
  const auto steps = make_orbit_steps(orbit, radius, 53);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const OrbitStep<>& step = steps[i];
    const std::uint32_t end = step.start + step.length;
    if (end == orbit.length()) {
      EXPECT_EQ(step.next, 0u);
    } else {
      EXPECT_EQ(steps[step.next].start, end);
      EXPECT_TRUE(step.next == 0 || steps[step.next - 1].start != end) << "not the first one there";
    }
    if (!step.has_longer) continue;
    ASSERT_LT(i + 1, steps.size());
    EXPECT_EQ(steps[i + 1].start, step.start);
    EXPECT_GT(steps[i + 1].length, step.length);
    EXPECT_FALSE(step.threshold < steps[i + 1].threshold);
  }
}

/// The points where steps begin, as the description of the tables has them: the closest eighth to zero, by
/// powers of two of |Z|^2, and among those at about the same distance regularly spaced ones.
std::set<std::uint32_t> expected_starts(const ReferenceOrbit& orbit) {
  std::vector<std::int64_t> keys;
  for (std::uint32_t i = 0; i < orbit.length(); ++i) {
    const Complex<double> z = orbit.points[i];
    const double square = z.re * z.re + z.im * z.im;
    const int power = i == 0 ? -100000 : static_cast<int>(std::ceil(std::log2(square)));
    keys.push_back(std::int64_t{-power} * 32 + std::countr_zero(i));
  }
  std::vector<std::int64_t> sorted = keys;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  const std::size_t kept = orbit.length() / 8;
  const std::int64_t least = sorted[kept - 1];
  const auto equal = static_cast<std::size_t>(std::count(keys.begin(), keys.end(), least));
  const std::size_t wanted =
      kept - static_cast<std::size_t>(
                 std::count_if(keys.begin(), keys.end(), [&](std::int64_t key) { return key > least; }));
  std::set<std::uint32_t> starts;
  std::size_t found = 0;
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    bool taken = keys[i] > least;
    if (keys[i] == least) {
      ++found;
      taken = found * wanted / equal != (found - 1) * wanted / equal;
    }
    if (taken) starts.insert(i);
  }
  return starts;
}

TEST(OrbitSteps, OfLongOrbitsBeginWhereTheyShould) {
  const DecimalView view{"-0.75", "0.00002", "1e-30"};
  const FloatExp<double> radius = Decimal("1e-30").rounded();
  const ReferenceOrbit orbit =
      compute_reference_orbit(view, reference_bits(view), radius, 150000, kStepBytes, ProgressScope());
  ASSERT_EQ(orbit.length(), 150000u);
  const auto steps = make_orbit_steps(orbit, radius, 53);
  std::set<std::uint32_t> starts;
  std::uint32_t end = 0;  // of the step of the lowest stage before
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i > 0 && steps[i].start == steps[i - 1].start) continue;
    ASSERT_EQ(steps[i].start, end);
    end = steps[i].start + steps[i].length;
    starts.insert(steps[i].start);
  }
  EXPECT_EQ(end, orbit.length());
  EXPECT_EQ(starts, expected_starts(orbit));
}

}  // namespace
}  // namespace loom
