#pragma once

#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/rounded.h"

namespace loom {

template <typename Real>
struct Complex {
  Real re;
  Real im;
};

/// Where the pixels of one axis lie: pixel i is at low + i extent / size. Each operation is rounded once, in
/// this order; i and size are exact (at most 2^20). The extent is taken in double first.
template <typename Real>
struct PointAxis {
  Real low;
  Real extent;
  Real size;
  LOOM_HOST_DEVICE Real at(std::uint32_t i) const {
    return rounded_add(low, rounded_divide(rounded_multiply(static_cast<Real>(i), extent), size));
  }
};

/// The points of a view in the arithmetic of Real.
template <typename Real>
struct PointGrid {
  PointAxis<Real> re;
  PointAxis<Real> im;
  LOOM_HOST_DEVICE Complex<Real> at(std::uint32_t x, std::uint32_t y) const { return {re.at(x), im.at(y)}; }
};

template <typename Real>
PointGrid<Real> make_point_grid(const MandelbrotView& view) {
  const auto axis = [](double low, double high, std::uint32_t size) {
    return PointAxis<Real>{static_cast<Real>(low), static_cast<Real>(high - low), static_cast<Real>(size)};
  };
  return {axis(view.window.re_min, view.window.re_max, view.width),
          axis(view.window.im_min, view.window.im_max, view.height)};
}

/// One step of an orbit: z <- z^2 + c as ((x x - y y) + re, 2 (x y) + im), every operation rounded once.
/// `square_x` and `square_y` are x x and y y, rounded.
template <typename Real>
LOOM_HOST_DEVICE Complex<Real> next_point(Complex<Real> z, Real square_x, Real square_y, Complex<Real> c) {
  return {rounded_add(rounded_subtract(square_x, square_y), c.re),
          rounded_double_add(rounded_multiply(z.re, z.im), c.im)};
}

/// Goes on with an orbit that stands at z after `count` <= limit steps.
template <typename Real>
LOOM_HOST_DEVICE std::uint32_t continue_dwell(Complex<Real> z, Complex<Real> c, std::uint32_t count,
                                              std::uint32_t limit) {
  while (count < limit) {
    const Real square_x = rounded_multiply(z.re, z.re);
    const Real square_y = rounded_multiply(z.im, z.im);
    if (!(rounded_add(square_x, square_y) < Real{4})) break;
    z = next_point(z, square_x, square_y, c);
    ++count;
  }
  return count;
}

/// The dwell of c: z starts at c, and steps are counted while the count < limit and |z|^2 < 4, with |z|^2 =
/// x x + y y, every operation rounded once. 0..limit; at the limit the orbit did not escape. This loop is the
/// definition that every other form is checked against.
template <typename Real>
LOOM_HOST_DEVICE std::uint32_t dwell(Complex<Real> c, std::uint32_t limit) {
  return continue_dwell(c, c, 0, limit);
}

/// The same dwell, sooner.
/// - Points of the interior: an orbit that comes back to an earlier value exactly runs in a circle, and so
/// never
///   escapes. The value to come back to is renewed at each power of two (Brent's cycle finding), and looked
///   for every kStride steps.
/// - Escapes are looked for at the same steps: once |z|^2 >= 4 with |c|^2 < 3.99, |z| only grows (the next
/// one
///   is at least |z|^2 - |c| > 2 + 2^-10, far above what rounding takes away), to infinity or NaN at last.
///   The stride in which it happened is then walked again step by step. The few points with a larger |c| are
///   left to the plain loop.
template <typename Real>
LOOM_HOST_DEVICE std::uint32_t dwell_with_periodicity(Complex<Real> c, std::uint32_t limit) {
  constexpr std::uint32_t kStride = 8;
  constexpr Real kGrowsFor = static_cast<Real>(3.99);
  if (!(rounded_add(rounded_multiply(c.re, c.re), rounded_multiply(c.im, c.im)) < kGrowsFor)) {
    return dwell(c, limit);
  }
  Complex<Real> z = c;
  Complex<Real> earlier = c;
  std::uint32_t renew = kStride;
  std::uint32_t count = 0;
  while (limit - count >= kStride) {
    const Complex<Real> start = z;
    Real square_x = rounded_multiply(z.re, z.re);
    Real square_y = rounded_multiply(z.im, z.im);
    for (std::uint32_t i = 0; i < kStride; ++i) {
      z = next_point(z, square_x, square_y, c);
      square_x = rounded_multiply(z.re, z.re);
      square_y = rounded_multiply(z.im, z.im);
    }
    if (!(rounded_add(square_x, square_y) < Real{4})) {
      z = start;
      break;
    }
    count += kStride;
    if (z.re == earlier.re && z.im == earlier.im) return limit;
    if (count == renew) {
      earlier = z;
      renew *= 2;
    }
  }
  return continue_dwell(z, c, count, limit);
}

}  // namespace loom
