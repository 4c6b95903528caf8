#include "compute/mandelbrot/double_double.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <random>

#include "compute/mandelbrot/big_real.h"

namespace loom {
namespace {

constexpr std::int64_t kBits = 400;

void set(BigReal& to, DoubleDouble value) {
  mpfr_set_d(to.get(), value.high, MPFR_RNDN);
  mpfr_add_d(to.get(), to.get(), value.low, MPFR_RNDN);
}

/// |found - expected| / scale.
double error_of(DoubleDouble found, const BigReal& expected, const BigReal& scale) {
  BigReal error(kBits);
  set(error, found);
  mpfr_sub(error.get(), error.get(), expected.get(), MPFR_RNDN);
  mpfr_div(error.get(), error.get(), scale.get(), MPFR_RNDN);
  return std::fabs(mpfr_get_d(error.get(), MPFR_RNDN));
}

class TwoDoubles : public testing::Test {
 protected:
  DoubleDouble any() {
    std::uniform_real_distribution<double> mantissa(-1, 1);
    const int exponent = static_cast<int>(random_() % 80) - 40;
    const double high = std::ldexp(mantissa(random_), exponent);
    return DoubleDouble::quick_sum(high, high * mantissa(random_) * 0x1p-54);
  }
  std::mt19937_64 random_{11};
};

// Contracting or reordering an operation of the error-free transformations would lose half of the digits.
TEST_F(TwoDoubles, SumsAndProductsAreRoundedTo104Bits) {
  BigReal x(kBits), y(kBits), expected(kBits), scale(kBits), part(kBits);
  for (int i = 0; i < 100'000; ++i) {
    const DoubleDouble a = any();
    const DoubleDouble b = i % 4 == 0 ? -a + DoubleDouble(any().high * 0x1p-30) : any();
    set(x, a);
    set(y, b);
    mpfr_add(expected.get(), x.get(), y.get(), MPFR_RNDN);
    mpfr_abs(scale.get(), x.get(), MPFR_RNDN);
    mpfr_abs(part.get(), y.get(), MPFR_RNDN);
    mpfr_add(scale.get(), scale.get(), part.get(), MPFR_RNDN);
    const DoubleDouble sum = a + b;
    ASSERT_LE(error_of(sum, expected, scale), 0x1p-104) << i;
    ASSERT_EQ(sum.high + sum.low, sum.high) << i;
    mpfr_mul(expected.get(), x.get(), y.get(), MPFR_RNDN);
    mpfr_abs(scale.get(), expected.get(), MPFR_RNDN);
    const DoubleDouble product = a * b;
    ASSERT_LE(error_of(product, expected, scale), 0x1p-103) << i;
    ASSERT_EQ(product.high + product.low, product.high) << i;
    ASSERT_EQ(a < b, mpfr_less_p(x.get(), y.get()) != 0) << i;
  }
}

TEST_F(TwoDoubles, HoldDecimalNumbersTo106Bits) {
  BigReal found(kBits), low(kBits);
  for (const char* text : {"0.1", "-3.14159265358979323846264338327950288", "1e-1000", "7e2000"}) {
    const BigReal exact(text, kBits);
    const FloatExp<DoubleDouble> number = rounded_twice(exact.get());
    set(found, number.mantissa);
    mpfr_mul_2si(found.get(), found.get(), number.exponent, MPFR_RNDN);
    mpfr_sub(found.get(), found.get(), exact.get(), MPFR_RNDN);
    mpfr_div(found.get(), found.get(), exact.get(), MPFR_RNDN);
    EXPECT_LE(std::fabs(mpfr_get_d(found.get(), MPFR_RNDN)), 0x1p-106) << text;
  }
}

// A number with its own exponent is normalized by the same functions.
TEST_F(TwoDoubles, HaveExponents) {
  const ComplexExp<DoubleDouble> a(DoubleDouble(3.0, 0x1p-60), DoubleDouble(-1.0), 5000);
  EXPECT_EQ(a.exponent, 5001);
  EXPECT_EQ(a.re.high, 1.5);
  EXPECT_EQ(a.re.low, 0x1p-61);
  const ComplexExp<DoubleDouble> square = a * a;
  EXPECT_EQ(square.exponent, 10003);
  EXPECT_EQ(square.re.high, 1.0);  // (9 - 1) / 8
  EXPECT_EQ(square.re.low, 6 * 0x1p-63);
  EXPECT_EQ(square.im.high, -0.75);
}

}  // namespace
}  // namespace loom
