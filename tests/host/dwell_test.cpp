#include "compute/mandelbrot/dwell.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "../engine/plain_subdivision.h"
#include "compute/cpu/mandelbrot/dwell_lanes.h"

namespace loom {
namespace {

/// Direct implementation of the definition, with complex numbers as two variables of type Real.
template <typename Real>
std::uint32_t dwell_by_definition(Real re, Real im, std::uint32_t limit) {
  Real x = re;
  Real y = im;
  for (std::uint32_t count = 0; count < limit; ++count) {
    const Real xx = x * x;
    const Real yy = y * y;
    if (!(xx + yy < 4)) return count;
    const Real xy = x * y;
    y = 2 * xy + im;
    x = xx - yy + re;
  }
  return limit;
}

template <typename Real>
class DwellTest : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(DwellTest, Reals);

TYPED_TEST(DwellTest, KnownPoints) {
  using Real = TypeParam;
  const auto at = [](double re, double im) {
    return dwell(Complex<Real>{static_cast<Real>(re), static_cast<Real>(im)}, 1000u);
  };
  EXPECT_EQ(at(0, 0), 1000u);
  EXPECT_EQ(at(-1, 0), 1000u);
  EXPECT_EQ(at(0.25, 0), 1000u);
  EXPECT_EQ(at(0, 1), 1000u);  // 0, i, i - 1, -i, i - 1, ...
  EXPECT_EQ(at(-2, 0), 0u);    // |c| is not below 2
  EXPECT_EQ(at(2, 0), 0u);
  EXPECT_EQ(at(1, 0), 1u);        // 1, 2
  EXPECT_EQ(at(0.5, 0.5), 4u);    // 0.5 + 0.5i, 0.5 + i, -0.25 + 1.5i, -1.6875 - 0.25i, then above 2
  EXPECT_EQ(at(1e30, 1e30), 0u);  // the square overflows
}

TYPED_TEST(DwellTest, PointsOfAViewInThisOrderOfOperations) {
  using Real = TypeParam;
  const MandelbrotView view{{-1.7, 0.6, -0.9, 1.3}, 1280, 720};
  const auto grid = make_direct<Real>(view);
  for (std::uint32_t x : {0u, 1u, 7u, 639u, 1279u}) {
    const Real step = static_cast<Real>(x) * static_cast<Real>(0.6 - -1.7);
    EXPECT_EQ(grid.at(x, 0).re, static_cast<Real>(-1.7) + step / Real{1280});
  }
  EXPECT_EQ(grid.at(0, 0).im, static_cast<Real>(-0.9));
  // The default window on a power of two is exact.
  const auto exact = make_direct<Real>({{}, 1024, 1024});
  EXPECT_EQ(exact.at(1023, 512).re, static_cast<Real>(-1.5 + 1023.0 / 512));
  EXPECT_EQ(exact.at(1023, 512).im, Real{0});
}

TYPED_TEST(DwellTest, EveryFormEqualsTheDefinition) {
  using Real = TypeParam;
  const MandelbrotView view{{-2.1, 0.7, -1.2, 1.2}, 211, 173};
  const auto grid = make_direct<Real>(view);
  std::vector<Real> re;
  std::vector<Real> im;
  for (std::uint32_t y = 0; y < view.height; ++y) {
    for (std::uint32_t x = 0; x < view.width; ++x) {
      re.push_back(grid.at(x, y).re);
      im.push_back(grid.at(x, y).im);
    }
  }
  for (std::uint32_t limit : {1u, 2u, 7u, 8u, 9u, 100u, 513u, 4000u}) {
    std::vector<std::uint32_t> plain(re.size());
    std::vector<std::uint32_t> periodic(re.size());
    cpu::dwells_of(re.data(), im.data(), re.size(), limit, false, plain.data());
    cpu::dwells_of(re.data(), im.data(), re.size(), limit, true, periodic.data());
    for (std::size_t i = 0; i < re.size(); ++i) {
      const std::uint32_t expected = dwell_by_definition(re[i], im[i], limit);
      ASSERT_EQ(dwell(Complex<Real>{re[i], im[i]}, limit), expected) << re[i] << " " << im[i];
      for (const bool periodicity : {false, true}) {
        ASSERT_EQ(dwell_by_strides(Complex<Real>{re[i], im[i]}, limit, periodicity), expected)
            << re[i] << " " << im[i];
      }
      ASSERT_EQ(plain[i], expected) << re[i] << " " << im[i];
      ASSERT_EQ(periodic[i], expected) << re[i] << " " << im[i];
    }
  }
}

TYPED_TEST(DwellTest, AnyNumberOfPointsAtATime) {
  using Real = TypeParam;
  for (std::size_t count = 0; count < 40; ++count) {
    std::vector<Real> re(count);
    for (std::size_t i = 0; i < count; ++i) re[i] = static_cast<Real>(-0.75 + 0.03 * static_cast<double>(i));
    const std::vector<Real> im(count, static_cast<Real>(0.1));
    std::vector<std::uint32_t> dwells(count + 1, 0xabcd);
    cpu::dwells_of(re.data(), im.data(), count, 300, true, dwells.data());
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(dwells[i], dwell_by_definition(re[i], im[i], 300)) << i;
    }
    EXPECT_EQ(dwells[count], 0xabcdu);
  }
}

TYPED_TEST(DwellTest, EveryFormulaInEveryFormEqualsThePlainLoop) {
  using Real = TypeParam;
  const MandelbrotView view{{-2.2, 1.2, -1.4, 1.3}, 71, 53};
  for (const FormulaRow& row : kFormulas) {
    const bool has_power = row.formula == Formula::kMultibrot;
    for (std::uint32_t power = has_power ? kMinPower : 3; power <= (has_power ? kMaxPower : 3); ++power) {
      for (const std::optional<JuliaPoint>& julia :
           {std::optional<JuliaPoint>(), {{-0.4, 0.6}}, {{-1.2, -1.6}}}) {
        const EscapeTimeSet set{row.formula, power, julia};
        SCOPED_TRACE(to_string(set));
        const auto grid = make_direct<Real>(set, view);
        std::vector<Real> re;
        std::vector<Real> im;
        for (std::uint32_t y = 0; y < view.height; ++y) {
          for (std::uint32_t x = 0; x < view.width; ++x) {
            re.push_back(grid.at(x, y).re);
            im.push_back(grid.at(x, y).im);
          }
        }
        for (const std::uint32_t limit : {1u, 9u, 300u}) {
          std::vector<std::uint32_t> plain(re.size());
          std::vector<std::uint32_t> periodic(re.size());
          cpu::dwells_of(grid, re.data(), im.data(), re.size(), limit, false, plain.data());
          cpu::dwells_of(grid, re.data(), im.data(), re.size(), limit, true, periodic.data());
          for (std::size_t i = 0; i < re.size(); ++i) {
            const std::uint32_t expected = tests::plain_dwell(set, re[i], im[i], limit);
            const Complex<Real> point{re[i], im[i]};
            ASSERT_EQ(plain[i], expected) << re[i] << " " << im[i];
            ASSERT_EQ(periodic[i], expected) << re[i] << " " << im[i];
            ASSERT_EQ(grid.plain_dwell(point, limit), expected) << re[i] << " " << im[i];
            for (const bool periodicity : {false, true}) {
              // As on a device: in parts, which end with the limit.
              Orbit<Real> orbit{point, 0};
              std::uint32_t end = std::min(limit, 16u);
              while (!grid.run(
                  orbit, point,
                  {.end = end, .limit = limit, .strides = true, .stays = false, .periodicity = periodicity}))
                end = std::min(limit, 2 * end);
              ASSERT_EQ(orbit.count, expected) << re[i] << " " << im[i];
            }
          }
        }
      }
    }
  }
}

TYPED_TEST(DwellTest, RandomPoints) {
  using Real = TypeParam;
  EXPECT_TRUE(rc::check([] {
    const auto coordinate = [] {
      return static_cast<Real>(*rc::gen::inRange(-2200000, 2200000)) / Real{1000000};
    };
    const Complex<Real> c{coordinate(), coordinate()};
    const auto limit = *rc::gen::inRange<std::uint32_t>(1, 3000);
    const std::uint32_t expected = dwell_by_definition(c.re, c.im, limit);
    RC_ASSERT(dwell(c, limit) == expected);
    RC_ASSERT(dwell_by_strides(c, limit, true) == expected);
    // In several steps, as when long orbits are suspended and resumed.
    Orbit<Real> orbit{c, 0};
    std::uint32_t end = 0;
    do {
      end = std::min(limit, end + kStride * *rc::gen::inRange<std::uint32_t>(1, 40));
    } while (!run_orbit(orbit, c, end, limit, true));
    RC_ASSERT(orbit.count == expected);
    // An orbit can switch to longer strides at any point.
    if (!stays_escaped(c)) return;
    for (const bool periodicity : {false, true}) {
      Orbit<Real> late{c, 0};
      end = std::min(limit, kLongStride * *rc::gen::inRange<std::uint32_t>(0, 20));
      bool ended = end > 0 && run_orbit(late, c, end, limit, false);
      while (!ended) {
        end = std::min(limit, end + kLongStride * *rc::gen::inRange<std::uint32_t>(1, 40));
        ended = periodicity ? run_staying_orbit<kLongStride, true>(late, c, end, limit)
                            : run_staying_orbit<kLongStride, false>(late, c, end, limit);
      }
      RC_ASSERT(late.count == expected);
    }
  }));
}

}  // namespace
}  // namespace loom
