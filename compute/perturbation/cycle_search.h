#pragma once

#include <cmath>
#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/mandelbrot/complex.h"
#include "compute/mandelbrot/double_double.h"
#include "compute/mandelbrot/float_exp.h"
#include "compute/perturbation/orbit_tracking.h"

// Orbits that never escape, which would otherwise be iterated to the dwell limit
// (docs/explanation/deep-zoom.md, Interiors). Orbit is a Perturbed.

namespace loom {

/// Whether the pixel's map f of `iterations` iterations, from distance z at point 0 to a return to point 0,
/// maps a disc into itself, close to a fixed point that Newton's method finds from z. The fixed point then
/// attracts, and so does it the orbit of 0: the pixel is inside.
template <typename Orbit, typename Real = typename Orbit::Value>
LOOM_HOST_DEVICE bool is_inside(const Orbit& orbit, ComplexExp<Real> z, bool is_wide,
                                std::uint32_t iterations, const typename Orbit::Distance& c) {
  constexpr int kPasses = 12;
  constexpr int kRepelled = 4;  // passes that may find a slope of at least 1
  // Upper bound of what rounding moves f(z), relative to z.
  constexpr int kRounding = -RealBits<Real>::kMantissa + 8;
  using Exp = FloatExp<double>;
  using Disc = DiscTracking<Real>;
  double part = 0;  // the radius of the disc, relative to z
  double divisor = 4;
  for (int pass = 0; pass < kPasses; ++pass) {
    typename Orbit::Progress at;
    at.is_wide = is_wide;
    at.wide_z = z;
    at.z = z.value();
    const Exp size = Disc::length(z);
    const Exp radius = size * Exp(part);
    Disc disc(radius);
    if (orbit.advance(at, c, iterations + 1, iterations, disc) != Orbit::Run::kReturn ||
        at.count != iterations)
      return false;
    const ComplexExp<Real> moved = at.exact_z() - z;
    const Exp rounding = size * Exp(power_of_two<double>(kRounding));
    if (Disc::length(moved) + disc.radius + rounding < radius) return true;
    const Complex<double> slope = disc.slope.value();
    const Complex<double> rest{1 - slope.re, -slope.im};
    const double square = square_of_length(rest);
    const double slope_size = Disc::length(slope);
    // Written so that it also holds if it is not a number.
    if (!(square > 0) || !(slope_size < 1 || pass < kRepelled)) return false;
    // z - (f(z) - z) / (f'(z) - 1)
    z = z + moved * ComplexExp<Real>(Complex<Real>{static_cast<Real>(rest.re / square),
                                                   static_cast<Real>(-rest.im / square)});
    part = slope_size < 1 ? (1 - slope_size) / divisor : 0;
    if (pass > 1) divisor *= 4;
  }
  return false;
}

/// Looks for a cycle in the returns of an orbit to point 0. From there the rest of the orbit depends on its
/// distance z alone.
template <typename Real>
class CycleSearch {
 public:
  enum class Outcome {
    kNone,
    kRepeats,  ///< z has come back bit for bit (Brent's search): the orbit as computed never ends
    kInside,   ///< z has come near, and the pixel is proved to be inside
  };

  /// Takes the next return, at `at`.
  template <typename Orbit>
  LOOM_HOST_DEVICE Outcome add(const Orbit& orbit, const typename Orbit::Progress& at,
                               const typename Orbit::Distance& c) {
    constexpr std::int32_t kNear = 2;  // bits
    const ComplexExp<Real> z = at.exact_z();
    if (returns_ > 0) {
      FloatExp<Real> distance = (z - saved_).larger();
      if (distance.is_zero() && at.is_wide == saved_wide_) return Outcome::kRepeats;
      if (distance < nearest_) {
        // Where one return is near a cycle that repels, a later one may be nearer, after a multiple of it.
        nearest_ = distance;
        nearest_.exponent -= kNear;
        if (is_inside(orbit, z, at.is_wide, at.count - saved_count_, c)) return Outcome::kInside;
      }
    }
    if (++returns_ == save_at_) {
      saved_ = z;
      saved_count_ = at.count;
      saved_wide_ = at.is_wide;
      nearest_ = saved_.larger();
      nearest_.exponent -= kNear;
      save_at_ *= 2;
    }
    return Outcome::kNone;
  }

 private:
  ComplexExp<Real> saved_;
  std::uint32_t saved_count_ = 0;
  bool saved_wide_ = false;
  FloatExp<Real> nearest_;  ///< a distance from saved_ must be less for a proof
  std::uint32_t returns_ = 0;
  std::uint32_t save_at_ = 1;
};

/// Goes on from a return to point 0 with a search.
template <typename Orbit>
LOOM_HOST_DEVICE typename Orbit::Run run_searching(const Orbit& orbit, typename Orbit::Progress& at,
                                                   const typename Orbit::Distance& c, std::uint32_t limit,
                                                   typename Orbit::Tracking& tracking) {
  using Search = CycleSearch<typename Orbit::Value>;
  Search search;
  for (;;) {
    const typename Search::Outcome outcome = search.add(orbit, at, c);
    if (outcome != Search::Outcome::kNone) {
      at.uncertain = outcome == Search::Outcome::kRepeats && tracking.is_lost();
      return Orbit::Run::kLimit;
    }
    const typename Orbit::Run ended = orbit.advance(at, c, limit, 0, tracking);
    if (ended != Orbit::Run::kReturn) return ended;
  }
}

}  // namespace loom
