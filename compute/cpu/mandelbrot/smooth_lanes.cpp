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

/// `julia`: the c of all orbits; null: the points themselves.
template <typename Step, typename Real, typename Int>
[[gnu::always_inline]] inline void smooth_all(const Complex<Real>* julia, const Real* re, const Real* im,
                                              const std::uint32_t* dwells, std::size_t count, float* smooth) {
  OrbitLanes<Real, Int> lanes;
  for (std::size_t first = 0; first < count; first += kLanes) {
    const std::size_t used = std::min(kLanes, count - first);
    Int most = 0;
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::size_t from = first + std::min(i, used - 1);
      lanes.x[i] = re[from];
      lanes.y[i] = im[from];
      lanes.re[i] = julia != nullptr ? julia->re : re[from];
      lanes.im[i] = julia != nullptr ? julia->im : im[from];
      lanes.steps[i] = static_cast<Int>(dwells[from]) + smooth_more_steps(Step::kDegree);
      most = std::max(most, lanes.steps[i]);
    }
    for (Int step = 0; step < most; ++step) {
#pragma omp simd
      for (std::size_t i = 0; i < kLanes; ++i) {
        const Complex<Real> next =
            Step::next(Complex<Real>{lanes.x[i], lanes.y[i]}, lanes.x[i] * lanes.x[i],
                       lanes.y[i] * lanes.y[i], Complex<Real>{lanes.re[i], lanes.im[i]});
        // Finished lanes keep their values.
        const bool goes_on = step < lanes.steps[i];
        lanes.x[i] = goes_on ? next.re : lanes.x[i];
        lanes.y[i] = goes_on ? next.im : lanes.y[i];
      }
    }
    for (std::size_t i = 0; i < used; ++i) {
      smooth[first + i] = smooth_from<Step::kDegree>(dwells[first + i], static_cast<float>(lanes.x[i]),
                                                     static_cast<float>(lanes.y[i]));
    }
  }
}

}  // namespace

LOOM_EACH_VECTOR_WIDTH
void smooth_dwells_of(const float* re, const float* im, const std::uint32_t* dwells, std::size_t count,
                      float* smooth) {
  smooth_all<SquareStep, float, std::int32_t>(nullptr, re, im, dwells, count, smooth);
}

LOOM_EACH_VECTOR_WIDTH
void smooth_dwells_of(const double* re, const double* im, const std::uint32_t* dwells, std::size_t count,
                      float* smooth) {
  smooth_all<SquareStep, double, std::int64_t>(nullptr, re, im, dwells, count, smooth);
}

namespace {

template <typename Step>
struct LanesOf {
  LOOM_EACH_VECTOR_WIDTH
  static void compute(const Complex<float>* julia, const float* re, const float* im,
                      const std::uint32_t* dwells, std::size_t count, float* smooth) {
    smooth_all<Step, float, std::int32_t>(julia, re, im, dwells, count, smooth);
  }
  LOOM_EACH_VECTOR_WIDTH
  static void compute(const Complex<double>* julia, const double* re, const double* im,
                      const std::uint32_t* dwells, std::size_t count, float* smooth) {
    smooth_all<Step, double, std::int64_t>(julia, re, im, dwells, count, smooth);
  }
};

template <typename Real>
void select_lanes(const DirectFormula<Real>& set, const Real* re, const Real* im, const std::uint32_t* dwells,
                  std::size_t count, float* smooth) {
  with_step(set.formula, set.power, [&](auto step) {
    LanesOf<decltype(step)>::compute(set.is_julia ? &set.c : nullptr, re, im, dwells, count, smooth);
  });
}

}  // namespace

void smooth_dwells_of(const DirectFormula<float>& set, const float* re, const float* im,
                      const std::uint32_t* dwells, std::size_t count, float* smooth) {
  select_lanes(set, re, im, dwells, count, smooth);
}

void smooth_dwells_of(const DirectFormula<double>& set, const double* re, const double* im,
                      const std::uint32_t* dwells, std::size_t count, float* smooth) {
  select_lanes(set, re, im, dwells, count, smooth);
}

}  // namespace loom::cpu
