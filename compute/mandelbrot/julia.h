#pragma once

#include <cstdint>
#include <span>

#include "compute/mandelbrot/dwell.h"

namespace loom {

/// An image of the Julia set of c over re in [-half_width, half_width] and the range of im that the image's
/// height gives. z starts at the pixel, and steps z <- z^2 + c are counted as for the Mandelbrot set. limit
/// 1..65535.
struct JuliaView {
  Complex<float> c;
  float half_width = 1.8f;
  std::uint32_t width = 1;
  std::uint32_t height = 1;
  std::uint32_t limit = 128;
};

/// The dwell of one pixel, the same on every backend.
LOOM_HOST_DEVICE std::uint32_t julia_dwell(const JuliaView& view, std::uint32_t x, std::uint32_t y) {
  const float spacing = rounded_divide(2 * view.half_width, static_cast<float>(view.width));
  const float from_middle = rounded_subtract(static_cast<float>(y), static_cast<float>(view.height) / 2);
  const Complex<float> z{rounded_subtract(rounded_multiply(static_cast<float>(x), spacing), view.half_width),
                         rounded_multiply(from_middle, spacing)};
  return continue_dwell(z, view.c, 0, view.limit);
}

/// All dwells, row by row, on the CPU's threads. `out` holds width x height values.
void julia_dwells(const JuliaView& view, std::span<std::uint16_t> out);

}  // namespace loom
