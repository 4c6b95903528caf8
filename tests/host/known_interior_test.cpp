#include "compute/mandelbrot/known_interior.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "compute/core/integer_math.h"
#include "compute/cpu/mandelbrot/dwell_lanes.h"

namespace loom {
namespace {

template <typename Real>
class KnownInterior : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(KnownInterior, Reals);

struct Component {
  const char* name;
  double re;
  double im;
  double reach;  ///< a distance from the centre beyond its boundary
};
constexpr Component kComponents[] = {{"heart", 0, 0, 0.9},
                                     {"disc", -1, 0, 0.3},
                                     {"upper bulb", -0.122561, 0.744862, 0.1},
                                     {"lower bulb", -0.122561, -0.744862, 0.1},
                                     {"needle", -1.754878, 0, 0.015}};

template <typename Real>
struct Points {
  std::vector<Real> re;
  std::vector<Real> im;
  void add(Complex<Real> c) {
    re.push_back(c.re);
    im.push_back(c.im);
  }
  /// The number of points that escape before 65535 iterations, by plain iteration with exact cycle detection.
  std::size_t escape() const {
    std::vector<std::uint32_t> dwells(re.size());
    cpu::dwells_of(re.data(), im.data(), re.size(), 65535, true, dwells.data());
    std::size_t count = 0;
    for (const std::uint32_t dwell : dwells) count += dwell != 65535;
    return count;
  }
};

/// The last known-interior point on a ray from the centre of a component.
template <typename Real>
Complex<Real> last_known(const Component& component, double angle) {
  double low = 0;
  double high = component.reach;
  const auto at = [&](double distance) {
    return Complex<Real>{static_cast<Real>(component.re + distance * std::cos(angle)),
                         static_cast<Real>(component.im + distance * std::sin(angle))};
  };
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (is_known_interior(at(middle)) ? low : high) = middle;
  }
  return at(low);
}

// Checks the outermost known-interior points at every angle, and the adjacent floating-point values.
TYPED_TEST(KnownInterior, NothingThatIsClaimedEscapes) {
  using Real = TypeParam;
  constexpr int kAngles = 400;
  constexpr Real kFar = 8;
  for (const Component& component : kComponents) {
    SCOPED_TRACE(component.name);
    Points<Real> points;
    for (int i = 0; i < kAngles; ++i) {
      const double angle = 2 * std::numbers::pi * (i + 0.37) / kAngles;
      const Complex<Real> edge = last_known<Real>(component, angle);
      for (const Real x : {-kFar, edge.re, kFar}) {
        for (const Real y : {-kFar, edge.im, kFar}) {
          const Complex<Real> c{std::nextafter(edge.re, x), std::nextafter(edge.im, y)};
          if (is_known_interior(c)) points.add(c);
        }
      }
    }
    EXPECT_GT(points.re.size(), std::size_t{4} * kAngles);
    EXPECT_EQ(points.escape(), 0u);
  }
}

TYPED_TEST(KnownInterior, NothingThatIsClaimedEscapesAnywhere) {
  using Real = TypeParam;
  Points<Real> points;
  const auto unit = [](std::uint64_t i) { return static_cast<double>(splitmix64(i) >> 11) * 0x1p-53; };
  for (std::uint64_t i = 0; i < 40000; ++i) {
    const Complex<Real> c{static_cast<Real>(-2 + 2.5 * unit(2 * i)),
                          static_cast<Real>(-1 + 2 * unit(2 * i + 1))};
    if (is_known_interior(c)) points.add(c);
  }
  EXPECT_GT(points.re.size(), 10000u);
  EXPECT_EQ(points.escape(), 0u);
}

/// The known-interior area, estimated by counting lattice points.
template <typename Real>
double known_area(double re_min, double re_max, double im_min, double im_max) {
  constexpr int kSide = 1000;
  int count = 0;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      count +=
          is_known_interior(Complex<Real>{static_cast<Real>(re_min + (re_max - re_min) * (x + 0.5) / kSide),
                                          static_cast<Real>(im_min + (im_max - im_min) * (y + 0.5) / kSide)});
    }
  }
  return (re_max - re_min) * (im_max - im_min) * count / (kSide * kSide);
}

// The known interior covers nearly all of each component and nothing else.
TYPED_TEST(KnownInterior, FillsTheComponents) {
  using Real = TypeParam;
  constexpr double kPi = std::numbers::pi;
  EXPECT_NEAR(known_area<Real>(-0.749, 0.5, -0.64, 0.64) + known_area<Real>(-0.749, 0.5, 0.64, 0.66) +
                  known_area<Real>(-0.749, 0.5, -0.66, -0.64),
              3 * kPi / 8, 2e-3);
  EXPECT_NEAR(known_area<Real>(-1.3, -0.7501, -0.3, 0.3), kPi / 16, 5e-4);
  // The bulb is nearly a disc of radius 0.0949. Above 0.65, the cardioid contributes nothing.
  EXPECT_NEAR(known_area<Real>(-0.23, -0.01, 0.65, 0.86), 0.0283, 4e-4);
  EXPECT_NEAR(known_area<Real>(-0.23, -0.01, -0.86, -0.65), 0.0283, 4e-4);
  EXPECT_GT(known_area<Real>(-1.78, -1.74, -0.02, 0.02), 3.5e-4);
  EXPECT_EQ(known_area<Real>(-2, -1.78, -1, 1), 0);
  EXPECT_EQ(known_area<Real>(-1.745, -1.26, -1, 1), 0);
  EXPECT_EQ(known_area<Real>(-1, 0.5, 0.86, 1.2), 0);
}

TYPED_TEST(KnownInterior, VectorsFindTheSame) {
  using Real = TypeParam;
  Points<Real> points;
  for (int y = 0; y < 97; ++y) {
    for (int x = 0; x < 211; ++x) {
      points.add({static_cast<Real>(-2 + 0.012 * x), static_cast<Real>(-0.95 + 0.02 * y)});
    }
  }
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{63}, points.re.size()}) {
    std::vector<std::uint8_t> known(count + 1, 0xab);
    const std::size_t sum = cpu::known_interior_of(points.re.data(), points.im.data(), count, known.data());
    std::size_t expected = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const bool is = is_known_interior(Complex<Real>{points.re[i], points.im[i]});
      ASSERT_EQ(known[i], is) << points.re[i] << " " << points.im[i];
      expected += is;
    }
    EXPECT_EQ(sum, expected);
    EXPECT_EQ(known[count], 0xab);
  }
}

TYPED_TEST(KnownInterior, FarAndNoNumbers) {
  using Real = TypeParam;
  const Real huge = std::numeric_limits<Real>::max();
  const Real none = std::numeric_limits<Real>::quiet_NaN();
  for (const Complex<Real> c : {Complex<Real>{huge, 0}, Complex<Real>{0, huge}, Complex<Real>{-huge, huge},
                                Complex<Real>{none, 0}, Complex<Real>{0, none}, Complex<Real>{Real{0.25}, 0},
                                Complex<Real>{Real{-0.75}, 0}, Complex<Real>{Real{-1.75}, 0}}) {
    EXPECT_FALSE(is_known_interior(c)) << c.re << " " << c.im;
  }
}

}  // namespace
}  // namespace loom
