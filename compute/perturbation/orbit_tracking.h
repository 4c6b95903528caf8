#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"
#include "compute/mandelbrot/complex.h"
#include "compute/mandelbrot/double_double.h"
#include "compute/mandelbrot/float_exp.h"
#include "compute/perturbation/orbit_steps.h"

namespace loom {

/// Pixels that rounding may have changed, in the order in which they were computed. Plain data for kernels.
struct UncertainPixels {
  unsigned long long* count = nullptr;  ///< of all, also of those beyond the capacity; null: no list
  Coord32* pixels = nullptr;
  unsigned long long capacity = 0;

  LOOM_HOST_DEVICE void add(Coord32 pixel) const {
#if defined(__CUDA_ARCH__)
    const unsigned long long slot = atomicAdd(count, 1ull);
#else
    const unsigned long long slot = __atomic_fetch_add(count, 1ull, __ATOMIC_RELAXED);
#endif
    if (slot < capacity) pixels[slot] = pixel;
  }
};

// What Perturbed follows along an orbit in addition to its distance. In each iteration, iterate() comes
// before step() if it begins a step; rebase() or end(), which returns the error, come after the iteration.
// Numbers with an exponent of their own have iterate_wide(). Models: NoTracking, ErrorTracking and
// DiscTracking.

struct NoTracking {
  static constexpr bool kEstimatesError = false;
  static constexpr int kSlopes = 1;  ///< derivatives of a series step
  LOOM_HOST_DEVICE void enter_narrow() {}
  LOOM_HOST_DEVICE void leave_narrow() {}
  template <typename Value, typename Plain>
  LOOM_HOST_DEVICE void iterate(Value, Value, Plain) {}
  template <typename Value, typename Plain>
  LOOM_HOST_DEVICE void round(Value, Plain) {}
  template <typename Head, typename Map, typename Value>
  LOOM_HOST_DEVICE void step(const Head&, const Map&, Value, Value) {}
  template <typename Step, typename Plain, typename Value, int N>
  LOOM_HOST_DEVICE void series_step(const Step&, Plain, Value, Value, const Value (&)[N]) {}
  template <typename Value>
  LOOM_HOST_DEVICE void rebase(Value, std::uint32_t, double) {}
  template <typename Value>
  LOOM_HOST_DEVICE double end(Value, double) {
    return 0;
  }
  template <typename Exp>
  LOOM_HOST_DEVICE void iterate_wide(const Exp&, const Exp*) {}
  template <typename Exp>
  LOOM_HOST_DEVICE void rebase_wide(const Exp&, const Exp&, std::uint32_t) {}
  LOOM_HOST_DEVICE bool is_lost() const { return false; }
};

/// Doubles hold the error for all distances in their range if it is multiplied by 2^kErrorShift. It then
/// overflows, for good, where the orbit is moved by about a tenth: it is lost.
template <typename Real>
inline constexpr int kErrorShift = 924;
template <>
inline constexpr int kErrorShift<DoubleDouble> = 824;
/// An orbit is uncertain if it ends closer to |z| = 2 than this many times the distance. What was measured:
/// docs/explanation/deep-zoom.md.
inline constexpr double kErrorSafety = 64;
/// The square of the rounding.
template <typename Real>
inline constexpr double kRoundingSquare = 0x1p-106;
template <>
inline constexpr double kRoundingSquare<DoubleDouble> = 0x1p-206;

/// |z|^2.
template <typename Real>
LOOM_HOST_DEVICE FloatExp<double> square_of(const ComplexExp<Real>& z) {
  if (z.is_zero()) return {};
  return {static_cast<double>(plain_square(Complex<Real>{z.re, z.im})), 2 * z.exponent};
}

/// How far rounding has moved an orbit (docs/explanation/deep-zoom.md, Rounding). `error` is the square of
/// the distance, in units of the square of the rounding of a number of size 1; one part is multiplied by
/// |dz_{k+1}/dz_k|^2 = |2 (Z_k + z_k)|^2, or |A|^2 over a step, in each iteration. A rounding of z_k,
/// relative to its size, moves c by |z_k| / |dz_k/dc|, which hardly grows along an orbit, so that it suffices
/// to add the roundings of all iterations so far where the orbit is rebased and at its end. Orbits of a Julia
/// set may stay beside that of the centre for a thousand iterations, while it falls by many powers of ten:
/// for them, round() adds the roundings of some iterations wherever steps may begin.
template <typename Real>
struct ErrorTracking {
  static constexpr bool kEstimatesError = true;
  static constexpr int kSlopes = 1;
  static constexpr double kLost = std::numeric_limits<double>::infinity();
  static constexpr std::int32_t kLostExponent = 1 << 25;

