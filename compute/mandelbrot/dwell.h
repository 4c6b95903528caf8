#pragma once

#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/mandelbrot/complex.h"
#include "compute/mandelbrot/formula.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/rounded.h"

namespace loom {

/// The coordinates of the pixels of one axis: pixel i is at low + i extent / size. Each operation is rounded
/// once, in this order; i and size are exact (at most 2^20). The extent is computed in double first.
template <typename Real>
struct PointAxis {
  Real low;
  Real extent;
  Real size;
  LOOM_HOST_DEVICE Real at(std::uint32_t i) const {
    return rounded_add(low, rounded_divide(rounded_multiply(static_cast<Real>(i), extent), size));
  }
};

// An evaluator computes the dwells of a view's pixels. Every method of every backend is a template of it:
// - dwell_at(x, y, limit): the dwell of a pixel;
// - smooth_at(x, y, dwell): its smooth dwell, for a dwell below the limit that is known;
// - Value: the type of its numbers;
// - kKnowsPoint: whether the pixel's point itself is known as a Complex<Value>, by at(x, y), which is
//   point_of({re.at(x), im.at(y)}). Only then orbits can be iterated in strides, tested for known interior,
//   for cycles and for mirrored rows: plain_dwell() is the dwell of a point by the plain loop,
//   stays_escaped_within() as stays_escaped();
// - kKnowsInterior: whether is_known_interior() holds for these points;
// - kEstimatesError: dwell_at() adds to a list of uncertain pixels;
// - kLeavesLongOrbits: dwell_unless_long() can leave a pixel. (With exponents a length of the
//   reference takes a step or two, and the search more than it saves.)
// Evaluators are plain data for kernels. Models: Direct (the Mandelbrot set in a view that is not turned),
// DirectFormula (all other sets and views), and Perturbed (compute/perturbation/perturbed.h).

/// An orbit in progress: its value after `count` steps without an escape.
template <typename Real>
struct Orbit {
  Complex<Real> z;
  std::uint32_t count;
};

/// How a part of an orbit is run.
struct OrbitRun {
  std::uint32_t end = 0;    ///< steps until it is left, a multiple of the steps of a stride or the limit
  std::uint32_t limit = 0;  ///< steps until it ends
  bool strides = false;     ///< in strides, if stays_escaped()
  bool stays = false;       ///< stays_escaped() is known to hold
  bool periodicity = false;
};

/// The points of a view that is not turned, in the arithmetic of Real, iterated as they are.
template <typename Real>
struct Direct {
  using Value = Real;
  static constexpr bool kKnowsPoint = true;
  static constexpr bool kKnowsInterior = true;
  static constexpr bool kEstimatesError = false;
  static constexpr bool kLeavesLongOrbits = false;
  PointAxis<Real> re;
  PointAxis<Real> im;
  /// The point at these coordinates of the axes.
  LOOM_HOST_DEVICE Complex<Real> point_of(Complex<Real> axes) const { return axes; }
  LOOM_HOST_DEVICE Complex<Real> at(std::uint32_t x, std::uint32_t y) const { return {re.at(x), im.at(y)}; }
  LOOM_HOST_DEVICE std::uint32_t dwell_at(std::uint32_t x, std::uint32_t y, std::uint32_t limit) const;
  LOOM_HOST_DEVICE float smooth_at(std::uint32_t x, std::uint32_t y, std::uint32_t dwell) const;
  LOOM_HOST_DEVICE std::uint32_t plain_dwell(Complex<Real> point, std::uint32_t limit) const;
  /// Whether stays_escaped() holds for all points whose coordinates of the axes are no larger.
  LOOM_HOST_DEVICE bool stays_escaped_within(Complex<Real> furthest) const;
};

template <typename Real>
Direct<Real> make_direct(const MandelbrotView& view) {
  const auto axis = [](double low, double high, std::uint32_t size) {
    return PointAxis<Real>{static_cast<Real>(low), static_cast<Real>(high - low), static_cast<Real>(size)};
  };
  return {axis(view.window.re_min, view.window.re_max, view.width),
          axis(view.window.im_min, view.window.im_max, view.height)};
}

/// The points of a view as first points of the orbits of any set, whose formula is selected at run time,
/// outside of the loops. Its functions are calls, so that the loops of all formulas are compiled once and not
/// for each place of each kernel. In a turned view the axes are distances from the centre, and the point is
/// centre + (dx + i dy) turn, each operation rounded once.
template <typename Real>
struct DirectFormula {
  using Value = Real;
  static constexpr bool kKnowsPoint = true;
  static constexpr bool kKnowsInterior = false;
  static constexpr bool kEstimatesError = false;
  static constexpr bool kLeavesLongOrbits = false;
  PointAxis<Real> re;
  PointAxis<Real> im;
  Complex<Real> c;  ///< of a Julia set
  Formula formula;
  std::uint8_t power;
  bool is_julia;
  bool is_turned;
  Complex<Real> centre;  ///< if it is turned
  Complex<Real> turn;
  LOOM_HOST_DEVICE Complex<Real> point_of(Complex<Real> axes) const {
    if (!is_turned) return axes;
    return {rounded_add(centre.re, rounded_subtract(rounded_multiply(axes.re, turn.re),
                                                    rounded_multiply(axes.im, turn.im))),
            rounded_add(centre.im,
                        rounded_add(rounded_multiply(axes.re, turn.im), rounded_multiply(axes.im, turn.re)))};
  }
  LOOM_HOST_DEVICE Complex<Real> at(std::uint32_t x, std::uint32_t y) const {
    return point_of({re.at(x), im.at(y)});
  }
  LOOM_HOST_DEVICE Complex<Real> parameter_of(Complex<Real> point) const { return is_julia ? c : point; }
  LOOM_HOST_DEVICE std::uint32_t dwell_at(std::uint32_t x, std::uint32_t y, std::uint32_t limit) const;
  LOOM_HOST_DEVICE float smooth_at(std::uint32_t x, std::uint32_t y, std::uint32_t dwell) const;
  LOOM_HOST_DEVICE std::uint32_t plain_dwell(Complex<Real> point, std::uint32_t limit) const;
  LOOM_HOST_DEVICE bool stays_escaped_within(Complex<Real> furthest) const;
  /// Continues the orbit of a point. Returns whether it has ended, which is certain if `how.end` is the
  /// limit.
  LOOM_HOST_DEVICE bool run(Orbit<Real>& orbit, Complex<Real> point, const OrbitRun& how) const;
};

template <typename Real>
DirectFormula<Real> make_direct(const EscapeTimeSet& set, const MandelbrotView& view) {
  const auto& [re_min, re_max, im_min, im_max] = view.window;
  const auto rounded = [](double re, double im) {
    return Complex<Real>{static_cast<Real>(re), static_cast<Real>(im)};
  };
  Direct<Real> points = make_direct<Real>(view);
  if (view.is_turned()) {
    points.re.low = static_cast<Real>((re_min - re_max) / 2);
    points.im.low = static_cast<Real>((im_min - im_max) / 2);
  }
  const JuliaPoint c = set.julia.value_or(JuliaPoint{});
  const Complex<double> turn = direction_of(view.angle);
  return {points.re,
          points.im,
          rounded(c.re, c.im),
          set.formula,
          static_cast<std::uint8_t>(set.power),
          set.julia.has_value(),
          view.is_turned(),
          rounded((re_min + re_max) / 2, (im_min + im_max) / 2),
          rounded(turn.re, turn.im)};
}

/// One step of an orbit of the Mandelbrot set.
template <typename Real>
LOOM_HOST_DEVICE Complex<Real> next_point(Complex<Real> z, Real square_x, Real square_y, Complex<Real> c) {
  return SquareStep::next(z, square_x, square_y, c);
}

// Step is the formula's step (formula.h).

/// Continues an orbit that is at z after `count` <= limit steps.
template <typename Step = SquareStep, typename Real>
LOOM_HOST_DEVICE std::uint32_t continue_dwell(Complex<Real> z, Complex<Real> c, std::uint32_t count,
                                              std::uint32_t limit) {
  while (count < limit) {
    const Real square_x = rounded_multiply(z.re, z.re);
    const Real square_y = rounded_multiply(z.im, z.im);
    if (!(rounded_add(square_x, square_y) < Real{4})) break;
    z = Step::next(z, square_x, square_y, c);
    ++count;
  }
  return count;
}

/// The dwell of c: z starts at c, and steps are counted while the count < limit and |z|^2 < 4, with |z|^2 = x
/// x + y y, every operation rounded once. The result is 0..limit; limit means that the orbit did not escape.
/// This loop is the definition that every other form is checked against.
template <typename Real>
LOOM_HOST_DEVICE std::uint32_t dwell(Complex<Real> c, std::uint32_t limit) {
  return continue_dwell(c, c, 0, limit);
}

template <typename Real>
LOOM_HOST_DEVICE std::uint32_t Direct<Real>::dwell_at(std::uint32_t x, std::uint32_t y,
                                                      std::uint32_t limit) const {
  return dwell(at(x, y), limit);
}

/// continue_dwell() from the start with eight steps per loop iteration. Each step is tested; only the count
/// is updated at the end of the iteration.
template <typename Step = SquareStep, typename Real>
LOOM_HOST_DEVICE std::uint32_t unrolled_dwell(Complex<Real> z, Complex<Real> c, std::uint32_t limit) {
  constexpr std::uint32_t kSteps = 8;
  std::uint32_t count = 0;
  for (; limit - count >= kSteps; count += kSteps) {
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (std::uint32_t i = 0; i < kSteps; ++i) {
      const Real square_x = rounded_multiply(z.re, z.re);
      const Real square_y = rounded_multiply(z.im, z.im);
      if (!(rounded_add(square_x, square_y) < Real{4})) return count + i;
      z = Step::next(z, square_x, square_y, c);
    }
  }
  return continue_dwell<Step>(z, c, count, limit);
}

/// Steps between two escape tests, for orbits that are iterated in strides.
inline constexpr std::uint32_t kStride = 8;

/// The stride for orbits that have run long: the saved tests outweigh the longer last stride.
inline constexpr std::uint32_t kLongStride = 16;

/// Steps between two tests for a cycle, which are rare.
inline constexpr std::uint32_t kStepsToCircles = 32;

/// Whether an escaped orbit of c moves outwards forever: once |z|^2 >= 4 with |c|^2 < 3.99, the next |z| is
/// at least |z|^2 - |c| > 2 + 2^-10, far above the effect of rounding, and so on to infinity or NaN.
template <typename Real>
LOOM_HOST_DEVICE bool stays_escaped(Complex<Real> c) {
  return rounded_add(rounded_multiply(c.re, c.re), rounded_multiply(c.im, c.im)) < static_cast<Real>(3.99);
}

/// An orbit that is iterated in strides of kSteps: its current value, and its values at the beginning and in
/// the middle of its last stride.
template <std::uint32_t kSteps, typename Step, typename Real>
struct StridingOrbit {
  Complex<Real> z;
  Complex<Real> begin;
  Complex<Real> middle;

