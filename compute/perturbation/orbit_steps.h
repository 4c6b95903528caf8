#pragma once

#include <cstdint>
#include <vector>

#include "compute/core/unset_array.h"
#include "compute/mandelbrot/complex.h"
#include "compute/mandelbrot/double_double.h"
#include "compute/mandelbrot/float_exp.h"
#include "compute/perturbation/reference_orbit.h"

namespace loom {

// Approximation of many iterations by one step. Let z be the distance of a pixel's orbit from the reference
// orbit Z at point s: the next distance is w + c with w = z (2 Z_s + z), exactly. The distances that follow
// are a polynomial in w and c, of which a step keeps
//
//   z_k = A_k w + Q_k w^2 + B_k c,  A_{s+1} = B_{s+1} = 1,  Q_{s+1} = 0,
//   A_{k+1} = 2 Z_k A_k,  Q_{k+1} = 2 Z_k Q_k + A_k^2,  B_{k+1} = 2 Z_k B_k + 1.
//
// A step covers the points from s to s + length. What each iteration leaves out must be below its own
// rounding, e |2 Z_k z_k|, for each s < k < s + length and every c of the view, with e the rounding of the
// mantissa. That is z_k^2 without Q, and z_k^2 - (A_k w)^2 with Q, which
//
//   |z_k| <= e |2 Z_k|                      (linear)
//   |Q_k w^2 + B_k c| <= e |2 Z_k| / 4      (quadratic)
//
// ensure. A quadratic step has to ensure also what follows from the linear condition: that the orbit comes no
// closer to zero than z_k within the step, by |A_k w| <= |Z_k| / 16. That the orbit does not escape needs
// |z_k| < (4 - |Z_k|^2) / 8 in addition.
//
// The first iteration is exact, so that a step may start where Z_s is close to zero. Steps therefore begin
// where the reference comes closest to zero (its near-periods): those of the lowest stage at the closest
// eighth of all points, those of each higher stage at the closest quarter of the beginnings of the stage
// below.
//
// Where a reference comes back as close to zero as the distances are after some rounds of a shorter
// near-period, z_k / Z_k is far above e at those points, and no quadratic step covers the rounds. A series
// step does: it joins steps that are valid themselves, and keeps all terms w^i c^j with i + j <= N, 3 for a
// double and 6 for two. At each join, what it leaves out must be below the rounding of |A w| + |B c| for
// every w below its threshold and every c of the view, and |z_k| <= |Z_k| / 16.

/// The steps that begin at a point, shortest first, are contiguous in the tables.
inline constexpr std::uint32_t kHasLonger = 0x80000000;  ///< in `length`: the next entry begins there too

/// When a step may be taken, and where it leads.
template <typename Real>
struct alignas(16) StepHead {
  typename RealBits<Real>::Plain threshold;  ///< of the larger part of w
  std::uint32_t length;                      ///< with kHasLonger
  std::uint32_t next;  ///< the first step that begins at the end; 0 at the end of the orbit
};

/// The map of a step: z = (a + q w) w + b c.
template <typename Real>
struct alignas(16) StepMap {
  Complex<Real> a;
  Complex<Real> q;
  Complex<Real> b;
};

/// The degree of series steps.
template <typename Real>
inline constexpr int kSeriesDegree = 3;
template <>
inline constexpr int kSeriesDegree<DoubleDouble> = 6;

/// The sum of terms[i][j] x^i y^j for 1 <= i + j <= N.
template <typename Real>
struct Series {
  static constexpr int N = kSeriesDegree<Real>;
  Complex<Real> terms[N + 1][N + 1];

