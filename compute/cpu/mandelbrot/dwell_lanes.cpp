#include "compute/cpu/mandelbrot/dwell_lanes.h"

#include <algorithm>
#include <type_traits>

#include "compute/cpu/mandelbrot/vector_width.h"
#include "compute/mandelbrot/dwell.h"
#include "compute/mandelbrot/known_interior.h"
#include "compute/mandelbrot/smooth_dwell.h"

namespace loom::cpu {
namespace {

constexpr std::size_t kMandelbrotLanes = 16;
/// Formulas with more operations, one after another, are faster with more independent lanes.
constexpr std::size_t kFormulaLanes = 32;
/// Steps between two tests whether all lanes are done.
constexpr std::uint32_t kStride = 8;

/// Integers as wide as a number.
template <typename Real>
using IntOf = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;

/// The state of a lane as a number, so that a loop over lanes needs no branch.
template <typename Real, std::size_t kLanes>
struct Lanes {
  using Int = IntOf<Real>;
  Real x[kLanes];
  Real y[kLanes];
  Real earlier_x[kLanes];
  Real earlier_y[kLanes];
  Real re[kLanes];  ///< c
  Real im[kLanes];
  Int running[kLanes];  ///< -1 until the lane escapes, then 0
  Int count[kLanes];
};

template <typename Step, typename Real, std::size_t kLanes>
[[gnu::always_inline]] inline void take_step(Lanes<Real, kLanes>& lanes) {
  using Int = IntOf<Real>;
#pragma omp simd
  for (std::size_t i = 0; i < kLanes; ++i) {
    const Real square_x = lanes.x[i] * lanes.x[i];
    const Real square_y = lanes.y[i] * lanes.y[i];
    const Int inside = square_x + square_y < Real{4} ? Int{-1} : Int{0};
    lanes.running[i] &= inside;
    lanes.count[i] -= lanes.running[i];
    const Complex<Real> next = Step::next(Complex<Real>{lanes.x[i], lanes.y[i]}, square_x, square_y,
                                          Complex<Real>{lanes.re[i], lanes.im[i]});
    lanes.x[i] = next.re;
    lanes.y[i] = next.im;
  }
}

/// Lanes that neither escaped nor returned to the earlier value.
template <typename Real, std::size_t kLanes>
[[gnu::always_inline]] inline IntOf<Real> open_lanes(const Lanes<Real, kLanes>& lanes, bool periodicity) {
  using Int = IntOf<Real>;
  Int open = 0;
  if (periodicity) {
#pragma omp simd reduction(| : open)
    for (std::size_t i = 0; i < kLanes; ++i) {
      const Int moved = (lanes.x[i] == lanes.earlier_x[i] ? Int{0} : Int{-1}) |
                        (lanes.y[i] == lanes.earlier_y[i] ? Int{0} : Int{-1});
      open |= lanes.running[i] & moved;
    }
  } else {
#pragma omp simd reduction(| : open)
    for (std::size_t i = 0; i < kLanes; ++i) open |= lanes.running[i];
  }
  return open;
}

/// Computes the orbits that begin at (x, y).
template <typename Step, typename Real, std::size_t kLanes>
[[gnu::always_inline]] inline void compute_lanes(Lanes<Real, kLanes>& lanes, std::uint32_t limit,
                                                 bool periodicity) {
  for (std::size_t i = 0; i < kLanes; ++i) {
    lanes.earlier_x[i] = lanes.x[i];
    lanes.earlier_y[i] = lanes.y[i];
    lanes.running[i] = -1;
    lanes.count[i] = 0;
  }
  std::uint32_t renew = kStride;
  for (std::uint32_t done = 0; done < limit;) {
    const std::uint32_t end = std::min(limit, done + kStride);
    for (; done < end; ++done) take_step<Step>(lanes);
    if (open_lanes(lanes, periodicity) == 0) break;
    if (done == renew) {
      for (std::size_t i = 0; i < kLanes; ++i) {
        lanes.earlier_x[i] = lanes.x[i];
        lanes.earlier_y[i] = lanes.y[i];
      }
      renew *= 2;
    }
  }
  // Lanes that are still running are at the limit or in a cycle.
  for (std::size_t i = 0; i < kLanes; ++i) {
    if (lanes.running[i] != 0) lanes.count[i] = static_cast<IntOf<Real>>(limit);
  }
}

/// `julia`: the c of all orbits; null: the points themselves.
template <typename Step, typename Real, std::size_t kLanes>
[[gnu::always_inline]] inline void compute_all(const Complex<Real>* julia, const Real* re, const Real* im,
                                               std::size_t count, std::uint32_t limit, bool periodicity,
                                               std::uint32_t* dwells) {
  Lanes<Real, kLanes> lanes;
  for (std::size_t first = 0; first < count; first += kLanes) {
    const std::size_t used = std::min(kLanes, count - first);
    for (std::size_t i = 0; i < kLanes; ++i) {
      // Lanes without a point of their own repeat the last point, so that they never run longest.
      const std::size_t from = first + std::min(i, used - 1);
      lanes.x[i] = re[from];
      lanes.y[i] = im[from];
      lanes.re[i] = julia != nullptr ? julia->re : re[from];
      lanes.im[i] = julia != nullptr ? julia->im : im[from];
    }
    compute_lanes<Step>(lanes, limit, periodicity);
    for (std::size_t i = 0; i < used; ++i) dwells[first + i] = static_cast<std::uint32_t>(lanes.count[i]);
  }
}

template <typename Real>
[[gnu::always_inline]] inline std::size_t mark_interior(const Real* re, const Real* im, std::size_t count,
                                                        std::uint8_t* known) {
  using Int = IntOf<Real>;
  constexpr std::size_t kAtATime = 64;
  constexpr Int kNear = 2;
  Int found[kAtATime];
  std::size_t sum = 0;
  for (std::size_t first = 0; first < count; first += kAtATime) {
    const std::size_t used = std::min(kAtATime, count - first);
    Int any_near = 0;
#pragma omp simd reduction(| : any_near)
    for (std::size_t i = 0; i < used; ++i) {
      const Complex<Real> c{re[first + i], im[first + i]};
      const Int near = near_period_three(c) ? kNear : Int{0};
      found[i] = (in_heart_or_disc(c) ? Int{1} : Int{0}) | near;
      any_near |= near;
    }
    for (std::size_t i = 0; any_near != 0 && i < used; ++i) {
      if (found[i] == kNear) found[i] = in_period_three(Complex<Real>{re[first + i], im[first + i]}) ? 1 : 0;
    }
    for (std::size_t i = 0; i < used; ++i) {
      known[first + i] = static_cast<std::uint8_t>(found[i]);
      sum += known[first + i];
    }
  }
  return sum;
}

/// `julia`: the c of all orbits; null: the points themselves.
template <typename Step, typename Real>
[[gnu::always_inline]] inline void smooth_all(const Complex<Real>* julia, const Real* re, const Real* im,
                                              const std::uint32_t* dwells, std::size_t count, float* smooth) {
  using Int = IntOf<Real>;
  constexpr std::size_t kLanes = kMandelbrotLanes;
  Lanes<Real, kLanes> lanes;
  for (std::size_t first = 0; first < count; first += kLanes) {
    const std::size_t used = std::min(kLanes, count - first);
    Int most = 0;
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::size_t from = first + std::min(i, used - 1);
      lanes.x[i] = re[from];
      lanes.y[i] = im[from];
      lanes.re[i] = julia != nullptr ? julia->re : re[from];
      lanes.im[i] = julia != nullptr ? julia->im : im[from];
      lanes.count[i] = static_cast<Int>(dwells[from]) + smooth_more_steps(Step::kDegree);
      most = std::max(most, lanes.count[i]);
    }
    for (Int step = 0; step < most; ++step) {
#pragma omp simd
      for (std::size_t i = 0; i < kLanes; ++i) {
        const Complex<Real> next =
            Step::next(Complex<Real>{lanes.x[i], lanes.y[i]}, lanes.x[i] * lanes.x[i],
                       lanes.y[i] * lanes.y[i], Complex<Real>{lanes.re[i], lanes.im[i]});
        // Finished lanes keep their values.
        const bool goes_on = step < lanes.count[i];
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

/// Functions of one formula and type, so that each is compiled for each width.
template <typename Step, typename Real, std::size_t kLanes = kFormulaLanes>
struct LanesOf {
  LOOM_EACH_VECTOR_WIDTH
  static void compute(const Complex<Real>* julia, const Real* re, const Real* im, std::size_t count,
                      std::uint32_t limit, bool periodicity, std::uint32_t* dwells) {
    compute_all<Step, Real, kLanes>(julia, re, im, count, limit, periodicity, dwells);
  }
  LOOM_EACH_VECTOR_WIDTH
  static void smooth(const Complex<Real>* julia, const Real* re, const Real* im, const std::uint32_t* dwells,
                     std::size_t count, float* smooth) {
    smooth_all<Step>(julia, re, im, dwells, count, smooth);
  }
  LOOM_EACH_VECTOR_WIDTH
  static std::size_t mark(const Real* re, const Real* im, std::size_t count, std::uint8_t* known) {
    return mark_interior(re, im, count, known);
  }
};

}  // namespace

template <typename Real>
std::size_t known_interior_of(const Real* re, const Real* im, std::size_t count, std::uint8_t* known) {
  return LanesOf<SquareStep, Real>::mark(re, im, count, known);
}

template <typename Real>
void dwells_of(const Real* re, const Real* im, std::size_t count, std::uint32_t limit, bool periodicity,
               std::uint32_t* dwells) {
  LanesOf<SquareStep, Real, kMandelbrotLanes>::compute(nullptr, re, im, count, limit, periodicity, dwells);
}

template <typename Real>
void dwells_of(const DirectFormula<Real>& set, const Real* re, const Real* im, std::size_t count,
               std::uint32_t limit, bool periodicity, std::uint32_t* dwells) {
  with_step(set.formula, set.power, [&](auto step) {
    LanesOf<decltype(step), Real>::compute(set.is_julia ? &set.c : nullptr, re, im, count, limit, periodicity,
                                           dwells);
  });
}

template <typename Real>
void smooth_dwells_of(const Real* re, const Real* im, const std::uint32_t* dwells, std::size_t count,
                      float* smooth) {
  LanesOf<SquareStep, Real>::smooth(nullptr, re, im, dwells, count, smooth);
}

template <typename Real>
void smooth_dwells_of(const DirectFormula<Real>& set, const Real* re, const Real* im,
                      const std::uint32_t* dwells, std::size_t count, float* smooth) {
  with_step(set.formula, set.power, [&](auto step) {
    LanesOf<decltype(step), Real>::smooth(set.is_julia ? &set.c : nullptr, re, im, dwells, count, smooth);
  });
}

#define LOOM_INSTANTIATE(Real)                                                                               \
  template std::size_t known_interior_of(const Real*, const Real*, std::size_t, std::uint8_t*);              \
  template void dwells_of(const Real*, const Real*, std::size_t, std::uint32_t, bool, std::uint32_t*);       \
  template void dwells_of(const DirectFormula<Real>&, const Real*, const Real*, std::size_t, std::uint32_t,  \
                          bool, std::uint32_t*);                                                             \
  template void smooth_dwells_of(const Real*, const Real*, const std::uint32_t*, std::size_t, float*);       \
  template void smooth_dwells_of(const DirectFormula<Real>&, const Real*, const Real*, const std::uint32_t*, \
                                 std::size_t, float*);
LOOM_INSTANTIATE(float)
LOOM_INSTANTIATE(double)
#undef LOOM_INSTANTIATE

}  // namespace loom::cpu
