#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "compute/check/dwell_checks.h"
#include "compute/cpu/mandelbrot/perturbed_lanes.h"
#include "compute/perturbation/perturbation.h"

namespace loom {
namespace {

constexpr std::uint64_t kOrbitBytes = std::uint64_t{1} << 40;
constexpr std::uint32_t kColumns = 48;
constexpr std::uint32_t kRows = 27;

struct InteriorPlace {
  DecimalView view;
  std::uint32_t limit;
};

/// Views with a minibrot. The period of the first one is 1728, that of the second one 3.
const InteriorPlace kMinibrots[] = {
    {{"-0.22817920769910571887912207570709061548015633738483510364900064462415074681475649883563716288269044",
      "1.1151567671155511043715094934051461395156851581586311660939652760704751491664241304196866028059481",
      "7.1111111111111111e-50"},
     1728 * 200},
    {{"-1.7548776662466927", "0.0012", "0.03"}, 40000},
    {{"-0.743640613416478797359084141066745477167", "0.131827079925669200078491767591225474211", "2.935e-30"},
     200000},
    {{"-1.768778800015852620852062100334499213863654356052103242132956",
      "0.001738909944709252294199131410802365845943128749703882138844", "4.253e-51"},
     200000},
};

/// The dwells of all pixels, by single orbits.
template <typename Orbit>
std::vector<std::uint32_t> dwells_by(const Orbit& orbit, std::uint32_t limit) {
  std::vector<std::uint32_t> dwells;
  for (std::uint32_t y = 0; y < kRows; ++y) {
    for (std::uint32_t x = 0; x < kColumns; ++x) dwells.push_back(orbit.dwell_at(x, y, limit));
  }
  return dwells;
}

template <typename Orbit>
std::vector<std::uint32_t> dwells_by_lanes(const Orbit& orbit, std::uint32_t limit) {
  std::vector<Coord32> pixels;
  for (std::uint32_t y = 0; y < kRows; ++y) {
    for (std::uint32_t x = 0; x < kColumns; ++x) pixels.push_back({x, y});
  }
  std::vector<std::uint32_t> dwells(pixels.size());
  cpu::dwells_of(orbit, pixels.data(), pixels.size(), limit, ProgressScope(), dwells.data());
  return dwells;
}

/// Whether rounding may have changed the dwells, likewise.
std::vector<bool> uncertain_by(const Perturbed<double, false, true>& orbit, std::uint32_t limit) {
  std::vector<bool> uncertain;
  for (std::uint32_t y = 0; y < kRows; ++y) {
    for (std::uint32_t x = 0; x < kColumns; ++x) uncertain.push_back(orbit.run(x, y, limit).uncertain);
  }
  return uncertain;
}

/// Series steps round differently: where that matters, the dwell is uncertain. Returns the number of pixels
/// at the limit.
template <typename Orbit>
std::int64_t expect_search_changes_nothing(Orbit orbit, std::uint32_t limit,
                                           const std::vector<bool>& uncertain) {
  orbit.search_from = ~0u;
  const std::vector<std::uint32_t> expected = dwells_by(orbit, limit);
  for (const std::uint32_t from : {0u, 5000u}) {
    orbit.search_from = from;
    const std::vector<std::uint32_t> dwells = dwells_by(orbit, limit);
    EXPECT_EQ(dwells_by_lanes(orbit, limit), dwells);
    std::size_t differ = 0;
    for (std::size_t i = 0; i < dwells.size(); ++i) {
      differ += dwells[i] == expected[i] ? 0 : 1;
      EXPECT_TRUE(dwells[i] == expected[i] || uncertain[i]) << i;
    }
    EXPECT_LT(differ, dwells.size() / 100);
  }
  return std::count(expected.begin(), expected.end(), limit);
}

TEST(Interior, TheSearchChangesNoCertainDwellOfAnyEvaluator) {
  for (const InteriorPlace& place : kMinibrots) {
    SCOPED_TRACE(place.view.width.text());
    Perturbation perturbation;
    const auto prepare = [&](PerturbedKind kind) {
      perturbation.prepare(place.view, kColumns, kRows, place.limit, kind, kOrbitBytes, ProgressScope());
    };
    const bool fits_float = place.view.width.power() > -30;
    if (fits_float) {
      prepare({.is_double = false, .is_wide = false});
      const auto orbit = perturbation.evaluator<float, false>();
      ASSERT_EQ(orbit.series_of, nullptr);
      expect_search_changes_nothing(orbit, place.limit, std::vector<bool>(kColumns * kRows));
    }
    prepare({.is_double = true, .is_wide = false});
    const auto estimating = perturbation.evaluator<double, false, true>();
    auto searching = estimating;
    searching.search_from = 0;
    const std::vector<bool> uncertain = uncertain_by(searching, place.limit);
    EXPECT_LT(std::count(uncertain.begin(), uncertain.end(), true), kColumns * kRows / 50);
    const std::int64_t inside =
        expect_search_changes_nothing(perturbation.evaluator<double, false>(), place.limit, uncertain);
    expect_search_changes_nothing(estimating, place.limit, uncertain);
    EXPECT_GT(inside, 0);
  }
}

/// The distance after `iterations` from z, by an evaluator of any mantissa, and whether it can be had: no
/// step may lead beyond.
template <bool kSeries, typename Orbit, typename Tracking>
bool map_distance(const Orbit& orbit, std::uint32_t iterations, const ComplexExp<double>& c,
                  Complex<double> from, Tracking& tracking, Complex<typename Orbit::Value>& to) {
  using Real = typename Orbit::Value;
  typename Orbit::Progress at;
  at.z = {Real(from.re), Real(from.im)};
  const typename Orbit::Distance distance({Real(c.re), Real(c.im), c.exponent});
  const auto ended = orbit.template advance<kSeries>(at, distance, iterations, ~0u, tracking);
  to = at.z;
  return ended == Orbit::Run::kLimit && at.count == iterations;
}

// The exact map is that of two doubles, whose own rounding is 2^-50 times as large.
TEST(Interior, DiscsContainTheExactImages) {
  std::uint64_t tried = 0;
  for (const InteriorPlace& place : kMinibrots) {
    SCOPED_TRACE(place.view.width.text());
    Perturbation perturbation;
    perturbation.prepare(place.view, kColumns, kRows, place.limit, {.is_exact = true}, kOrbitBytes,
                         ProgressScope());
    perturbation.prepare_twice(kOrbitBytes);
    const auto orbit = perturbation.evaluator<double, false>();
    const auto exact = perturbation.evaluator<DoubleDouble, false, true>();
    for (std::uint32_t pixel = 0; pixel < kColumns * kRows; pixel += 7) {
      const ComplexExp<double> c = orbit.distance_at(pixel % kColumns, pixel / kColumns);
      const decltype(orbit)::Distance distance(c);
      decltype(orbit)::Progress first;
      NoTracking nothing;
      if (orbit.advance(first, distance, place.limit, orbit.length, nothing) != decltype(orbit)::Run::kReturn)
        continue;
      const Complex<double> z = first.z;
      for (const double part : {1e-20, 1e-14, 1e-9, 1e-4, 0.02, 0.3}) {
        const double radius = part * length_of(z);
        DiscTracking<double> disc(radius);
        Complex<double> image{};
        if (!map_distance<true>(orbit, first.count, c, z, disc, image)) continue;
        for (const Complex<double> direction :
             {Complex<double>{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {0.6, 0.8}, {-0.8, 0.6}}) {
          Complex<DoubleDouble> there{};
          const Complex<double> from{z.re + radius * direction.re, z.im + radius * direction.im};
          if (!map_distance<false>(exact, first.count, c, from, nothing, there)) continue;
          const Complex<double> apart{static_cast<double>(there.re - DoubleDouble(image.re)),
                                      static_cast<double>(there.im - DoubleDouble(image.im))};
          EXPECT_LE(length_of(apart), disc.radius) << pixel << ' ' << part;
          ++tried;
        }
      }
    }
  }
  EXPECT_GT(tried, 5000u);
}

TEST(Interior, SeriesOfTwoDoublesAreTheIterationsWithinTheirRounding) {
  for (const InteriorPlace& place : kMinibrots) {
    SCOPED_TRACE(place.view.width.text());
    Perturbation perturbation;
    perturbation.prepare(place.view, kColumns, kRows, place.limit, {.is_exact = true}, kOrbitBytes,
                         ProgressScope());
    perturbation.prepare_twice(kOrbitBytes);
    const auto orbit = perturbation.evaluator<DoubleDouble, false, true>();
    if (orbit.length < 100) continue;  // there are no steps
    ASSERT_NE(orbit.series_of, nullptr);
    int compared = 0;
    for (std::uint32_t pixel = 0; pixel < kColumns * kRows; pixel += 37) {
      const decltype(orbit)::Distance c(orbit.distance_at(pixel % kColumns, pixel / kColumns));
      decltype(orbit)::Progress with;
      decltype(orbit)::Progress without;
      NoTracking nothing;
      if (orbit.advance<true>(with, c, place.limit, orbit.length, nothing) != decltype(orbit)::Run::kReturn ||
          orbit.advance<false>(without, c, place.limit, orbit.length, nothing) !=
              decltype(orbit)::Run::kReturn)
        continue;
      ASSERT_EQ(with.count, without.count);
      EXPECT_LT(larger_part(Complex<DoubleDouble>{with.z.re - without.z.re, with.z.im - without.z.im}),
                larger_part(with.z) * 0x1p-85);
      ++compared;
    }
    EXPECT_GT(compared, 10);
  }
}

// Without the search a pixel inside takes 1.2 million periods, and this test hours.
TEST(Interior, TimeDoesNotGrowWithTheLimit) {
  const InteriorPlace& place = kMinibrots[0];
  constexpr std::uint32_t kLimit = 0x7fffffff;
  Perturbation perturbation;
  perturbation.prepare(place.view, kColumns, kRows, kLimit, {.is_exact = true}, kOrbitBytes, ProgressScope());
  const std::vector<std::uint32_t> few =
      dwells_by_lanes(perturbation.evaluator<double, false>(), place.limit);
  const std::vector<std::uint32_t> all = dwells_by_lanes(perturbation.evaluator<double, false>(), kLimit);
  std::uint64_t inside = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (few[i] < place.limit) {
      EXPECT_EQ(all[i], few[i]);
    }
    inside += all[i] == kLimit ? 1 : 0;
  }
  EXPECT_GT(inside, all.size() / 4);
  perturbation.prepare_twice(kOrbitBytes);
  const auto twice = perturbation.evaluator<DoubleDouble, false, true>();
  for (std::uint32_t x = 4; x < kColumns; x += 11) {
    const OrbitResult<DoubleDouble> orbit = cpu::orbit_of(twice, {x, 7}, kLimit);
    EXPECT_EQ(orbit.dwell, all[7 * kColumns + x]);
    if (orbit.dwell == kLimit) {
      EXPECT_FALSE(orbit.uncertain);
    }
  }
}

/// The dwell by a plain loop in 80-bit numbers, whose rounding does not matter at these places.
std::uint32_t long_double_dwell(const MandelbrotView& view, std::uint32_t x, std::uint32_t y,
                                std::uint32_t limit) {
  const ComplexWindow& window = view.window;
  const long double re =
      window.re_min + (static_cast<long double>(window.re_max) - window.re_min) * x / view.width;
  const long double im =
      window.im_min + (static_cast<long double>(window.im_max) - window.im_min) * y / view.height;
  long double a = re;
  long double b = im;
  std::uint32_t dwell = 0;
  for (; dwell < limit && a * a + b * b < 4; ++dwell) {
    const long double next = a * a - b * b + re;
    b = 2 * a * b + im;
    a = next;
  }
  return dwell;
}

// Close to parabolic points orbits outside last long, and cycles inside attract weakly.
TEST(Interior, TheProofsOfExactDwellsClaimNoPointOutside) {
  constexpr std::uint32_t kLimit = 200'000;
  const ComplexWindow windows[] = {{0.25 - 2e-8, 0.25 + 4e-8, -2e-8, 2e-8},
                                   {-0.75 - 2e-4, -0.75 + 2e-4, 2e-5, 2e-4},
                                   {-1.25 - 2e-4, -1.25 + 2e-4, 2e-5, 2e-4}};
  for (const ComplexWindow& window : windows) {
    SCOPED_TRACE(window.re_min);
    MandelbrotView view{.width = 12, .height = 8};
    view.window = window;
    const std::vector<std::uint32_t> exact = exact_dwells(view, kLimit);
    std::uint32_t inside = 0;
    std::uint32_t most = 0;
    for (std::uint32_t i = 0; i < exact.size(); ++i) {
      EXPECT_EQ(exact[i], long_double_dwell(view, i % view.width, i / view.width, kLimit)) << i;
      inside += exact[i] == kLimit ? 1 : 0;
      most = exact[i] == kLimit ? most : std::max(most, exact[i]);
    }
    EXPECT_GT(inside, 5u);
    EXPECT_GT(most, 3'000u);
  }
}

}  // namespace
}  // namespace loom
