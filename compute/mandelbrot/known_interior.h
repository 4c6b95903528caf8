#pragma once

#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/mandelbrot/dwell.h"
#include "compute/mandelbrot/rounded.h"

namespace loom {

// Points that are known not to escape without iteration: those in the components of period 1 (the cardioid),
// 2 (the disc) and 3 (a bulb above and one below the cardioid, and the cardioid of the small copy on the real
// axis), whose boundaries have closed forms. In exact arithmetic no point inside escapes. A rounded orbit is
// the orbit of a point that each step's error moves, at most by about 4e-7 in float and 8e-16 in double; it
// stays bounded if the boundary is further away than that. All five components are therefore shrunk by at
// least several times as much. A test compares dwells point by point along the shrunk boundaries
// (tests/host/known_interior_test.cpp).

/// The margins by which the components are shrunk. Powers of two.
template <typename Real>
struct InteriorMargins;
template <>
struct InteriorMargins<float> {
  /// Radius of the cardioid towards its cusp, and square of the disc's radius.
  static constexpr float kRadius = 0x1p-16F;
  /// Square of the radius that is left out around the cardioid's cusp.
  static constexpr float kCusp = 0x1p-13F;
  static constexpr float kBulb = 0x1p-11F;        ///< |multiplier|^2 of the bulbs
  static constexpr float kNeedle = 0x1p-26F;      ///< (1 - |multiplier|^2)^2 |s|^2 of the small cardioid
  static constexpr float kNeedleCusp = 0x1p-12F;  ///< |s|^2 = |7 + 4c| that is left out around its cusp
};
template <>
struct InteriorMargins<double> {
  static constexpr double kRadius = 0x1p-40;
  static constexpr double kCusp = 0x1p-20;
  static constexpr double kBulb = 0x1p-36;
  static constexpr double kNeedle = 0x1p-72;
  static constexpr double kNeedleCusp = 0x1p-20;
};

/// Whether c is in the cardioid or the disc. With q the square of the distance to the cusp at 1/4, the
/// cardioid is q (q + x - 1/4) < y^2 / 4, which means distance < (1 - cos angle) / 2; a multiple of q added
/// on the left therefore moves the boundary towards the cusp by that amount. No branch, so that it
/// vectorizes.
template <typename Real>
LOOM_HOST_DEVICE bool in_heart_or_disc(Complex<Real> c) {
  using Margins = InteriorMargins<Real>;
  const Real from_cusp = rounded_subtract(c.re, static_cast<Real>(0.25));
  const Real y_squared = rounded_multiply(c.im, c.im);
  const Real q = rounded_add(rounded_multiply(from_cusp, from_cusp), y_squared);
  const Real left = rounded_multiply(q, rounded_add(rounded_add(q, from_cusp), Margins::kRadius));
  const bool heart = (left < rounded_multiply(y_squared, static_cast<Real>(0.25))) & (q > Margins::kCusp);
  const Real from_disc = rounded_add(c.re, Real{1});
  const bool disc = rounded_add(rounded_multiply(from_disc, from_disc), y_squared) <
                    static_cast<Real>(0.0625) - Margins::kRadius;
  return heart | disc;
}

/// Whether c is near enough to a component of period 3 for in_period_three().
template <typename Real>
LOOM_HOST_DEVICE bool near_period_three(Complex<Real> c) {
  const Real y = c.im < Real{0} ? -c.im : c.im;
  const bool bulb = (c.re > static_cast<Real>(-0.225)) & (c.re < static_cast<Real>(-0.02)) &
                    (y > static_cast<Real>(0.645)) & (y < static_cast<Real>(0.845));
  const bool needle = (c.re > static_cast<Real>(-1.772)) & (c.re < static_cast<Real>(-1.745)) &
                      (y < static_cast<Real>(0.016));
  return bulb | needle;
}

/// Whether c, with near_period_three(), is in a component of period 3. The multiplier m of its cycle solves
/// w^2 + c w + c^3 + 2 c^2 = 0 with w = 1 - m / 8: m = 8 + 4 c (1 +- s), s^2 = -7 - 4 c, with + on the real
/// axis and - in the bulbs. Interior points have |m| < 1.
template <typename Real>
LOOM_HOST_DEVICE bool in_period_three(Complex<Real> c) {
  using Margins = InteriorMargins<Real>;
  const Real a = rounded_subtract(Real{-7}, rounded_multiply(Real{4}, c.re));
  const Real b = rounded_multiply(Real{-4}, c.im);
  const Real length = rounded_root(rounded_add(rounded_multiply(a, a), rounded_multiply(b, b)));
  const Real half = static_cast<Real>(0.5);
  // The larger part of the root first; the smaller one is b divided by twice the larger.
  const Real size = a < Real{0} ? -a : a;
  const Real larger = rounded_root(rounded_multiply(half, rounded_add(length, size)));
  if (!(larger > Real{0})) return false;
  const Real smaller = rounded_divide(rounded_multiply(half, b), larger);
  const bool negative = b < Real{0};
  // The root with real part >= 0.
  const Real s_re = a < Real{0} ? (negative ? -smaller : smaller) : larger;
  const Real s_im = a < Real{0} ? (negative ? -larger : larger) : smaller;
  const bool needle = c.re < Real{-1};
  const Real t_re = rounded_add(Real{1}, needle ? s_re : -s_re);
  const Real t_im = needle ? s_im : -s_im;
  const Real m_re = rounded_add(
      Real{8}, rounded_multiply(
                   Real{4}, rounded_subtract(rounded_multiply(c.re, t_re), rounded_multiply(c.im, t_im))));
  const Real m_im =
      rounded_multiply(Real{4}, rounded_add(rounded_multiply(c.re, t_im), rounded_multiply(c.im, t_re)));
  const Real left =
      rounded_subtract(Real{1}, rounded_add(rounded_multiply(m_re, m_re), rounded_multiply(m_im, m_im)));
  if (!needle) return left > Margins::kBulb;
  // Near the cusp the multiplier changes as 1 / |s|, |s|^2 = length.
  return left > Real{0} && length > Margins::kNeedleCusp &&
         rounded_multiply(rounded_multiply(left, left), length) > Margins::kNeedle;
}

/// Whether c is known never to escape: its dwell is then the limit, for any limit. The test is sufficient,
/// not necessary.
template <typename Real>
LOOM_HOST_DEVICE bool is_known_interior(Complex<Real> c) {
  return in_heart_or_disc(c) || (near_period_three(c) && in_period_three(c));
}

}  // namespace loom
