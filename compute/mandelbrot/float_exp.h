#pragma once

#include <cstdint>
#include <cstring>

#include "compute/core/host_device.h"
#include "compute/mandelbrot/complex.h"

namespace loom {

/// The parts of an IEEE format that the types below need.
template <typename Real>
struct RealBits;
template <>
struct RealBits<float> {
  using Int = std::int32_t;
  using Plain = float;  ///< in which sizes are compared
  static constexpr int kMantissa = 23;
  static constexpr int kBias = 127;
};
template <>
struct RealBits<double> {
  using Int = std::int64_t;
  using Plain = double;
  static constexpr int kMantissa = 52;
  static constexpr int kBias = 1023;
};

/// 2^exponent, for exponents of normal numbers.
template <typename Real>
LOOM_HOST_DEVICE Real power_of_two(int exponent) {
  using Bits = RealBits<Real>;
  const auto bits = static_cast<typename Bits::Int>(exponent + Bits::kBias) << Bits::kMantissa;
  Real value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// 2^-exponent, for exponents of normal numbers: that of the largest one is subnormal.
template <typename Real>
LOOM_HOST_DEVICE Real reciprocal_power_of_two(int exponent) {
  using Bits = RealBits<Real>;
  using Int = typename Bits::Int;
  const Int normal = static_cast<Int>(Bits::kBias - exponent) << Bits::kMantissa;
  const Int least = Int{1} << (Bits::kMantissa - 1);
  const Int bits = normal < least ? least : normal;
  Real value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// floor(log2 |value|) of a normal number; below -kBias + 1 for zero and denormal numbers.
template <typename Real>
LOOM_HOST_DEVICE int exponent_of(Real value) {
  using Bits = RealBits<Real>;
  typename Bits::Int bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return static_cast<int>((bits >> Bits::kMantissa) & (2 * Bits::kBias + 1)) - Bits::kBias;
}

/// The exponent of zero: far below that of every other number. Sums of a few exponents do not overflow.
inline constexpr std::int32_t kZeroExponent = -(1 << 28);

/// The larger of |re| and |im|: within a factor sqrt(2) of the absolute value, and free of underflow.
template <typename Real>
LOOM_HOST_DEVICE Real larger_part(Complex<Real> z) {
  const Real re = z.re < 0 ? -z.re : z.re;
  const Real im = z.im < 0 ? -z.im : z.im;
  return re < im ? im : re;
}

/// The number mantissa * 2^exponent with 1 <= |mantissa| < 2, or zero with kZeroExponent. Operations are
/// rounded to the mantissa of Real; exponents must stay within +-2^27.
template <typename Real>
struct FloatExp {
  Real mantissa = 0;
  std::int32_t exponent = kZeroExponent;

  FloatExp() = default;
  /// Normalizes `value` * 2^`power`; `value` is zero or normal.
  LOOM_HOST_DEVICE FloatExp(Real value, std::int32_t power) {
    const int shift = exponent_of(value);
    if (shift <= -RealBits<Real>::kBias) {
      mantissa = 0;
      exponent = kZeroExponent;
      return;
    }
    mantissa = value * power_of_two<Real>(shift > 0 ? -(shift / 2) : -shift);
    if (shift > 0) mantissa = mantissa * power_of_two<Real>(shift / 2 - shift);
    exponent = power + shift;
  }
  LOOM_HOST_DEVICE explicit FloatExp(Real value) : FloatExp(value, 0) {}

  LOOM_HOST_DEVICE bool is_zero() const { return exponent == kZeroExponent; }
  /// The value as Real: zero or infinity where it is out of range.
  LOOM_HOST_DEVICE Real value() const {
    constexpr int kLargest = RealBits<Real>::kBias;
    if (exponent < 2 - kLargest) return 0;
    const int shift = exponent > kLargest ? kLargest : exponent;
    const Real factor = power_of_two<Real>(shift);
    return exponent > kLargest ? mantissa * factor * 2 * factor : mantissa * factor;
  }

  friend LOOM_HOST_DEVICE FloatExp operator*(FloatExp a, FloatExp b) {
    return {a.mantissa * b.mantissa, a.exponent + b.exponent};
  }
  /// `b` is not zero.
  friend LOOM_HOST_DEVICE FloatExp operator/(FloatExp a, FloatExp b) {
    if (a.is_zero()) return {};
    return {a.mantissa / b.mantissa, a.exponent - b.exponent};
  }
  friend LOOM_HOST_DEVICE FloatExp operator+(FloatExp a, FloatExp b) {
    const bool swapped = a.exponent < b.exponent;
    const FloatExp high = swapped ? b : a;
    const FloatExp low = swapped ? a : b;
    const int shift = low.exponent - high.exponent;
    if (shift < -RealBits<Real>::kMantissa - 2) return high;
    return {high.mantissa + low.mantissa * power_of_two<Real>(shift), high.exponent};
  }
  friend LOOM_HOST_DEVICE FloatExp operator-(FloatExp a) {
    a.mantissa = -a.mantissa;
    return a;
  }
  friend LOOM_HOST_DEVICE FloatExp operator-(FloatExp a, FloatExp b) { return a + (-b); }
  friend LOOM_HOST_DEVICE bool operator<(FloatExp a, FloatExp b) {
    const FloatExp difference = a + (-b);
    return difference.mantissa < 0;
  }
};

/// A complex number with one exponent for both parts: (re + i im) * 2^exponent, with the larger part in [1,
/// 2), or zero with kZeroExponent. Operations are rounded to the mantissa of Real, relative to the larger
/// part.
template <typename Real>
struct ComplexExp {
  Real re = 0;
  Real im = 0;
  std::int32_t exponent = kZeroExponent;

  ComplexExp() = default;
  /// Normalizes (x + i y) * 2^power; the larger part is zero or normal.
  LOOM_HOST_DEVICE ComplexExp(Real x, Real y, std::int32_t power) {
    const int shift = exponent_of(larger_part(Complex<Real>{x, y}));
    const bool zero = shift <= -RealBits<Real>::kBias;
    const Real factor = zero ? Real{0} : reciprocal_power_of_two<Real>(shift);
    re = x * factor;
    im = y * factor;
    exponent = zero ? kZeroExponent : power + shift;
  }
  LOOM_HOST_DEVICE explicit ComplexExp(Complex<Real> z) : ComplexExp(z.re, z.im, 0) {}

  LOOM_HOST_DEVICE bool is_zero() const { return exponent == kZeroExponent; }
  /// The value as Real: zero where it is below the range of normal numbers. The exponent is at most kBias.
  LOOM_HOST_DEVICE Complex<Real> value() const {
    if (exponent < 2 - RealBits<Real>::kBias) return {0, 0};
    const Real factor = power_of_two<Real>(exponent);
    return {re * factor, im * factor};
  }

  friend LOOM_HOST_DEVICE ComplexExp operator*(const ComplexExp& a, const ComplexExp& b) {
    return unnormalized_product(a, b).normalized();
  }
  friend LOOM_HOST_DEVICE ComplexExp operator+(const ComplexExp& a, const ComplexExp& b) {
    return unnormalized_sum(a, b).normalized();
  }
  friend LOOM_HOST_DEVICE ComplexExp operator-(const ComplexExp& a, const ComplexExp& b) {
    return unnormalized_sum(a, unnormalized(-b.re, -b.im, b.exponent)).normalized();
  }
  // Operands of one more operation, with a larger part of any size: normalizing takes longer than the
  // operation itself. Rounded in the same way.
  static LOOM_HOST_DEVICE ComplexExp unnormalized(Real re, Real im, std::int32_t exponent) {
    ComplexExp z;
    z.re = re;
    z.im = im;
    z.exponent = exponent;
    return z;
  }
  static LOOM_HOST_DEVICE ComplexExp unnormalized_product(const ComplexExp& a, const ComplexExp& b) {
    const Complex<Real> product = multiply(Complex<Real>{a.re, a.im}, Complex<Real>{b.re, b.im});
    return unnormalized(product.re, product.im, a.exponent + b.exponent);
  }
  static LOOM_HOST_DEVICE ComplexExp unnormalized_sum(const ComplexExp& a, const ComplexExp& b) {
    const bool swapped = a.exponent < b.exponent;
    const ComplexExp& high = swapped ? b : a;
    const ComplexExp& low = swapped ? a : b;
    const int shift = low.exponent - high.exponent;
    const Real factor = shift < -RealBits<Real>::kMantissa - 10 ? Real{0} : power_of_two<Real>(shift);
    return unnormalized(high.re + low.re * factor, high.im + low.im * factor, high.exponent);
  }
  LOOM_HOST_DEVICE ComplexExp normalized() const { return {re, im, exponent}; }
  /// 2 a.
  LOOM_HOST_DEVICE ComplexExp doubled() const {
    ComplexExp twice = *this;
    if (!is_zero()) ++twice.exponent;
    return twice;
  }
  /// The larger of the two parts, as larger_part().
  LOOM_HOST_DEVICE FloatExp<Real> larger() const {
    if (is_zero()) return {};
    return {larger_part(Complex<Real>{re, im}), exponent};
  }
};

/// Whether the larger part of a is below that of b.
template <typename Real>
LOOM_HOST_DEVICE bool larger_part_is_below(const ComplexExp<Real>& a, const ComplexExp<Real>& b) {
  if (a.exponent != b.exponent) return a.exponent < b.exponent;
  return larger_part(Complex<Real>{a.re, a.im}) < larger_part(Complex<Real>{b.re, b.im});
}

}  // namespace loom
