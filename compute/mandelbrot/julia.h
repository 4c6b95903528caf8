#pragma once

#include <cstdint>
#include <span>

#include "compute/mandelbrot/dwell.h"

namespace loom {

/// Dwells of the Julia set of c over [-half_width, half_width] and as much im as the picture is high: z
/// starts at the pixel, and steps z <- z^2 + c are counted as for the Mandelbrot set. `out` holds width x
/// height, row by row. limit 1..65535. On the CPU's threads.
void julia_dwells(Complex<float> c, float half_width, std::uint32_t width, std::uint32_t height,
                  std::uint32_t limit, std::span<std::uint16_t> out);

}  // namespace loom