  /// slopes[k - 1] is the k-th derivative by x, divided by k!, for k up to kSlopes.
  template <int kSlopes>
  LOOM_HOST_DEVICE Complex<Real> at(Complex<Real> x, Complex<Real> y,
                                    Complex<Real> (&slopes)[kSlopes]) const {
    Complex<Real> z = terms[N][0];
    for (Complex<Real>& slope : slopes) slope = {0, 0};
#if defined(__CUDA_ARCH__)
#pragma unroll(N > 3 ? 1 : N)  // two doubles would take too many registers
#endif
    for (int i = N - 1; i >= 0; --i) {
      for (int k = kSlopes - 1; k > 0; --k) slopes[k] = multiply_add(slopes[k], x, slopes[k - 1]);
      slopes[0] = multiply_add(slopes[0], x, z);
      Complex<Real> term = terms[i][N - i];
#if defined(__CUDA_ARCH__)
#pragma unroll(N > 3 ? 1 : N)
#endif
      for (int j = N - i - 1; j > 0; --j) term = multiply_add(term, y, terms[i][j]);
      z = multiply_add(z, x, i == 0 ? multiply(term, y) : multiply_add(term, y, terms[i][0]));
    }
    return z;
  }
};

/// A series step: z is its series of x = unit w and y = c_unit c, powers of two for which |x| <= 1 and |y|
/// <= 1.
template <typename Real>
struct alignas(16) SeriesStep {
  typename RealBits<Real>::Plain threshold;  ///< of the larger part of w
  typename RealBits<Real>::Plain unit;
  std::uint32_t length;  ///< with kHasShorter
  std::uint32_t next;    ///< as in StepHead
  Series<Real> series;
};

inline constexpr std::uint32_t kNoSeries = 0xffffffff;
/// In the `length` of a series step: the next entry begins there too and is shorter. Orbits mostly take the
/// longest one.
inline constexpr std::uint32_t kHasShorter = kHasLonger;

/// The same where distances are out of the range of Real, without q.
struct alignas(16) WideStepHead {
  std::int32_t exponent;  ///< that of w must be less
  std::uint32_t length;
  std::uint32_t next;
  std::uint32_t tiny;  ///< the entry of the tiny point where the step begins, or kNotTiny
};
inline constexpr std::uint32_t kNotTiny = 0xffffffff;

template <typename Real>
struct alignas(16) WideStepMap {
  Complex<Real> a;
  Complex<Real> b;
  std::int32_t a_exponent;
  std::int32_t b_exponent;
};

/// A tiny point of the reference orbit in an evaluator's mantissa.
template <typename Real>
struct alignas(16) TinyValue {
  std::uint32_t index;
  std::int32_t exponent;
  Complex<Real> value;
};

/// An edge point (EdgePoint) in an evaluator's mantissa.
template <typename Real>
struct EdgeValue {
  std::uint32_t index;
  FloatExp<Real> margin;
};

/// Ranges of distances. Below kLow the product w is left to the exponent; from kHigh on Real suffices. A c
/// below the range of Real is far below the rounding of any w that is larger than kLow.
template <typename Real>
struct DistanceRange;
template <>
struct DistanceRange<float> {
  static constexpr int kLow = -80;
  static constexpr int kHigh = -72;
};
template <>
struct DistanceRange<double> {
  static constexpr int kLow = -900;
  static constexpr int kHigh = -880;
};
template <>
struct DistanceRange<DoubleDouble> : DistanceRange<double> {};

/// A step with the mantissa of Real, double or DoubleDouble, from which the tables of all types are made.
template <typename Real = double>
struct OrbitStep {
  std::uint32_t start = 0;
  std::uint32_t length = 0;
  std::uint32_t next = 0;
  bool has_longer = false;
  ComplexExp<Real> a;
  ComplexExp<Real> q;
  ComplexExp<Real> b;
  // Thresholds of |w|; zero if the step may never be taken.
  FloatExp<double> threshold;            ///< without q
  FloatExp<double> quadratic_threshold;  ///< with q
};

/// A series step, from which the tables are made.
template <typename Real>
struct OrbitSeries {
  std::uint32_t first = 0;  ///< the first of the steps that begin where it does
  std::uint32_t length = 0;
  std::uint32_t next = 0;
  std::int32_t exponent = 0;  ///< |w| is below 2^exponent
  Series<Real> series;        ///< in units of that and of c_exponent_of()
};
/// The exponent of the unit of c in series, for c up to `radius`. In a Julia set c is 0, and the unit only
/// has to keep its terms, slopes of up to 1 / width, in the range of double.
inline std::int32_t c_exponent_of(FloatExp<double> radius) {
  constexpr std::int32_t kOfZero = -900;
  return radius.is_zero() ? kOfZero : radius.exponent + 1;
}

/// The steps over a reference orbit for c at most `radius` from its own, for mantissas with rounding
/// 2^-`bits`. Entry 0 begins at point 0; some begin at the orbit's `first`, if it has more than one point
/// from there on. `series`, if it is not null, gets those steps that are longer than the others where they
/// may be taken, by beginning, longest first.
template <typename Real = double>
UnsetArray<OrbitStep<Real>> make_orbit_steps(const ReferenceOrbit& orbit, FloatExp<double> radius, int bits,
                                             std::vector<OrbitSeries<Real>>* series = nullptr);

}  // namespace loom
