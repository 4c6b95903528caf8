#include "compute/mandelbrot/float_exp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace loom {
namespace {

template <typename Real>
class FloatExpTest : public testing::Test {
 protected:
  /// A mantissa from [1, 2) with a sign, and an exponent.
  FloatExp<Real> any(int exponent) {
    const auto mantissa = static_cast<Real>(1 + std::uniform_real_distribution<double>(0, 0.999)(random_));
    return {random_() % 2 == 0 ? mantissa : -mantissa, exponent};
  }
  ComplexExp<Real> any_complex(int exponent) { return {any(0).mantissa, any(0).mantissa, exponent}; }
  std::mt19937_64 random_{7};
  static constexpr double kRounding = sizeof(Real) == 4 ? 2.4e-7 : 4.5e-16;
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(FloatExpTest, Reals);

TYPED_TEST(FloatExpTest, NormalizesEveryNormalNumber) {
  using Real = TypeParam;
  for (int exponent = -RealBits<Real>::kBias + 1; exponent <= RealBits<Real>::kBias; ++exponent) {
    const Real value = std::ldexp(Real{1.5}, exponent);
    const FloatExp<Real> number(value, 1000);
    ASSERT_EQ(number.mantissa, Real{1.5}) << exponent;
    ASSERT_EQ(number.exponent, 1000 + exponent);
    ASSERT_EQ(FloatExp<Real>(value).value(), exponent > 1 - RealBits<Real>::kBias ? value : Real{0})
        << exponent;
    const ComplexExp<Real> z(value, -value / 2, 5);
    ASSERT_EQ(z.re, Real{1.5}) << exponent;
    ASSERT_EQ(z.exponent, 5 + exponent);
  }
  EXPECT_TRUE(FloatExp<Real>(Real{0}).is_zero());
  EXPECT_TRUE(ComplexExp<Real>(0, 0, 12345).is_zero());
  EXPECT_TRUE((ComplexExp<Real>() * this->any_complex(3)).is_zero());
}

TYPED_TEST(FloatExpTest, ComputesLikeLongDouble) {
  using Real = TypeParam;
  const auto exact = [](FloatExp<Real> x) {
    return std::ldexp(static_cast<long double>(x.mantissa), x.exponent);
  };
  for (int i = 0; i < 20000; ++i) {
    const FloatExp<Real> a = this->any(static_cast<int>(i % 61) - 30);
    const FloatExp<Real> b = this->any(0);
    const auto close = [&](FloatExp<Real> found, long double expected, long double scale) {
      return std::abs(exact(found) - expected) <= this->kRounding * scale;
    };
    ASSERT_TRUE(close(a * b, exact(a) * exact(b), std::abs(exact(a) * exact(b))));
    ASSERT_TRUE(close(a / b, exact(a) / exact(b), std::abs(exact(a) / exact(b))));
    ASSERT_TRUE(close(a + b, exact(a) + exact(b), std::abs(exact(a)) + std::abs(exact(b))));
    ASSERT_EQ(a < b, exact(a) < exact(b));
  }
}

TYPED_TEST(FloatExpTest, ComplexNumbersBeyondTheRangeOfReal) {
  using Real = TypeParam;
  for (int i = 0; i < 20000; ++i) {
    const int far = static_cast<int>(this->random_() % 2'000'000) - 1'000'000;
    const int near = static_cast<int>(this->random_() % 40) - 20;
    const ComplexExp<Real> a = this->any_complex(far);
    const ComplexExp<Real> b = this->any_complex(far + near);
    // Relative to the exponent `far` everything is in the range of double.
    const auto at = [&](const ComplexExp<Real>& z, int power) {
      return Complex<double>{std::ldexp(z.re, z.exponent - power), std::ldexp(z.im, z.exponent - power)};
    };
    const Complex<double> x = at(a, far);
    const Complex<double> y = at(b, far);
    const Complex<double> sum = at(a + b, far);
    const Complex<double> product = at(a * b, 2 * far);
    const double scale = 4 * std::max(1.0, std::ldexp(1.0, near));
    ASSERT_NEAR(sum.re, x.re + y.re, this->kRounding * scale);
    ASSERT_NEAR(sum.im, x.im + y.im, this->kRounding * scale);
    ASSERT_NEAR(product.re, x.re * y.re - x.im * y.im, 4 * this->kRounding * scale);
    ASSERT_NEAR(product.im, x.re * y.im + x.im * y.re, 4 * this->kRounding * scale);
    ASSERT_EQ(larger_part_is_below(a, b), larger_part(x) < larger_part(y));
  }
}

}  // namespace
}  // namespace loom
