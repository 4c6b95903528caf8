#pragma once

#include <cmath>
#include <cstdint>

#include "compute/mandelbrot/dwell.h"

namespace loom {

/// Steps after the dwell before the logarithms are taken: enough that the seams between dwells do not show.
inline constexpr int kSmoothMoreSteps = 3;

/// The smooth dwell from the orbit's point kSmoothMoreSteps steps after the dwell: m - log2(log2 |z_m|) for m
/// steps; 0 where that is negative (far outside), and the dwell itself where the point is not outside after
/// all or too far for float.
LOOM_HOST_DEVICE float smooth_from(std::uint32_t dwell, float re, float im) {
  const float length = 0.5f * std::log2(re * re + im * im);
  const float smooth = static_cast<float>(dwell + kSmoothMoreSteps) - std::log2(length);
  return std::isfinite(smooth) ? std::fmax(smooth, 0.0f) : static_cast<float>(dwell);
}

/// The smooth dwell of a point whose dwell, below the limit, is known.
template <typename Real>
LOOM_HOST_DEVICE float smooth_after(Complex<Real> c, std::uint32_t dwell) {
  Complex<Real> z = c;
  for (std::uint32_t step = 0; step < dwell + kSmoothMoreSteps; ++step) {
    z = next_point(z, rounded_multiply(z.re, z.re), rounded_multiply(z.im, z.im), c);
  }
  return smooth_from(dwell, static_cast<float>(z.re), static_cast<float>(z.im));
}

/// The smooth dwell of a point that escapes in 1/65536, as an image holds it: below the limit, which is
/// limit * 65536.
LOOM_HOST_DEVICE std::uint32_t smooth_fixed(float smooth, std::uint32_t limit) {
  const double most = static_cast<double>(limit) * 65536 - 1;
  const double fixed = static_cast<double>(smooth) * 65536;
  return static_cast<std::uint32_t>(fixed < most ? fixed : most);
}

/// The dwell as a continuous number, within about one of the dwell: the whole dwell where |z| = 2. `limit`
/// where the orbit does not escape.
template <typename Real>
float smooth_dwell(Complex<Real> c, std::uint32_t limit) {
  const std::uint32_t whole = dwell(c, limit);
  if (whole >= limit) return static_cast<float>(limit);
  return smooth_after(c, whole);
}

}  // namespace loom
