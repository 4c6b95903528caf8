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
inline float smooth_from(std::uint32_t dwell, float re, float im) {
  const float length = 0.5f * std::log2(re * re + im * im);
  const float smooth = static_cast<float>(dwell + kSmoothMoreSteps) - std::log2(length);
  return std::isfinite(smooth) ? std::fmax(smooth, 0.0f) : static_cast<float>(dwell);
}

/// The dwell as a continuous number, within about one of the dwell: the whole dwell where |z| = 2. `limit`
/// where the orbit does not escape.
template <typename Real>
float smooth_dwell(Complex<Real> c, std::uint32_t limit) {
  const std::uint32_t whole = dwell(c, limit);
  if (whole >= limit) return static_cast<float>(limit);
  Complex<Real> z = c;
  for (std::uint32_t step = 0; step < whole + kSmoothMoreSteps; ++step) {
    z = next_point(z, z.re * z.re, z.im * z.im, c);
  }
  return smooth_from(whole, static_cast<float>(z.re), static_cast<float>(z.im));
}

}  // namespace loom
