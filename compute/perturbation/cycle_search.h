#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "compute/core/host_device.h"
#include "compute/mandelbrot/complex.h"
#include "compute/perturbation/orbit_tracking.h"

// Orbits that never escape, which would otherwise be iterated to the dwell limit
// (docs/explanation/deep-zoom.md, Interiors). Orbit is a Perturbed without exponents of its own.

namespace loom {

/// Whether the pixel's map f of `iterations` iterations, from a distance at point 0, maps a disc into itself
/// that is close to `z`, or to a fixed point that Newton's method finds from there. The disc then contains an
/// attracting fixed point, which the orbit of 0 tends to: the pixel is inside. Adds the iterations that
/// this takes to `spent`, which stays below `most`.
template <bool kSeries, typename Orbit, typename Real = typename Orbit::Value>
LOOM_HOST_DEVICE bool is_inside(const Orbit& orbit, Complex<Real> z, std::uint32_t iterations,
                                const typename Orbit::Distance& c, double most, double& spent) {
  constexpr int kPasses = 20;
  constexpr double kBendsMore = 32;
  constexpr double kLongest = 1;  // step, relative to z
  double radius = 0;
  double bend = 0;  // the disc becomes one of radius |f'| r + bend r^2
  for (int pass = 0; pass < kPasses; ++pass) {
    typename Orbit::Progress at;
    at.z = z;
    DiscTracking<Real> disc(radius);
    spent += iterations;
    if (spent > most) return false;
    if (orbit.template advance<kSeries>(at, c, iterations, ~0u, disc) != Orbit::Run::kLimit ||
        at.count != iterations)
      return false;
    const Complex<double> moved = to_double(Complex<Real>{at.z.re - z.re, at.z.im - z.im});
    if (length_of(moved) + disc.radius < radius) return true;
    // z - (f(z) - z) / (f'(z) - 1)
    const Complex<double> rest{1 - disc.slope.re, -disc.slope.im};
    const double square = square_of_length(rest);
    Complex<double> step = multiply(moved, {rest.re, -rest.im});
    step = {step.re / square, step.im / square};
    const double slope = length_of(disc.slope);
    const double size = length_of(to_double(z));
    const double change = length_of(step) / size;
    // Near a cycle that attracts weakly, slopes come to it from above, and steps are too long. Comparisons
    // with what is not a number end the search.
    if (!(slope < 1 + 4 * power_of_two<double>(-pass)) || !(slope - 1 < kBendsMore * change)) return false;
    if (change > kLongest) step = {step.re * (kLongest / change), step.im * (kLongest / change)};
    z = {z.re + static_cast<Real>(step.re), z.im + static_cast<Real>(step.im)};
    if (radius == 0) {
      bend = slope / (2 * size);  // f' is about proportional to z
    } else if (disc.radius < size) {
      bend = (disc.radius / radius - slope) / radius;
    } else {
      bend *= kBendsMore;
    }
    radius = slope < 1 ? (1 - slope) / (2 * bend) : 0;
  }
  return false;
}

/// Looks for a cycle in the returns of an orbit to point 0. From there the rest of the orbit depends on its
/// distance z alone.
template <typename Orbit, bool kSeries>
class CycleSearch {
 public:
  using Real = typename Orbit::Value;
  /// Takes the next return, at distance z after `count` iterations. Whether the orbit never ends: because z
  /// has come back bit for bit (Brent's search), or because the pixel is proved to be inside. That is
  /// tried at returns closer to 0 than all before: the period of an attracting cycle is among those; and
  /// again after eight times as many iterations, when the orbit has come closer to the cycle. Tries take a
  /// limited part of the iterations. An attracting cycle says nothing about the pixels of a Julia set; those
  /// inside come so close to the orbit of 0 that they take long steps.
  LOOM_HOST_DEVICE bool add(const Orbit& orbit, std::uint32_t count, Complex<Real> z,
                            const typename Orbit::Distance& c) {
    constexpr double kFreeLengths = 64;
    constexpr double kMostSpent = 0.2;
    constexpr double kPasses = 4;
    constexpr std::uint64_t kAgain = 8;
    recurs_ = returns_ > 0 && larger_part(Complex<Real>{z.re - saved_.re, z.im - saved_.im}) == 0;
    if (recurs_) return true;
    if (++returns_ == save_at_) {
      saved_ = z;
      save_at_ *= 2;
    }
    if (orbit.first != 0) return false;
    const auto square = static_cast<double>(plain_square(z));
    if (square < least_square_) {
      least_square_ = square;
      least_count_ = count;
      try_at_ = 0;
    }
    if (count < try_at_) return false;
    const double most = kFreeLengths * orbit.length + kMostSpent * count;
    if (spent_ + kPasses * least_count_ > most) return false;
    try_at_ = kAgain * count;
    return is_inside<kSeries>(orbit, z, least_count_, c, most, spent_);
  }
  /// Whether z has come back bit for bit.
  LOOM_HOST_DEVICE bool recurs() const { return recurs_; }

 private:
  Complex<Real> saved_{0, 0};
  double least_square_ = std::numeric_limits<double>::infinity();
  double spent_ = 0;          ///< iterations of tries
  std::uint64_t try_at_ = 0;  ///< iteration
  std::uint32_t least_count_ = 0;
  std::uint32_t returns_ = 0;
  std::uint32_t save_at_ = 1;
  bool recurs_ = false;
};

/// Iterates from the beginning with a search for a cycle. Returns kReturn once goes_on(iterations) is false.
/// kSeries: with series steps, if there are any.
template <bool kSeries = true, typename Orbit, typename GoesOn>
LOOM_HOST_DEVICE typename Orbit::Run run_searching(const Orbit& orbit, typename Orbit::Progress& at,
                                                   const typename Orbit::Distance& c, std::uint32_t limit,
                                                   const GoesOn& goes_on) {
  using Run = typename Orbit::Run;
  at = {};
  typename Orbit::Tracking tracking;
  CycleSearch<Orbit, kSeries> search;
  bool never_ends = false;
  const auto leaves = [&](std::uint32_t count, Complex<typename Orbit::Value> z) {
    never_ends = search.add(orbit, count, z, c);
    return never_ends || !goes_on(count);
  };
  const Run ended = orbit.template advance<kSeries>(at, c, limit, leaves, tracking);
  if (ended != Run::kReturn || !never_ends) return ended;
  at.uncertain = search.recurs() && tracking.is_lost();
  return Run::kLimit;
}

}  // namespace loom