  double narrow = 0;      ///< times 2^kErrorShift
  FloatExp<double> wide;  ///< the same while numbers have an exponent of their own

  LOOM_HOST_DEVICE void enter_narrow() {
    narrow = FloatExp<double>(wide.mantissa, wide.exponent + kErrorShift<Real>).value();
  }
  LOOM_HOST_DEVICE void leave_narrow() {
    wide =
        narrow < kLost ? FloatExp<double>(narrow, -kErrorShift<Real>) : FloatExp<double>(1.0, kLostExponent);
  }
  template <typename Plain>
  LOOM_HOST_DEVICE void iterate(Complex<Real>, Complex<Real>, Plain square) {
    narrow *= 4 * static_cast<double>(square);
  }
  /// After iterate(), whose slope the roundings have.
  template <typename Plain>
  LOOM_HOST_DEVICE void round(Complex<Real> z, Plain square) {
    constexpr double kIterations = 64;
    const auto re = static_cast<double>(z.re) * power_of_two<double>(kErrorShift<Real> / 2);
    const auto im = static_cast<double>(z.im) * power_of_two<double>(kErrorShift<Real> / 2);
    narrow = multiply_add(4 * kIterations * static_cast<double>(square),
                          square_of_length(Complex<double>{re, im}), narrow);
  }
  LOOM_HOST_DEVICE void step(const StepHead<Real>&, const StepMap<Real>& map, Complex<Real>, Complex<Real>) {
    // The square of a slope may be out of range, that of an error is not.
    const auto re = static_cast<double>(map.a.re);
    const auto im = static_cast<double>(map.a.im);
    narrow = multiply_add(narrow * re, re, narrow * im * im);
  }
  template <typename Plain, int N>
  LOOM_HOST_DEVICE void series_step(const SeriesStep<Real>& step, Plain, Complex<Real>, Complex<Real>,
                                    const Complex<Real> (&slopes)[N]) {
    const double re = static_cast<double>(slopes[0].re) * static_cast<double>(step.unit);
    const double im = static_cast<double>(slopes[0].im) * static_cast<double>(step.unit);
    narrow = multiply_add(narrow * re, re, narrow * im * im);
  }
  /// From distance z to a value of this square, after `count` iterations. Where the error is not small
  /// against the value, the orbit is lost.
  LOOM_HOST_DEVICE void rebase(Complex<Real> z, std::uint32_t count, double square) {
    const auto re = static_cast<double>(z.re) * power_of_two<double>(kErrorShift<Real> / 2);
    const auto im = static_cast<double>(z.im) * power_of_two<double>(kErrorShift<Real> / 2);
    const double sum =
        multiply_add(static_cast<double>(count), square_of_length(Complex<double>{re, im}), narrow);
    const double least = 16 * kRoundingSquare<Real> * sum;
    narrow = least > square * power_of_two<double>(kErrorShift<Real>) ? kLost : sum;
  }
  LOOM_HOST_DEVICE double end(Complex<Real>, double) const { return narrow; }
  /// `slope` is that of the step, or null for a single iteration.
  LOOM_HOST_DEVICE void iterate_wide(const ComplexExp<Real>& value, const ComplexExp<Real>* slope) {
    if (wide.is_zero() || wide.exponent >= kLostExponent) return;
    auto square = static_cast<double>(plain_square(Complex<Real>{value.re, value.im}));
    std::int32_t exponent = 2 * value.exponent + 2;
    if (slope != nullptr) {
      square *= static_cast<double>(plain_square(Complex<Real>{slope->re, slope->im}));
      exponent += 2 * slope->exponent;
    }
    wide = {wide.mantissa * square, wide.exponent + exponent};
  }
  LOOM_HOST_DEVICE void rebase_wide(const ComplexExp<Real>& z, const ComplexExp<Real>& value,
                                    std::uint32_t count) {
    wide = wide + FloatExp<double>(static_cast<double>(count)) * square_of(z);
    if (square_of(value) < wide * FloatExp<double>(16 * kRoundingSquare<Real>)) wide = {1.0, kLostExponent};
  }
  /// Of an orbit that is not in narrow numbers.
  LOOM_HOST_DEVICE bool is_lost() const {
    return !(wide.value() < power_of_two<double>(1023 - kErrorShift<Real>));
  }
};

template <typename Real>
LOOM_HOST_DEVICE Complex<double> to_double(Complex<Real> z) {
  return {static_cast<double>(z.re), static_cast<double>(z.im)};
}
LOOM_HOST_DEVICE double length_of(Complex<double> z) {
  return std::sqrt(square_of_length(z));
}
/// At least |z|: |re| + |im|.
template <typename Real>
LOOM_HOST_DEVICE double bound_of(Complex<Real> z) {
  return std::fabs(static_cast<double>(z.re)) + std::fabs(static_cast<double>(z.im));
}

/// The derivative by the first distance, and the radius of a disc around the computed distance that contains
/// the exact images of a disc around the first one (docs/explanation/deep-zoom.md, Interiors), unless that
/// has radius 0.
template <typename Real>
struct DiscTracking : NoTracking {
  /// 2^5 roundings: those of an iteration, and of the bounds here.
  static constexpr double kRounding = sizeof(Real) == 4 ? 0x1p-19 : 0x1p-48;
  static constexpr double kOne = 1 + 0x1p-50;
  static constexpr int kSlopes = Series<Real>::N;

