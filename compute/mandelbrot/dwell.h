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

/// dwell(), eight steps a turn of the loop: each is looked at, only counting waits for the turn's end.
template <typename Real>
LOOM_HOST_DEVICE std::uint32_t unrolled_dwell(Complex<Real> c, std::uint32_t limit) {
  constexpr std::uint32_t kSteps = 8;
  Complex<Real> z = c;
  std::uint32_t count = 0;
  for (; limit - count >= kSteps; count += kSteps) {
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (std::uint32_t i = 0; i < kSteps; ++i) {
      const Real square_x = rounded_multiply(z.re, z.re);
      const Real square_y = rounded_multiply(z.im, z.im);
      if (!(rounded_add(square_x, square_y) < Real{4})) return count + i;
      z = next_point(z, square_x, square_y, c);
    }
  }
  return continue_dwell(z, c, count, limit);
}

/// Steps between two looks at whether an orbit has ended, where it runs in strides.
inline constexpr std::uint32_t kStride = 8;

/// Strides between two looks at whether it runs in a circle: a look costs a twentieth of a stride, and what
/// it finds is seldom.
inline constexpr std::uint32_t kStridesToCircles = 4;

/// An orbit on its way: where it stands after `count` steps, none of them an escape.
template <typename Real>
struct Orbit {
  Complex<Real> z;
  std::uint32_t count;
};

/// Goes on with the orbit of c until it ends or has come to `end` <= limit steps, a multiple of kStride or
/// the limit itself. Returns whether it has ended; its count is then the dwell. The dwells are dwell()'s:
/// - Escapes are looked for at the end of each stride. Once |z|^2 >= 4 with |c|^2 < 3.99, |z| only grows (the
///   next one is at least |z|^2 - |c| > 2 + 2^-10, far above what rounding takes away), to infinity or NaN at
///   last, so that the steps of the last stride before the escape can be counted afterwards. The few points
///   with a larger |c| are left to the plain loop.
/// - With `periodicity` an orbit that comes back to an earlier value exactly runs in a circle and never
///   escapes. It is looked for every kStridesToCircles strides; the value to come back to is renewed whenever
///   the looks since the start have doubled (Brent's cycle finding).
template <typename Real>
LOOM_HOST_DEVICE bool run_orbit(Orbit<Real>& orbit, Complex<Real> c, std::uint32_t end, std::uint32_t limit,
                                bool periodicity) {
  constexpr Real kGrowsFor = static_cast<Real>(3.99);
  if (!(rounded_add(rounded_multiply(c.re, c.re), rounded_multiply(c.im, c.im)) < kGrowsFor)) {
    orbit.count = continue_dwell(orbit.z, c, orbit.count, limit);
    return true;
  }
  Complex<Real> z = orbit.z;
  Complex<Real> earlier = z;
  Complex<Real> start = z;  // of the last stride
  std::uint32_t count = orbit.count;
  std::uint32_t looks = 0;
  std::uint32_t renew = 1;
  bool escaped = false;
  while (count < end && limit - count >= kStride) {
    start = z;
    Real square_x = rounded_multiply(z.re, z.re);
    Real square_y = rounded_multiply(z.im, z.im);
    for (std::uint32_t i = 0; i < kStride; ++i) {
      z = next_point(z, square_x, square_y, c);
      square_x = rounded_multiply(z.re, z.re);
      square_y = rounded_multiply(z.im, z.im);
    }
    escaped = !(rounded_add(square_x, square_y) < Real{4});
    if (escaped) break;
    count += kStride;
    if (periodicity && count % (kStride * kStridesToCircles) == 0) {
      if (z.re == earlier.re && z.im == earlier.im) {
        orbit.count = limit;
        return true;
      }
      if (++looks == renew) {
        earlier = z;
        renew *= 2;
      }
    }
  }
  // After the loop, so that the lanes of a warp that escape in different strides count their steps together.
  if (escaped) {
    z = start;
    for (std::uint32_t i = 0; i < kStride; ++i) {
      const Real square_x = rounded_multiply(z.re, z.re);
      const Real square_y = rounded_multiply(z.im, z.im);
      count += rounded_add(square_x, square_y) < Real{4} ? 1 : 0;
      z = next_point(z, square_x, square_y, c);
    }
    orbit.count = count;
    return true;
  }
  orbit.z = z;
  orbit.count = count;
  if (limit - count >= kStride) return false;
  orbit.count = continue_dwell(z, c, count, limit);
  return true;
}

/// The dwell of c as run_orbit() gives it.
template <typename Real>
LOOM_HOST_DEVICE std::uint32_t dwell_by_strides(Complex<Real> c, std::uint32_t limit, bool periodicity) {
  Orbit<Real> orbit{c, 0};
  run_orbit(orbit, c, limit, limit, periodicity);
  return orbit.count;
}

}  // namespace loom
