#include "compute/cpu/mandelbrot/perturbed_lanes.h"

#include <bit>
#include <type_traits>

#include "compute/cpu/mandelbrot/vector_width.h"

namespace loom::cpu {
namespace {

constexpr std::size_t kLanes = 16;
/// Larger limits could overflow the counts of lanes of 32 bits.
constexpr std::uint32_t kMostLimit = 1u << 30;
/// Iterations of all lanes between two tests whether the call is cancelled.
constexpr std::uint32_t kIterationsToPoll = 1u << 12;

/// One orbit in each lane (see Perturbed::run_narrow). Loops over lanes have no branch; they return the lanes
/// that need more than they do, as bits.
template <typename Real>
struct OrbitLanes {
  using Int = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;
  Real z_re[kLanes];  ///< distance from the reference
  Real z_im[kLanes];
  Real reference_re[kLanes];
  Real reference_im[kLanes];
  Real value_re[kLanes];
  Real value_im[kLanes];
  Real w_re[kLanes];
  Real w_im[kLanes];
  Real c_re[kLanes];
  Real c_im[kLanes];
  double error[kLanes];  ///< with the slope of the iteration that follows
  Int point[kLanes];
  Int begin[kLanes];
  Int count[kLanes];
  Int moving[kLanes];   ///< -1 if this iteration is a plain one, else 0
  Int running[kLanes];  ///< -1 if the lane has a pixel, else 0
  Int bit[kLanes];      ///< of the lane if it has a pixel, else 0
  std::uint32_t step[kLanes];
  std::size_t pixel[kLanes];
};

/// w = z (2 Z + z). Returns the lanes at a point where steps begin and, with kWide, those whose w is out of
/// the range of Real.
template <bool kWide, typename Real>
[[gnu::always_inline]] inline std::uint32_t multiply_distances(OrbitLanes<Real>& lanes) {
  using Int = typename OrbitLanes<Real>::Int;
  const Real least = power_of_two<Real>(DistanceRange<Real>::kLow);
  Int found = 0;
#pragma omp simd reduction(| : found)
  for (std::size_t i = 0; i < kLanes; ++i) {
    const Real sum_re = lanes.reference_re[i] + lanes.value_re[i];
    const Real sum_im = lanes.reference_im[i] + lanes.value_im[i];
    lanes.w_re[i] = lanes.z_re[i] * sum_re + -(lanes.z_im[i] * sum_im);
    lanes.w_im[i] = lanes.z_re[i] * sum_im + lanes.z_im[i] * sum_re;
    lanes.moving[i] = lanes.running[i];
    Int stops = lanes.point[i] == lanes.begin[i] ? Int{-1} : Int{0};
    if constexpr (kWide)
      stops |= larger_part(Complex<Real>{lanes.w_re[i], lanes.w_im[i]}) < least ? Int{-1} : Int{0};
    found |= lanes.bit[i] & stops;
  }
  return static_cast<std::uint32_t>(found);
}

/// z = w + c for plain iterations, and the values of all lanes. Returns the lanes that may have escaped, are
/// at the limit or have to be rebased.
template <typename Orbit, typename Real>
[[gnu::always_inline]] inline std::uint32_t move_on(OrbitLanes<Real>& lanes, const Orbit& orbit,
                                                    std::uint32_t limit) {
  using Int = typename OrbitLanes<Real>::Int;
  const Real* const points = &orbit.points[0].re;
  const auto length = static_cast<Int>(orbit.length);
  const auto last = static_cast<Int>(limit);
  Int ending = 0;
#pragma omp simd reduction(| : ending)
  for (std::size_t i = 0; i < kLanes; ++i) {
    const Int moving = lanes.moving[i];
    const Real z_re = moving != 0 ? lanes.w_re[i] + lanes.c_re[i] : lanes.z_re[i];
    const Real z_im = moving != 0 ? lanes.w_im[i] + lanes.c_im[i] : lanes.z_im[i];
    const Int point = lanes.point[i] - moving;
    const Int count = lanes.count[i] - moving;
    const Real reference_re = points[2 * point];
    const Real reference_im = points[2 * point + 1];
    const Real value_re = reference_re + z_re;
    const Real value_im = reference_im + z_im;
    lanes.z_re[i] = z_re;
    lanes.z_im[i] = z_im;
    lanes.point[i] = point;
    lanes.count[i] = count;
    lanes.reference_re[i] = reference_re;
    lanes.reference_im[i] = reference_im;
    lanes.value_re[i] = value_re;
    lanes.value_im[i] = value_im;
    const Real square = value_re * value_re + value_im * value_im;
    if constexpr (Orbit::kEstimatesError) lanes.error[i] *= 4 * static_cast<double>(square);
    const Real size = larger_part(Complex<Real>{z_re, z_im});
    const Real value_size = larger_part(Complex<Real>{value_re, value_im});
    const Int ends = (square < Orbit::kCertainSquare ? Int{0} : Int{-1}) | (count < last ? Int{0} : Int{-1}) |
                     (point == length ? Int{-1} : Int{0}) | (value_size < size ? Int{-1} : Int{0});
    ending |= lanes.bit[i] & ends;
  }
  return static_cast<std::uint32_t>(ending);
}

template <typename Use>
[[gnu::always_inline]] inline void for_each_bit(std::uint32_t bits, const Use& use) {
  for (; bits != 0; bits &= bits - 1) use(static_cast<std::size_t>(std::countr_zero(bits)));
}

template <typename Orbit>
[[gnu::always_inline]] inline void run_lanes(const Orbit& orbit, const Coord32* pixels, std::size_t count,
                                             std::uint32_t limit, const ProgressScope& call,
                                             std::uint32_t* dwells) {
  using Real = typename Orbit::Value;
  using Int = typename OrbitLanes<Real>::Int;
  using Run = typename Orbit::Run;
  using Tracking = typename Orbit::Tracking;
  constexpr bool kWide = Orbit::kHasExponent;
  OrbitLanes<Real> lanes;
  std::size_t next = 0;
  std::uint32_t running = 0;
  const auto place_at_zero = [&](std::size_t i, Complex<Real> z) __attribute__((always_inline)) {
    lanes.z_re[i] = lanes.value_re[i] = z.re;
    lanes.z_im[i] = lanes.value_im[i] = z.im;
    lanes.reference_re[i] = lanes.reference_im[i] = 0;
    lanes.point[i] = lanes.begin[i] = 0;
    lanes.step[i] = 0;
  };
  /// The next pixel, or none.
  const auto start = [&](std::size_t i) __attribute__((always_inline)) {
    typename Orbit::Progress at;
    Tracking tracking;
    for (Run ended{}; orbit.first != 0 && next < count; ++next) {
      const typename Orbit::Distance pixel(orbit.distance_at(pixels[next].x, pixels[next].y));
      if (!orbit.ends_at_first(at, pixel, limit, tracking, ended)) break;
      dwells[next] = Orbit::result(ended, at, limit).dwell;
    }
    const bool has_pixel = next < count;
    const Complex<Real> c = has_pixel && orbit.first == 0
                                ? orbit.distance_at(pixels[next].x, pixels[next].y).value()
                                : Complex<Real>{};
    lanes.c_re[i] = c.re;
    lanes.c_im[i] = c.im;
    lanes.count[i] = static_cast<Int>(at.count);
    lanes.error[i] = 0;
    lanes.running[i] = has_pixel ? -1 : 0;
    lanes.bit[i] = has_pixel ? Int{1} << i : 0;
    lanes.pixel[i] = next;
    place_at_zero(i, at.z);
    if (at.point != 0) {
      const Complex<Real> reference = orbit.points[at.point];
      lanes.reference_re[i] = reference.re;
      lanes.reference_im[i] = reference.im;
      lanes.value_re[i] = reference.re + at.z.re;
      lanes.value_im[i] = reference.im + at.z.im;
      lanes.point[i] = lanes.begin[i] = static_cast<Int>(at.point);
      lanes.step[i] = at.step;
    }
    if constexpr (Orbit::kEstimatesError) {
      tracking.enter_narrow();
      lanes.error[i] = 4 * tracking.narrow *
                       static_cast<double>(plain_square(Complex<Real>{lanes.value_re[i], lanes.value_im[i]}));
    }
    next += has_pixel ? 1 : 0;
    running += has_pixel ? 1 : 0;
  };
  const auto end = [&](std::size_t i, Run ended, const typename Orbit::Progress& at)
      __attribute__((always_inline)) {
    const OrbitResult<Real> result = Orbit::result(ended, at, limit);
    dwells[lanes.pixel[i]] = result.dwell;
    if (result.uncertain && orbit.uncertain.count != nullptr) orbit.uncertain.add(pixels[lanes.pixel[i]]);
    --running;
    start(i);
  };
  const auto progress_of = [&](std::size_t i) __attribute__((always_inline)) {
    typename Orbit::Progress at;
    at.z = {lanes.z_re[i], lanes.z_im[i]};
    at.point = static_cast<std::uint32_t>(lanes.point[i]);
    at.step = lanes.step[i];
    at.begin = static_cast<std::uint32_t>(lanes.begin[i]);
    at.count = static_cast<std::uint32_t>(lanes.count[i]);
    at.is_wide = false;
    return at;
  };
  const auto pixel_of = [&](std::size_t i) __attribute__((always_inline)) {
    const Coord32 pixel = pixels[lanes.pixel[i]];
    return typename Orbit::Distance(orbit.distance_at(pixel.x, pixel.y));
  };
  /// Goes on with exponents until Real suffices or the orbit ends.
  [[maybe_unused]] const auto run_wide = [&](std::size_t i) __attribute__((always_inline)) {
    typename Orbit::Progress at = progress_of(i);
    at.is_wide = true;
    at.wide_z = ComplexExp<Real>(at.z);
    Tracking tracking;
    const typename Orbit::Distance pixel = pixel_of(i);
    Run at_first{};
    if (orbit.first != 0 && at.count == 1) {
      // Real may not hold the distance.
      orbit.ends_at_first(at, pixel, limit, tracking, at_first);
    } else if constexpr (Orbit::kEstimatesError) {
      // Without the slope of this iteration, which comes again.
      const FloatExp<double> slope =
          FloatExp<double>(4.0) * square_of(ComplexExp<Real>({lanes.value_re[i], lanes.value_im[i]}));
      tracking.narrow = lanes.error[i];
      tracking.leave_narrow();
      if (!tracking.is_lost()) tracking.wide = slope.is_zero() ? FloatExp<double>() : tracking.wide / slope;
    }
    const Run ended = orbit.run_wide(at, orbit.added(pixel), limit, ~0u, tracking);
    if (ended != Run::kOtherRange) {
      end(i, ended, at);
    } else {
      lanes.z_re[i] = at.z.re;
      lanes.z_im[i] = at.z.im;
      lanes.point[i] = static_cast<Int>(at.point);
      lanes.step[i] = at.step;
      lanes.begin[i] = static_cast<Int>(at.begin);
      lanes.count[i] = static_cast<Int>(at.count);
      if constexpr (Orbit::kEstimatesError) {
        tracking.enter_narrow();
        lanes.error[i] = tracking.narrow;
      }
    }
    lanes.moving[i] = 0;
  };
  for (std::size_t i = 0; i < kLanes; ++i) start(i);
  for (std::uint32_t iteration = 0; running > 0; ++iteration) {
    if (iteration % kIterationsToPoll == 0 && call.cancelled()) return;
    for_each_bit(
        multiply_distances<kWide>(lanes), [&](std::size_t i) __attribute__((always_inline)) {
          const Complex<Real> w{lanes.w_re[i], lanes.w_im[i]};
          const Real size = larger_part(w);
          if constexpr (kWide) {
            if (size < power_of_two<Real>(DistanceRange<Real>::kLow)) return run_wide(i);
          }
          if constexpr (Orbit::kEstimatesError) {
            if (orbit.first != 0) {
              Tracking tracking;
              tracking.narrow = lanes.error[i];
              tracking.round({lanes.z_re[i], lanes.z_im[i]},
                             plain_square(Complex<Real>{lanes.value_re[i], lanes.value_im[i]}));
              lanes.error[i] = tracking.narrow;
            }
          }
          StepHead<Real> head = orbit.heads[lanes.step[i]];
          if (size < head.threshold) {
            const Complex<Real> c{lanes.c_re[i], lanes.c_im[i]};
            Tracking tracking;
            if constexpr (Orbit::kEstimatesError) tracking.narrow = lanes.error[i];
            const Complex<Real> z = orbit.after_longest_step(lanes.step[i], size, w, c, head, tracking);
            if constexpr (Orbit::kEstimatesError) lanes.error[i] = tracking.narrow;
            lanes.z_re[i] = z.re;
            lanes.z_im[i] = z.im;
            lanes.count[i] += head.length & ~kHasLonger;
            lanes.point[i] += head.length & ~kHasLonger;
            lanes.begin[i] = lanes.point[i];
            lanes.moving[i] = 0;
          } else {
            lanes.begin[i] = lanes.point[i] + (head.length & ~kHasLonger);
          }
          lanes.step[i] = head.next;
        });
    for_each_bit(
        move_on(lanes, orbit, limit), [&](std::size_t i) __attribute__((always_inline)) {
          const Complex<Real> value{lanes.value_re[i], lanes.value_im[i]};
          const Complex<Real> z{lanes.z_re[i], lanes.z_im[i]};
          const Complex<Real> reference{lanes.reference_re[i], lanes.reference_im[i]};
          const auto point = static_cast<std::uint32_t>(lanes.point[i]);
          const auto iterations = static_cast<std::uint32_t>(lanes.count[i]);
          const Real square = plain_square(value);
          const double slope = 4 * static_cast<double>(square);  // what move_on() has multiplied by
          const bool escaped = orbit.has_escaped(square, value, z, reference, point);
          if (escaped || iterations >= limit) {
            typename Orbit::Progress at;
            const Complex<Real> c{lanes.c_re[i], lanes.c_im[i]};
            const Run ended = orbit.end_narrow(at, escaped, lanes.error[i] / slope, value, z, reference,
                                               point, iterations, c);
            end(i, ended, at);
          } else if (point == orbit.length || larger_part(value) < larger_part(z)) {
            if constexpr (Orbit::kEstimatesError) {
              Tracking tracking;
              tracking.narrow = slope > 0 ? lanes.error[i] / slope : 0;
              tracking.rebase(z, iterations, static_cast<double>(square));
              lanes.error[i] = slope * tracking.narrow;
            }
            place_at_zero(i, value);
            if constexpr (Orbit::kLeavesLongOrbits) {
              if (iterations < orbit.search_from) return;
              typename Orbit::Progress at;
              const Run ended = run_searching(orbit, at, pixel_of(i), limit,
                                              [&](std::uint32_t) { return !call.cancelled(); });
              end(i, ended, at);
            }
          }
        });
  }
}

template <typename Orbit>
[[gnu::always_inline]] inline void run_pixels(const Orbit& orbit, const Coord32* pixels, std::size_t count,
                                              std::uint32_t limit, const ProgressScope& call,
                                              std::uint32_t* dwells) {
  if (sizeof(typename Orbit::Value) == sizeof(double) || limit <= kMostLimit)
    return run_lanes(orbit, pixels, count, limit, call, dwells);
  for (std::size_t i = 0; i < count && !call.cancelled(); ++i)
    dwells[i] = orbit.dwell_at(pixels[i].x, pixels[i].y, limit);
}

}  // namespace

#define LOOM_DEFINE_DWELLS(...)                                                                            \
  template <>                                                                                              \
  LOOM_EACH_VECTOR_WIDTH void dwells_of(const Perturbed<__VA_ARGS__>& orbit, const Coord32* pixels,        \
                                        std::size_t count, std::uint32_t limit, const ProgressScope& call, \
                                        std::uint32_t* dwells) {                                           \
    run_pixels(orbit, pixels, count, limit, call, dwells);                                                 \
  }
LOOM_DEFINE_DWELLS(float, false)
LOOM_DEFINE_DWELLS(double, false)
LOOM_DEFINE_DWELLS(float, true)
LOOM_DEFINE_DWELLS(double, true)
LOOM_DEFINE_DWELLS(double, false, true)
LOOM_DEFINE_DWELLS(double, true, true)
#undef LOOM_DEFINE_DWELLS

#define LOOM_DEFINE_ORBIT(kWide)                                                                      \
  template <>                                                                                         \
  LOOM_WITH_FMA OrbitResult<DoubleDouble> orbit_of(const Perturbed<DoubleDouble, kWide, true>& orbit, \
                                                   Coord32 pixel, std::uint32_t limit) {              \
    return orbit.run(pixel.x, pixel.y, limit);                                                        \
  }
LOOM_DEFINE_ORBIT(false)
LOOM_DEFINE_ORBIT(true)
#undef LOOM_DEFINE_ORBIT

}  // namespace loom::cpu
