#pragma once

#include <cmath>
#include <cstdint>

#include "compute/mandelbrot/dwell.h"

namespace loom {

/// Additional steps after the dwell before the logarithms are computed: enough that the seams between dwells
/// are not visible.
inline constexpr int kSmoothMoreSteps = 3;
/// The same for a formula of any degree, whose points must stay within the range of float.
LOOM_HOST_DEVICE constexpr int smooth_more_steps(std::uint32_t degree) {
  return degree == 2 ? kSmoothMoreSteps : degree == 3 ? 2 : degree == 8 ? 0 : 1;
}

/// The smooth dwell from the orbit's point kSmoothMoreSteps steps after the dwell: m - log2(log2 |z_m|) for m
/// steps. 0 if that is negative (far outside); the dwell itself if the point has not escaped or is too large
/// for float.
LOOM_HOST_DEVICE float smooth_from(std::uint32_t dwell, float re, float im) {
  const float length = 0.5f * std::log2(re * re + im * im);
  const float smooth = static_cast<float>(dwell + kSmoothMoreSteps) - std::log2(length);
  return std::isfinite(smooth) ? std::fmax(smooth, 0.0f) : static_cast<float>(dwell);
}

/// smooth_from() for a formula of any degree d, with smooth_more_steps(): m - log_d(log2 |z_m|).
template <std::uint32_t kDegree>
LOOM_HOST_DEVICE float smooth_from(std::uint32_t dwell, float re, float im) {
  if constexpr (kDegree == 2) {
    return smooth_from(dwell, re, im);
  } else {
    const float length = 0.5f * std::log2(re * re + im * im);
    const float smooth = static_cast<float>(dwell + smooth_more_steps(kDegree)) -
                         std::log2(length) / std::log2(static_cast<float>(kDegree));
    return std::isfinite(smooth) ? std::fmax(smooth, 0.0f) : static_cast<float>(dwell);
  }
}

/// The smooth dwell of the orbit of z whose dwell is known and below the limit.
template <typename Step = SquareStep, typename Real>
LOOM_HOST_DEVICE float smooth_after(Complex<Real> z, Complex<Real> c, std::uint32_t dwell) {
  for (std::uint32_t step = 0; step < dwell + smooth_more_steps(Step::kDegree); ++step) {
    z = Step::next(z, rounded_multiply(z.re, z.re), rounded_multiply(z.im, z.im), c);
  }
  return smooth_from<Step::kDegree>(dwell, static_cast<float>(z.re), static_cast<float>(z.im));
}

template <typename Real>
LOOM_HOST_DEVICE float Direct<Real>::smooth_at(std::uint32_t x, std::uint32_t y, std::uint32_t dwell) const {
  const Complex<Real> c = at(x, y);
  return smooth_after(c, c, dwell);
}

template <typename Real>
LOOM_HOST_DEVICE float DirectFormula<Real>::smooth_at(std::uint32_t x, std::uint32_t y,
                                                      std::uint32_t dwell) const {
  const Complex<Real> point = at(x, y);
  return with_step(formula, power, [&](auto step) {
    return smooth_after<decltype(step)>(point, parameter_of(point), dwell);
  });
}

/// The number of binary digits behind the point of the smooth dwells of an image: 16, or as many as 32 bits
/// have room for if the limit is above 65535.
LOOM_HOST_DEVICE int smooth_digits(std::uint32_t limit) {
  int digits = 16;
  while ((limit >> (32 - digits)) != 0) --digits;
  return digits;
}

/// The smooth dwell of an escaping point in units of 2^-smooth_digits(), as an image holds it: below the
/// limit, which is limit * 2^smooth_digits().
LOOM_HOST_DEVICE std::uint32_t smooth_fixed(float smooth, std::uint32_t limit) {
  const double unit = static_cast<double>(1u << smooth_digits(limit));
  const double most = static_cast<double>(limit) * unit - 1;
  const double fixed = static_cast<double>(smooth) * unit;
  return static_cast<std::uint32_t>(fixed < most ? fixed : most);
}

/// The dwell as a continuous number, within about one of the dwell; equal to the dwell where |z| = 2. `limit`
/// if the orbit does not escape.
template <typename Real>
float smooth_dwell(Complex<Real> c, std::uint32_t limit) {
  const std::uint32_t whole = dwell(c, limit);
  if (whole >= limit) return static_cast<float>(limit);
  return smooth_after(c, c, whole);
}

}  // namespace loom
