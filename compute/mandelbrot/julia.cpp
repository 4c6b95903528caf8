#include "compute/mandelbrot/julia.h"

namespace loom {

void julia_dwells(const JuliaView& view, std::span<std::uint16_t> out) {
#pragma omp parallel for schedule(dynamic, 4)
  for (std::uint32_t y = 0; y < view.height; ++y) {
    for (std::uint32_t x = 0; x < view.width; ++x) {
      out[std::uint64_t{y} * view.width + x] = static_cast<std::uint16_t>(julia_dwell(view, x, y));
    }
  }
}

}  // namespace loom
