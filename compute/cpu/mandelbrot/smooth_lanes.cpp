#include "compute/cpu/mandelbrot/smooth_lanes.h"

#include <algorithm>

#include "compute/cpu/mandelbrot/vector_width.h"
#include "compute/mandelbrot/smooth_dwell.h"

namespace loom::cpu {
namespace {

constexpr std::size_t kLanes = 16;

template <typename Real, typename Int>
struct OrbitLanes {
  Real x[kLanes];
  Real y[kLanes];
  Real re[kLanes];
  Real im[kLanes];
  Int steps[kLanes];
};

template <typename Real, typename Int>
[[gnu::always_inline]] inline void smooth_all(const Real* re, const Real* im, const std::uint32_t* dwells,
                                              std::size_t count, float* smooth) {
  OrbitLanes<Real, Int> lanes;
  for (std::size_t first = 0; first < count; first += kLanes) {
    const std::size_t used = std::min(kLanes, count - first);
    Int most = 0;
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::size_t from = first + std::min(i, used - 1);
      lanes.x[i] = lanes.re[i] = re[from];
      lanes.y[i] = lanes.im[i] = im[from];
      lanes.steps[i] = static_cast<Int>(dwells[from]) + kSmoothMoreSteps;
      most = std::max(most, lanes.steps[i]);
    }
    for (Int step = 0; step < most; ++step) {
#pragma omp simd
      for (std::size_t i = 0; i < kLanes; ++i) {
        const Real x = (lanes.x[i] * lanes.x[i] - lanes.y[i] * lanes.y[i]) + lanes.re[i];
        const Real product = lanes.x[i] * lanes.y[i];
        const Real y = (product + product) + lanes.im[i];
        // Finished lanes keep their values.
        const bool goes_on = step < lanes.steps[i];
        lanes.x[i] = goes_on ? x : lanes.x[i];
        lanes.y[i] = goes_on ? y : lanes.y[i];
      }
    }
    for (std::size_t i = 0; i < used; ++i) {
      smooth[first + i] =
          smooth_from(dwells[first + i], static_cast<float>(lanes.x[i]), static_cast<float>(lanes.y[i]));
    }
  }
}

}  // namespace

LOOM_EACH_VECTOR_WIDTH
void smooth_dwells_of(const float* re, const float* im, const std::uint32_t* dwells, std::size_t count,
                      float* smooth) {
  smooth_all<float, std::int32_t>(re, im, dwells, count, smooth);
}

LOOM_EACH_VECTOR_WIDTH
void smooth_dwells_of(const double* re, const double* im, const std::uint32_t* dwells, std::size_t count,
                      float* smooth) {
  smooth_all<double, std::int64_t>(re, im, dwells, count, smooth);
}

}  // namespace loom::cpu
