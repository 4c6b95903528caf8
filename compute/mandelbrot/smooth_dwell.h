#pragma once

#include <cmath>
#include <cstdint>

#include "compute/mandelbrot/dwell.h"

namespace loom {

/// The dwell as a continuous number: m - log2(log2 |z_m|), where z_m is the orbit's point after m steps,
/// three more than the dwell, so that the steps between dwells do not show. 0 <= result < limit; `limit`
/// itself where the orbit does not escape. Within about one of the dwell: it is the whole dwell where |z|
/// = 2.
template <typename Real>
float smooth_dwell(Complex<Real> c, std::uint32_t limit) {
  constexpr int kMoreSteps = 3;
  Complex<Real> z = c;
  std::uint32_t steps = 0;
  for (;; ++steps) {
    const Real square_x = z.re * z.re;
    const Real square_y = z.im * z.im;
    if (!(square_x + square_y < Real{4})) break;
    if (steps == limit) return static_cast<float>(limit);
    z = next_point(z, square_x, square_y, c);
  }
  if (steps >= limit) return static_cast<float>(limit);
  float re = static_cast<float>(z.re);
  float im = static_cast<float>(z.im);
  for (int i = 0; i < kMoreSteps; ++i) {
    const float next = re * re - im * im + static_cast<float>(c.re);
    im = 2 * re * im + static_cast<float>(c.im);
    re = next;
  }
  const float length = 0.5f * std::log2(re * re + im * im);
  const float smooth = static_cast<float>(steps) + kMoreSteps - std::log2(length);
  const float last = std::nextafter(static_cast<float>(limit), 0.0f);
  return std::isfinite(smooth) ? std::fmin(std::fmax(smooth, 0.0f), last) : static_cast<float>(steps);
}

}  // namespace loom