  /// Continues for up to `strides` > 0 strides, for a c with stays_escaped(). Tests for an escape at the end
  /// of each stride. Returns whether the orbit escaped in the last stride that was run; `strides` is then the
  /// number that was left before that stride.
  LOOM_HOST_DEVICE bool run(Complex<Real> c, std::uint32_t& strides) {
    Real square_x = rounded_multiply(z.re, z.re);
    Real square_y = rounded_multiply(z.im, z.im);
    const auto half_stride = [&](Complex<Real> from) {
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
      for (std::uint32_t i = 0; i < kSteps / 2; ++i) {
        from = Step::next(from, square_x, square_y, c);
        square_x = rounded_multiply(from.re, from.re);
        square_y = rounded_multiply(from.im, from.im);
      }
      return from;
    };
    bool escaped = false;
    do {
      begin = z;
      middle = half_stride(z);
      z = half_stride(middle);
      escaped = !(rounded_add(square_x, square_y) < Real{4});
      --strides;
    } while (!escaped && strides != 0);
    strides += escaped ? 1 : 0;
    return escaped;
  }

  /// After an escape: the number of steps of the last stride before it.
  LOOM_HOST_DEVICE std::uint32_t steps_to_escape(Complex<Real> c) const {
    const auto is_within = [](Complex<Real> at) {
      return rounded_add(rounded_multiply(at.re, at.re), rounded_multiply(at.im, at.im)) < Real{4};
    };
    // In the half with the escape, the first value has not escaped and the value after its last step has.
    const bool later = is_within(middle);
    Complex<Real> at = later ? middle : begin;
    std::uint32_t steps = later ? kSteps / 2 + 1 : 1;
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (std::uint32_t i = 1; i < kSteps / 2; ++i) {
      at = Step::next(at, rounded_multiply(at.re, at.re), rounded_multiply(at.im, at.im), c);
      steps += is_within(at) ? 1 : 0;
    }
    return steps;
  }
};

/// Continues an orbit within |z| < 2, whose c must have stays_escaped(), until it ends or reaches `end` <=
/// limit steps; `end` is a multiple of kSteps or the limit itself. Returns whether it has ended; its count is
/// then the dwell. The dwells equal those of dwell():
/// - If a stride ends in an escape, the steps before the escape are counted afterwards.
/// - With kPeriodicity, an orbit that returns exactly to an earlier value is a cycle and never escapes. The
///   test runs every kStepsToCircles steps; the reference value is replaced whenever the number of tests
///   since the start has doubled (Brent's cycle finding).
template <std::uint32_t kSteps, bool kPeriodicity, typename Step = SquareStep, typename Real>
LOOM_HOST_DEVICE bool run_staying_orbit(Orbit<Real>& orbit, Complex<Real> c, std::uint32_t end,
                                        std::uint32_t limit) {
  StridingOrbit<kSteps, Step, Real> striding{orbit.z, orbit.z, orbit.z};
  std::uint32_t left = (end - orbit.count) / kSteps;
  bool escaped = false;
  std::uint32_t count = orbit.count + left * kSteps;  // if none escapes
  if constexpr (!kPeriodicity) {
    if (left != 0) escaped = striding.run(c, left);
  } else {
    constexpr std::uint32_t kStridesToCircles = kStepsToCircles / kSteps;
    Complex<Real> earlier = orbit.z;
    std::uint32_t looks = 0;
    std::uint32_t renew = 1;
    while (left != 0) {
      const std::uint32_t done = (count - left * kSteps) / kSteps;
      const std::uint32_t to_look = kStridesToCircles - done % kStridesToCircles;
      const std::uint32_t after = left < to_look ? 0 : left - to_look;
      std::uint32_t part = left - after;
      escaped = striding.run(c, part);
      left = after + part;
      if (escaped) break;
      if ((count - left * kSteps) % kStepsToCircles == 0) {
        if (striding.z.re == earlier.re && striding.z.im == earlier.im) {
          orbit.count = limit;
          return true;
        }
        if (++looks == renew) {
          earlier = striding.z;
          renew *= 2;
        }
      }
    }
  }
  // After the loop, so that lanes of a warp that escape in different strides count their steps together.
  if (escaped) {
    orbit.count = count - left * kSteps + striding.steps_to_escape(c);
    return true;
  }
  orbit.z = striding.z;
  orbit.count = count;
  if (limit - count >= kSteps) return false;
  orbit.count = continue_dwell<Step>(striding.z, c, count, limit);
  return true;
}

template <typename Real>
LOOM_HOST_DEVICE std::uint32_t Direct<Real>::plain_dwell(Complex<Real> point, std::uint32_t limit) const {
  return unrolled_dwell(point, point, limit);
}

template <typename Real>
LOOM_HOST_DEVICE bool Direct<Real>::stays_escaped_within(Complex<Real> furthest) const {
  return stays_escaped(furthest);
}

/// The dwell by the plain loop of a formula.
template <typename Real>
LOOM_HOST_DEVICE_CALL std::uint32_t plain_formula_dwell(Formula formula, std::uint32_t power, Complex<Real> z,
                                                        Complex<Real> c, std::uint32_t limit) {
  return with_step(formula, power, [&](auto step) { return unrolled_dwell<decltype(step)>(z, c, limit); });
}

/// A part of an orbit, and whether it has ended.
template <typename Real>
struct OrbitPart {
  Orbit<Real> orbit;
  bool ended;
};
template <typename Real>
LOOM_HOST_DEVICE_CALL OrbitPart<Real> run_formula(Formula formula, std::uint32_t power, Orbit<Real> orbit,
                                                  Complex<Real> c, OrbitRun how) {
  return with_step(formula, power, [&](auto step) {
    using Step = decltype(step);
    OrbitPart<Real> part{orbit, true};
    // The first point of a Julia set's orbit may lie outside.
    const bool within = rounded_add(rounded_multiply(orbit.z.re, orbit.z.re),
                                    rounded_multiply(orbit.z.im, orbit.z.im)) < Real{4};
    if (how.strides && within && (how.stays || stays_escaped(c))) {
      part.ended = how.periodicity
                       ? run_staying_orbit<kStride, true, Step>(part.orbit, c, how.end, how.limit)
                       : run_staying_orbit<kStride, false, Step>(part.orbit, c, how.end, how.limit);
    } else {
      part.orbit.count = continue_dwell<Step>(orbit.z, c, orbit.count, how.limit);
    }
    return part;
  });
}

template <typename Real>
LOOM_HOST_DEVICE std::uint32_t DirectFormula<Real>::plain_dwell(Complex<Real> point,
                                                                std::uint32_t limit) const {
  return plain_formula_dwell(formula, power, point, parameter_of(point), limit);
}

template <typename Real>
LOOM_HOST_DEVICE std::uint32_t DirectFormula<Real>::dwell_at(std::uint32_t x, std::uint32_t y,
                                                             std::uint32_t limit) const {
  return plain_dwell(at(x, y), limit);
}

template <typename Real>
LOOM_HOST_DEVICE bool DirectFormula<Real>::stays_escaped_within(Complex<Real> furthest) const {
  return (is_julia || !is_turned) && stays_escaped(parameter_of(furthest));
}

template <typename Real>
LOOM_HOST_DEVICE bool DirectFormula<Real>::run(Orbit<Real>& orbit, Complex<Real> point,
                                               const OrbitRun& how) const {
  const OrbitPart<Real> part = run_formula(formula, power, orbit, parameter_of(point), how);
  orbit = part.orbit;
  return part.ended;
}

/// run_orbit() for any c: the few points without stays_escaped() use the plain loop to their end.
template <typename Real>
LOOM_HOST_DEVICE bool run_orbit(Orbit<Real>& orbit, Complex<Real> c, std::uint32_t end, std::uint32_t limit,
                                bool periodicity) {
  if (stays_escaped(c)) {
    return periodicity ? run_staying_orbit<kStride, true>(orbit, c, end, limit)
                       : run_staying_orbit<kStride, false>(orbit, c, end, limit);
  }
  orbit.count = continue_dwell(orbit.z, c, orbit.count, limit);
  return true;
}

/// The dwell of c by run_orbit().
template <typename Real>
LOOM_HOST_DEVICE std::uint32_t dwell_by_strides(Complex<Real> c, std::uint32_t limit, bool periodicity) {
  Orbit<Real> orbit{c, 0};
  run_orbit(orbit, c, limit, limit, periodicity);
  return orbit.count;
}

}  // namespace loom