  Complex<double> slope{1, 0};
  double radius;

  LOOM_HOST_DEVICE explicit DiscTracking(double first) : radius(first) {}

  template <typename Plain>
  LOOM_HOST_DEVICE void iterate(Complex<Real> z, Complex<Real> value, Plain square) {
    const Complex<double> half = to_double(value);
    slope = multiply(slope, {2 * half.re, 2 * half.im});
    if (radius == 0) return;
    radius = multiply_add(kRounding, bound_of(z), radius);
    radius *= multiply_add(2 * kOne, std::sqrt(static_cast<double>(square)), radius);
  }
  LOOM_HOST_DEVICE void step(const StepHead<Real>& head, const StepMap<Real>& map, Complex<Real> w,
                             Complex<Real> c) {
    const Complex<double> q = to_double(map.q);
    const Complex<double> of_step = multiply_add({2 * q.re, 2 * q.im}, to_double(w), to_double(map.a));
    slope = multiply(slope, of_step);
    if (radius == 0) return;
    if (!(static_cast<double>(larger_part(w)) + radius < static_cast<double>(head.threshold)))
      radius = std::numeric_limits<double>::infinity();
    radius *= multiply_add(bound_of(q), radius, kOne * length_of(of_step));
    radius += kRounding * (head.length & ~kHasLonger) *
              multiply_add(bound_of(map.a), bound_of(w), bound_of(multiply(map.b, c)));
  }
  template <typename Plain, int N>
  LOOM_HOST_DEVICE void series_step(const SeriesStep<Real>& step, Plain size, Complex<Real> x,
                                    Complex<Real> y, const Complex<Real> (&slopes)[N]) {
    const auto unit = static_cast<double>(step.unit);
    const Complex<double> of_step = to_double(slopes[0]);
    slope = multiply(slope, {of_step.re * unit, of_step.im * unit});
    if (radius == 0) return;
    if (!(static_cast<double>(size) + radius < static_cast<double>(step.threshold)))
      radius = std::numeric_limits<double>::infinity();
    radius *= unit;
    double bend = bound_of(slopes[N - 1]);
    for (int k = N - 1; k > 1; --k) bend = multiply_add(bend, radius, bound_of(slopes[k - 1]));
    radius *= multiply_add(bend, radius, kOne * length_of(of_step));
    radius += kRounding * (step.length & ~kHasLonger) *
              multiply_add(bound_of(step.series.terms[1][0]), bound_of(x),
                           bound_of(multiply(step.series.terms[0][1], y)));
  }
  LOOM_HOST_DEVICE void rebase(Complex<Real> z, std::uint32_t, double square) { end(z, square); }
  LOOM_HOST_DEVICE double end(Complex<Real> z, double square) {
    if (radius != 0) radius += kRounding * (bound_of(z) + std::sqrt(square));
    return 0;
  }
};

}  // namespace loom
