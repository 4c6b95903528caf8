#pragma once

#include <cmath>
#include <type_traits>

#include "compute/core/host_device.h"
#include "compute/mandelbrot/complex.h"
#include "compute/mandelbrot/float_exp.h"
#include "compute/mandelbrot/rounded.h"

namespace loom {

/// a b + c, rounded once.
LOOM_HOST_DEVICE double fused_multiply_add(double a, double b, double c) {
#if defined(__CUDA_ARCH__)
  return __fma_rn(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}

/// The unevaluated sum of two doubles, |low| <= ulp(high) / 2: a mantissa of about 106 bits. Sums are rounded
/// by at most 2^-104 (|a| + |b|), products by 2^-103 |a b| (Dekker 1971; Joldes, Muller and Popescu 2017,
/// algorithms 5 and 12). Every operation of these error-free transformations has to be rounded by itself
/// (rounded.h).
struct DoubleDouble {
  double high = 0;
  double low = 0;

  DoubleDouble() = default;
  LOOM_HOST_DEVICE constexpr DoubleDouble(double value) : high(value) {}
  LOOM_HOST_DEVICE constexpr DoubleDouble(double upper, double lower) : high(upper), low(lower) {}

  LOOM_HOST_DEVICE explicit operator double() const { return high; }

  /// a + b for |a| >= |b| or a = 0.
  static LOOM_HOST_DEVICE DoubleDouble quick_sum(double a, double b) {
    const double sum = rounded_add(a, b);
    return {sum, rounded_subtract(b, rounded_subtract(sum, a))};
  }
  /// a + b, exactly.
  static LOOM_HOST_DEVICE DoubleDouble sum_of(double a, double b) {
    const double sum = rounded_add(a, b);
    const double part = rounded_subtract(sum, a);
    return {sum, rounded_add(rounded_subtract(a, rounded_subtract(sum, part)), rounded_subtract(b, part))};
  }

  friend LOOM_HOST_DEVICE DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble sum = sum_of(a.high, b.high);
    return quick_sum(sum.high, rounded_add(sum.low, rounded_add(a.low, b.low)));
  }
  friend LOOM_HOST_DEVICE DoubleDouble operator-(DoubleDouble a) { return {-a.high, -a.low}; }
  friend LOOM_HOST_DEVICE DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + (-b); }
  friend LOOM_HOST_DEVICE DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
    const double product = rounded_multiply(a.high, b.high);
    const double rest = fused_multiply_add(a.high, b.high, -product);
    const double mixed = fused_multiply_add(a.high, b.low, rounded_multiply(a.low, b.high));
    return quick_sum(product, rounded_add(rest, mixed));
  }
  friend LOOM_HOST_DEVICE bool operator<(DoubleDouble a, DoubleDouble b) {
    return a.high < b.high || (a.high == b.high && a.low < b.low);
  }
};

template <>
struct RealBits<DoubleDouble> {
  using Plain = double;
  static constexpr int kMantissa = 104;
  static constexpr int kBias = 1023;
};
template <>
LOOM_HOST_DEVICE DoubleDouble power_of_two<DoubleDouble>(int exponent) {
  return power_of_two<double>(exponent);
}
template <>
LOOM_HOST_DEVICE DoubleDouble reciprocal_power_of_two<DoubleDouble>(int exponent) {
  return reciprocal_power_of_two<double>(exponent);
}
LOOM_HOST_DEVICE int exponent_of(DoubleDouble value) {
  return exponent_of(value.high);
}
/// To double: a test of sizes needs no more.
LOOM_HOST_DEVICE double larger_part(Complex<DoubleDouble> z) {
  return larger_part(Complex<double>{z.re.high, z.im.high});
}
LOOM_HOST_DEVICE double plain_square(Complex<DoubleDouble> z) {
  return square_of_length(Complex<double>{z.re.high, z.im.high});
}
LOOM_HOST_DEVICE DoubleDouble multiply_add(DoubleDouble a, DoubleDouble b, DoubleDouble c) {
  return a * b + c;
}

/// A number in another mantissa.
template <typename To, typename From>
LOOM_HOST_DEVICE To converted(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else {
    return static_cast<To>(static_cast<double>(value));
  }
}
template <typename To, typename From>
LOOM_HOST_DEVICE ComplexExp<To> converted(const ComplexExp<From>& z) {
  return ComplexExp<To>::unnormalized(converted<To>(z.re), converted<To>(z.im), z.exponent);
}

}  // namespace loom
