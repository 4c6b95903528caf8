#include "compute/mandelbrot/julia.h"

namespace loom {

void julia_dwells(Complex<float> c, float half_width, std::uint32_t width, std::uint32_t height,
                  std::uint32_t limit, std::span<std::uint16_t> out) {
  const float spacing = 2 * half_width / static_cast<float>(width);
#pragma omp parallel for schedule(dynamic, 4)
  for (std::uint32_t y = 0; y < height; ++y) {
    const float im = (static_cast<float>(y) - static_cast<float>(height) / 2) * spacing;
    for (std::uint32_t x = 0; x < width; ++x) {
      const Complex<float> z{static_cast<float>(x) * spacing - half_width, im};
      out[std::uint64_t{y} * width + x] = static_cast<std::uint16_t>(continue_dwell(z, c, 0, limit));
    }
  }
}

}  // namespace loom
