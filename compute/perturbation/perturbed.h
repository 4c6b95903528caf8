#pragma once

#include <cstdint>
#include <type_traits>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"
#include "compute/mandelbrot/complex.h"
#include "compute/mandelbrot/double_double.h"
#include "compute/mandelbrot/float_exp.h"
#include "compute/mandelbrot/smooth_dwell.h"
#include "compute/perturbation/cycle_search.h"
#include "compute/perturbation/orbit_steps.h"
#include "compute/perturbation/orbit_tracking.h"

namespace loom {

/// Where an orbit ended: its dwell, and its last value |z|^2 >= 4 if the dwell is below the limit.
template <typename Real>
struct OrbitResult {
  std::uint32_t dwell;
  Complex<Real> z;
  bool uncertain;  ///< rounding may have changed the dwell
};

/// In a list of pixels: its dwell is known.
inline constexpr Coord32 kDecidedPixel{~0u, ~0u};

/// The dwells of a view by perturbation (docs/explanation/mandelbrot.md): a pixel's orbit is its distance z
/// from a reference orbit Z, z -> (2 Z + z) z + c. Whenever |Z + z| < |z|, and at the end of the reference,
/// the distance is taken from its beginning, Z_0 = 0, instead (rebasing): the orbit returns to point 0.
/// Orbits of a Julia set have the reference's c, z -> (2 Z + z) z, and begin at another point than 0. kWide:
/// distances outside of the range of Real have an exponent of their own. kEstimates: how far rounding has
/// moved orbits is estimated. Plain data for kernels; the arrays belong to PerturbationTables.
template <typename Real, bool kWide, bool kEstimates = false>
struct Perturbed {
  using Value = Real;
  using Plain = typename RealBits<Real>::Plain;
  using Tracking = std::conditional_t<kEstimates, ErrorTracking<Real>, NoTracking>;
  static constexpr bool kKnowsPoint = false;
  static constexpr bool kHasExponent = kWide;
  static constexpr bool kEstimatesError = kEstimates;
  static constexpr bool kLeavesLongOrbits = !kWide;
  /// Whether run() takes series steps from the beginning; otherwise only for long orbits.
  static constexpr bool kSeriesFirst = !kWide && std::is_same_v<Real, DoubleDouble>;
  const Complex<Real>* points = nullptr;
  const StepHead<Real>* heads = nullptr;
  const StepMap<Real>* maps = nullptr;
  const WideStepHead* wide_heads = nullptr;      // kWide
  const WideStepMap<Real>* wide_maps = nullptr;  // kWide
  const TinyValue<Real>* tiny = nullptr;         // kWide
  const SeriesStep<Real>* series = nullptr;
  const std::uint32_t* series_of = nullptr;  ///< by step, if there are any: the first one that begins there
  const EdgeValue<Real>* edges = nullptr;
  std::uint32_t tiny_count = 0;
  std::uint32_t edge_count = 0;
  std::uint32_t length = 0;      ///< the last point
  std::uint32_t first = 0;       ///< where orbits begin; not 0 for a Julia set
  std::uint32_t first_step = 0;  ///< the first of the steps that begin there
  /// Pixel (x, y), which is c or, in a Julia set, the first z, is at offset + half_spacing (2 x - width + i
  /// (2 y
  /// - height)) from the reference.
  ComplexExp<Real> offset;
  ComplexExp<Real> half_spacing;
  std::int32_t width = 0;
  std::int32_t height = 0;
  Plain series_c_unit = 0;
  /// An orbit that returns to point 0 at this iteration or later is long: it begins again with series steps
  /// and a search for a cycle. Most orbits end before.
  std::uint32_t search_from = ~0u;
  UncertainPixels uncertain;  ///< dwell_at() adds to it

  LOOM_HOST_DEVICE std::uint32_t dwell_at(std::uint32_t x, std::uint32_t y, std::uint32_t limit) const {
    return dwell_of(run(x, y, limit), x, y);
  }
  /// The same for kernels of all pixels: kLongOrbit for a long orbit. The search needs registers that the
  /// other pixels miss.
  LOOM_HOST_DEVICE std::uint32_t dwell_unless_long(std::uint32_t x, std::uint32_t y,
                                                   std::uint32_t limit) const {
    Progress at;
    Tracking tracking;
    const Run ended = advance(at, Distance(distance_at(x, y)), limit, search_from, tracking);
    if (ended == Run::kReturn) return kLongOrbit;
    return dwell_of(result(ended, at, limit), x, y);
  }
  /// That of a long orbit; kLongOrbit if it lasts for more than `most` iterations and the search is not done.
  template <bool kSeries>
  LOOM_HOST_DEVICE std::uint32_t dwell_unless_longer(std::uint32_t x, std::uint32_t y, std::uint32_t limit,
                                                     std::uint32_t most) const {
    Progress at;
    const Run ended = run_searching<kSeries>(*this, at, Distance(distance_at(x, y)), limit,
                                             [&](std::uint32_t count) { return count <= most; });
    if (ended == Run::kReturn) return kLongOrbit;
    return dwell_of(result(ended, at, limit), x, y);
  }
  static constexpr std::uint32_t kLongOrbit = 0xfffffffe;  ///< above every dwell
  LOOM_HOST_DEVICE float smooth_at(std::uint32_t x, std::uint32_t y, std::uint32_t dwell) const {
    const Distance distance(distance_at(x, y));
    Progress at;
    NoTracking nothing;
    advance(at, distance, dwell + 1, ~0u, nothing);
    Complex<Real> z = at.z;
    const Complex<Real> added = this->added(distance).narrow;
    const Complex<Real> c{points[1].re + added.re, points[1].im + added.im};
    for (int step = 0; step < kSmoothMoreSteps; ++step)
      z = next_point(z, rounded_multiply(z.re, z.re), rounded_multiply(z.im, z.im), c);
    return smooth_from(dwell, static_cast<float>(z.re), static_cast<float>(z.im));
  }

  LOOM_HOST_DEVICE std::uint32_t dwell_of(const OrbitResult<Real>& orbit, std::uint32_t x,
                                          std::uint32_t y) const {
    if constexpr (kEstimates) {
      if (orbit.uncertain && uncertain.count != nullptr) uncertain.add({x, y});
    }
    return orbit.dwell;
  }

  /// The distance of a pixel's c from the reference's; of a Julia set, that of the pixel from `first`.
  LOOM_HOST_DEVICE ComplexExp<Real> distance_at(std::uint32_t x, std::uint32_t y) const {
    const auto across = static_cast<Real>(2 * static_cast<std::int32_t>(x) - width);
    const auto down = static_cast<Real>(2 * static_cast<std::int32_t>(y) - height);
    const Complex<Real> distance =
        multiply(Complex<Real>{half_spacing.re, half_spacing.im}, Complex<Real>{across, down});
    return ComplexExp<Real>(distance.re, distance.im, half_spacing.exponent) + offset;
  }

  /// kSeries: with series steps, if there are any.
  template <bool kSeries = true>
  LOOM_HOST_DEVICE OrbitResult<Real> run(std::uint32_t x, std::uint32_t y, std::uint32_t limit) const {
    const Distance c(distance_at(x, y));
    Progress at;
    Tracking tracking;
    Run ended = advance < kSeries && kSeriesFirst > (at, c, limit, search_from, tracking);
    if constexpr (kLeavesLongOrbits) {
      if (ended == Run::kReturn)
        ended = run_searching<kSeries>(*this, at, c, limit, [](std::uint32_t) { return true; });
    }
    return result(ended, at, limit);
  }
  /// Below this square of its length, a value has certainly not escaped.
  static constexpr Plain kCertainSquare =
      Plain{4} - (sizeof(Real) == 4 ? Plain{1} / 262144 : Plain{1} / 70368744177664.0);

  /// The distance after the longest of the steps that begin with `step` whose threshold is above `size`, the
  /// larger part of w; that of `step` is. `head` is that of `step`, then of the longest one.
  template <typename Tracked>
  LOOM_HOST_DEVICE Complex<Real> after_longest_step(std::uint32_t step, Plain size, Complex<Real> w,
                                                    Complex<Real> c, StepHead<Real>& head,
                                                    Tracked& tracking) const {
    while ((head.length & kHasLonger) != 0) {
      const StepHead<Real> longer = heads[step + 1];
      if (!(size < longer.threshold)) break;
      head = longer;
      ++step;
    }
    const StepMap<Real> map = maps[step];
    tracking.step(head, map, w, c);
    return multiply_add(multiply_add(map.q, w, map.a), w, multiply(map.b, c));
  }

  /// The same with the longest of the series steps from `at` on; whether there is one.
  template <typename Tracked>
  LOOM_HOST_DEVICE bool take_series(std::uint32_t at, Plain size, Complex<Real> w, Complex<Real> c,
                                    Complex<Real>& z, StepHead<Real>& head, Tracked& tracking) const {
    while (!(size < series[at].threshold)) {
      if ((series[at].length & kHasShorter) == 0) return false;
      ++at;
    }
    const SeriesStep<Real>& step = series[at];
    head = {step.threshold, step.length, step.next};
    const Complex<Real> x{w.re * step.unit, w.im * step.unit};
    const Complex<Real> y{c.re * series_c_unit, c.im * series_c_unit};
    Complex<Real> slopes[Tracked::kSlopes];
    z = step.series.at(x, y, slopes);
    tracking.series_step(step, size, x, y, slopes);
    return true;
  }

  /// Whether returns to point 0 are searched for a cycle.
  template <typename Leaves>
  static constexpr bool kSearches = !std::is_convertible_v<Leaves, std::uint32_t>;
  /// Whether the orbit is left at a return to point 0.
  template <typename Leaves>
  LOOM_HOST_DEVICE static bool is_left(const Leaves& leaves, std::uint32_t count, Complex<Real> z) {
    if constexpr (kSearches<Leaves>) {
      return leaves(count, z);
    } else {
      return count >= leaves;
    }
  }

  /// Whether the orbit has escaped: `value`, whose square is `square`, is at distance z from `reference`,
  /// point `point`.
  LOOM_HOST_DEVICE bool has_escaped(Plain square, Complex<Real> value, Complex<Real> z,
                                    Complex<Real> reference, std::uint32_t point) const {
    return escapes(square, value, point, [&] { return growth_of(z, reference); });
  }

  /// How iterations ended. kReturn: at point 0, at or after the iteration that was given.
  enum class Run { kEscaped, kLimit, kOtherRange, kReturn };

  /// That of distance_at().
  struct Distance {
    ComplexExp<Real> wide;
    Complex<Real> narrow;
    LOOM_HOST_DEVICE explicit Distance(const ComplexExp<Real>& c) : wide(c), narrow(c.value()) {}
  };
  /// What is added in each iteration.
  LOOM_HOST_DEVICE Distance added(const Distance& pixel) const {
    return first == 0 ? pixel : Distance(ComplexExp<Real>());
  }

  /// The state between two points.
  struct Progress {
    Complex<Real> z{0, 0};      ///< distance from the reference; in the end the value itself
    std::uint32_t point = 0;    ///< of the reference
    std::uint32_t step = 0;     ///< the first step that begins at `begin`
    std::uint32_t begin = 0;    ///< the next point where steps begin; not before `point`
    std::uint32_t count = 0;    ///< iterations from 0: the value is Z_count of the pixel
    bool is_wide = kWide;       ///< z has an exponent of its own
    bool uncertain = false;     ///< in the end: rounding may have changed the dwell
    ComplexExp<Real> wide_z{};  ///< if is_wide
  };

  /// A step with exponents. It is the longest one possible for from <= exponent of w < below.
  struct WideStep {
    static constexpr std::uint32_t kNoPoint = ~0u;
    std::uint32_t start = kNoPoint;  ///< the point where it begins
    std::int32_t from = 0;
    std::int32_t below = 0;
    std::uint32_t length = 0;
    std::uint32_t next = 0;  ///< the first step that begins at the end
    ComplexExp<Real> a = {};
    ComplexExp<Real> bc = {};
    ComplexExp<Real> end = {};  ///< of the reference
  };

  LOOM_HOST_DEVICE static OrbitResult<Real> result(Run ended, const Progress& at, std::uint32_t limit) {
    const bool escaped = ended == Run::kEscaped && at.count - 1 < limit;
    return {escaped ? at.count - 1 : limit, at.z, at.uncertain};
  }

  /// The end of an orbit with Real, at distance z from `reference`, point `point`. Without kEstimates,
  /// `error` is not used.
  LOOM_HOST_DEVICE Run end_narrow(Progress& at, bool escaped, double error, Complex<Real> value,
                                  Complex<Real> z, Complex<Real> reference, std::uint32_t point,
                                  std::uint32_t count, Complex<Real> c) const {
    at.z = value;
    at.point = point;
    at.count = count;
    if constexpr (kEstimates) {
      at.uncertain = !(error < Tracking::kLost);
      if (escaped && !is_clearly_certain(error * power_of_two<double>(-kErrorShift<Real>), value, count, c))
        at.uncertain =
            is_uncertain(at, FloatExp<double>(error, -kErrorShift<Real>), square_of(ComplexExp<Real>(z)),
                         excess_of(value, point, [&] { return growth_of(z, reference); }), c);
    }
    return escaped ? Run::kEscaped : Run::kLimit;
  }

  /// Places the orbit of a pixel of a Julia set at its beginning. Whether it ends there, and then how.
  template <typename Tracked>
  LOOM_HOST_DEVICE bool ends_at_first(Progress& at, const Distance& pixel, std::uint32_t limit,
                                      Tracked& tracking, Run& ended) const {
    using Exp = ComplexExp<Real>;
    const Exp reference = kWide ? wide_point(first, kNotTiny) : Exp(points[first]);
    const Exp value = reference + pixel.wide;
    at = {};
    at.count = 1;
    if (value.exponent >= 0) {
      at.z = value.value();
      ended = Run::kEscaped;
      if (escapes(plain_square(at.z), at.z, first, [&] { return growth_of(pixel.wide, reference); }))
        return true;
    }
    ended = Run::kLimit;
    if (limit <= 1) return true;
    if (larger_part_is_below(value, pixel.wide)) {
      tracking.rebase_wide(pixel.wide, value, 1);
      at.wide_z = value;
    } else {
      at.wide_z = pixel.wide;
      at.point = at.begin = first;
      at.step = first_step;
    }
    at.z = at.wide_z.value();
    return false;
  }

  /// Iterates until the orbit ends, or is left at a return to point 0: from iteration `leaves` on, or where
  /// leaves(iterations, distance) says so. kSeries: takes series steps as well.
  template <bool kSeries = false, typename Leaves, typename Tracked>
  LOOM_HOST_DEVICE Run advance(Progress& at, const Distance& pixel, std::uint32_t limit, const Leaves& leaves,
                               Tracked& tracking) const {
    Run at_first{};
    if (first != 0 && at.count == 0 && ends_at_first(at, pixel, limit, tracking, at_first)) return at_first;
    const Distance c = added(pixel);
    if constexpr (kWide) {
      for (;;) {
        const Run ended = at.is_wide ? run_wide(at, c, limit, leaves, tracking)
                                     : run_narrow(at, c.narrow, limit, leaves, tracking);
        if (ended != Run::kOtherRange) return ended;
        at.is_wide = !at.is_wide;
      }
    } else {
      return run_narrow<kSeries>(at, c.narrow, limit, leaves, tracking);
    }
  }

  /// advance() with exponents; ends also if w is at least 2^kHigh.
  template <typename Leaves, typename Tracked>
  LOOM_HOST_DEVICE Run run_wide(Progress& at, const Distance& distance, std::uint32_t limit,
                                const Leaves& leaves, Tracked& tracking) const {
    const ComplexExp<Real>& c = distance.wide;
    ComplexExp<Real> z = at.wide_z;
    ComplexExp<Real> reference =
        wide_point(at.point, at.point == at.begin ? wide_heads[at.step].tiny : kNotTiny);
    ComplexExp<Real> value = reference + z;
    WideStep last;                     // the last step taken
    std::uint32_t last_from_zero = 0;  // the index of the last step taken from point 0
    for (;;) {
      using Exp = ComplexExp<Real>;
      const Exp w = z * Exp::unnormalized_sum(reference, value);
      if (w.exponent >= DistanceRange<Real>::kHigh) {
        at.z = z.value();
        return Run::kOtherRange;
      }
      bool linear = false;
      if (at.point == at.begin) {
        // Orbits return to point 0 about equally close and mostly take the same step.
        linear = at.point == last.start && last.from <= w.exponent && w.exponent < last.below;
        if (!linear) {
          std::uint32_t longest = at.point == 0 ? last_from_zero : at.step;
          WideStepHead head = wide_heads[longest];
          std::int32_t from = kZeroExponent;
          linear = w.exponent < head.exponent;
          while (linear && (head.length & kHasLonger) != 0) {
            const WideStepHead longer = wide_heads[longest + 1];
            from = longer.exponent;
            if (!(w.exponent < longer.exponent)) break;
            head = longer;
            from = kZeroExponent;
            ++longest;
          }
          while (!linear && longest > at.step) {
            from = head.exponent;
            head = wide_heads[--longest];
            linear = w.exponent < head.exponent;
          }
          const std::uint32_t length_of_step = head.length & ~kHasLonger;
          if (linear) {
            if (at.point == 0) last_from_zero = longest;
            last = {at.point, from, head.exponent, length_of_step, head.next};
            const WideStepMap<Real> map = wide_maps[longest];
            last.a = Exp::unnormalized(map.a.re, map.a.im, map.a_exponent);
            last.bc = Exp::unnormalized_product(Exp::unnormalized(map.b.re, map.b.im, map.b_exponent), c);
            last.end =
                wide_point(at.point + length_of_step,
                           at.point + length_of_step == length ? tiny_count - 1 : wide_heads[head.next].tiny);
          } else {
            at.begin = at.point + length_of_step;
            at.step = head.next;
          }
        }
      }
      tracking.iterate_wide(value, linear ? &last.a : nullptr);
      if (linear) {
        z = Exp::unnormalized_sum(Exp::unnormalized_product(last.a, w), last.bc).normalized();
        at.count += last.length;
        at.point += last.length;
        at.begin = at.point;
        at.step = last.next;
        reference = last.end;
      } else {
        z = w + c;
        ++at.point;
        ++at.count;
        reference = wide_point(at.point, at.point == length     ? tiny_count - 1
                                         : at.point == at.begin ? wide_heads[at.step].tiny
                                                                : kNotTiny);
      }
      const bool ended = at.point == length;
      value = reference + z;
      bool escaped = false;
      if (value.exponent >= 0) {
        at.z = value.value();
        const auto growth = [&] { return growth_of(z, reference); };
        escaped = escapes(plain_square(at.z), at.z, at.point, growth);
        if constexpr (Tracked::kEstimatesError) {
          at.uncertain = escaped &&
                         !is_clearly_certain(tracking.wide.value(), at.z, at.count, distance.narrow) &&
                         is_uncertain(at, tracking.wide, square_of(z), excess_of(at.z, at.point, growth),
                                      distance.narrow);
        }
      }
      if (escaped) return Run::kEscaped;
      if (at.count >= limit) {
        at.uncertain = tracking.is_lost();
        return Run::kLimit;
      }
      if (ended || larger_part_is_below(value, z)) {
        tracking.rebase_wide(z, value, at.count);
        z = value;
        reference = {};
        at.point = at.step = at.begin = 0;
        if (is_left(leaves, at.count, z.value())) {
          at.wide_z = z;
          return Run::kReturn;
        }
      }
    }
  }

 private:
  /// The first of `count` entries, by index, whose index is not below `index`.
  template <typename Entry>
  LOOM_HOST_DEVICE static std::uint32_t find(const Entry* entries, std::uint32_t count, std::uint32_t index) {
    std::uint32_t low = 0;
    while (low < count) {
      const std::uint32_t middle = low + (count - low) / 2;
      if (entries[middle].index < index) {
        low = middle + 1;
      } else {
        count = middle;
      }
    }
    return low;
  }

  /// The entry of an edge point, or edge_count.
  LOOM_HOST_DEVICE std::uint32_t edge_of(std::uint32_t point) const {
    if (edge_count == 0) return 0;
    const std::uint32_t at = find(edges, edge_count, point);
    return at != edge_count && edges[at].index == point ? at : edge_count;
  }

  /// |Z + z|^2 - |Z|^2.
  LOOM_HOST_DEVICE static FloatExp<Real> growth_of(Complex<Real> z, Complex<Real> reference) {
    return FloatExp<Real>(multiply_add(z.re, 2 * reference.re + z.re, z.im * (2 * reference.im + z.im)));
  }
  LOOM_HOST_DEVICE static FloatExp<Real> growth_of(const ComplexExp<Real>& z,
                                                   const ComplexExp<Real>& reference) {
    const ComplexExp<Real> sum = reference.doubled() + z;
    return FloatExp<Real>(multiply_add(z.re, sum.re, z.im * sum.im), z.exponent + sum.exponent);
  }

  /// Whether |value|^2, about `square`, is at least 4. Close to 4, rounded numbers do not tell: there it
  /// depends on |Z + z|^2 - 4 = (|Z|^2 - 4) + (2 Re(Z conj z) + |z|^2), of which `growth`() is the second
  /// part.
  template <typename Growth>
  LOOM_HOST_DEVICE bool escapes(Plain square, Complex<Real> value, std::uint32_t point,
                                const Growth& growth) const {
    if (square < kCertainSquare) return false;
    if (square > Plain{8} - kCertainSquare) return true;
    const std::uint32_t edge = edge_of(point);
    if (edge == edge_count) return !(square_of_length(value) < Real{4});
    return !((edges[edge].margin + growth()).mantissa < 0);
  }

  /// |Z + z|^2 - 4 in the same way.
  template <typename Growth>
  LOOM_HOST_DEVICE FloatExp<double> excess_of(Complex<Real> value, std::uint32_t point,
                                              const Growth& growth) const {
    const std::uint32_t edge = edge_of(point);
    const FloatExp<Real> excess = edge == edge_count ? FloatExp<Real>(square_of_length(value) - Real{4})
                                                     : edges[edge].margin + growth();
    return {static_cast<double>(excess.mantissa), excess.exponent};
  }

  /// z_(n-1)^2 of an orbit that ended at z_n.
  LOOM_HOST_DEVICE Complex<Real> square_before(Complex<Real> value, Complex<Real> c) const {
    return {value.re - (points[1].re + c.re), value.im - (points[1].im + c.im)};
  }

  /// Whether plain numbers suffice to see that is_uncertain() is false: nearly always.
  LOOM_HOST_DEVICE bool is_clearly_certain(double error, Complex<Real> value, std::uint32_t count,
                                           Complex<Real> c) const {
    constexpr double kSquareOfDistance = 512;  // z is the value minus a point of the reference
    constexpr double kPlain = 0x1p-30;         // where the rounding of `excess` and `room` does not matter
    const double moved = kErrorSafety * kErrorSafety * kRoundingSquare<Real> *
                         (error + kSquareOfDistance * static_cast<double>(count));
    const auto square = static_cast<double>(plain_square(value));
    const double excess = square - 4;
    const double room = 16 - static_cast<double>(plain_square(square_before(value, c)));
    return excess > kPlain && room > kPlain && moved * 4 * square < excess * excess &&
           moved * 64 < room * room;
  }

  /// Whether an orbit that ended at `at`, at a distance of this square, may have another dwell than exact
  /// arithmetic gives: the last value, whose square is 4 + `excess`, is too close to |z| = 2, or the one
  /// before it. The dwell at a point that follows an edge point is decided there.
  LOOM_HOST_DEVICE bool is_uncertain(const Progress& at, FloatExp<double> error, FloatExp<double> distance,
                                     FloatExp<double> excess, Complex<Real> c) const {
    if (at.count == 1) return false;  // c itself
    using Exp = FloatExp<double>;
    Exp moved = error + Exp(static_cast<double>(at.count)) * distance;
    if (edge_of(at.point) == edge_count) moved = moved + Exp(4.0);  // the rounding of the value itself
    moved = moved * Exp(kErrorSafety * kErrorSafety * kRoundingSquare<Real>);
    if (!(moved * Exp(4 * static_cast<double>(plain_square(at.z))) < excess * excess)) return true;
    if (at.point > 0 && edge_of(at.point - 1) != edge_count) return false;
    // |z_(n-1)|^2 = r: 4 - r = (16 - r^2) / (4 + r), and r is moved as far as z_n.
    const auto room = static_cast<double>(Real{16} - square_of_length(square_before(at.z, c)));
    return room < 0 || !(moved * Exp(64.0) < Exp(room) * Exp(room));
  }

  /// advance() with Real; ends also, with kWide, if w is below 2^kLow. The lanes of
  /// compute/cpu/mandelbrot/perturbed_lanes.cpp do the same.
  template <bool kSeries = false, typename Leaves, typename Tracked>
  LOOM_HOST_DEVICE Run run_narrow(Progress& at, Complex<Real> c, std::uint32_t limit, const Leaves& leaves,
                                  Tracked& tracking) const {
    Complex<Real> z = at.z;
    std::uint32_t point = at.point;
    std::uint32_t step = at.step;
    std::uint32_t begin = at.begin;
    std::uint32_t count = at.count;
    Complex<Real> reference = points[point];
    Complex<Real> value{reference.re + z.re, reference.im + z.im};
    Plain square = plain_square(value);
    const auto leave = [&] {
      at.z = z;
      at.point = point;
      at.step = step;
      at.begin = begin;
      at.count = count;
      tracking.leave_narrow();
    };
    tracking.enter_narrow();
    for (;;) {
      std::uint32_t series_step = kNoSeries;
      if constexpr (kSeries) series_step = series_of == nullptr ? kNoSeries : series_of[step];
      const Complex<Real> sum{reference.re + value.re, reference.im + value.im};
      const Complex<Real> w = multiply(z, sum);
      const Plain size = larger_part(w);
      if constexpr (kWide) {
        if (size < power_of_two<Plain>(DistanceRange<Real>::kLow)) {
          leave();
          at.wide_z = ComplexExp<Real>(z);
          return Run::kOtherRange;
        }
      }
      tracking.iterate(z, value, square);
      bool linear = false;
      if (point == begin) {
        if (first != 0) tracking.round(z, square);
        StepHead<Real> head;
        if constexpr (kSeries) {
          if (series_step != kNoSeries) linear = take_series(series_step, size, w, c, z, head, tracking);
        }
        if (!linear) {
          head = heads[step];
          linear = size < head.threshold;
          if (linear) z = after_longest_step(step, size, w, c, head, tracking);
        }
        if (linear) {
          count += head.length & ~kHasLonger;
          point += head.length & ~kHasLonger;
          begin = point;
        } else {
          begin = point + (head.length & ~kHasLonger);
        }
        step = head.next;
      }
      if (!linear) {
        z = {w.re + c.re, w.im + c.im};
        ++point;
        ++count;
      }
      reference = points[point];
      value = {reference.re + z.re, reference.im + z.im};
      square = plain_square(value);
      if constexpr (kSearches<Leaves> && !kSeries) {
        // Few orbits go on for long, each in a warp of its own: there, one branch is faster than three.
        const bool goes_on = (square < kCertainSquare) & (count < limit) & (point != length) &
                             !(larger_part(value) < larger_part(z));
        if (goes_on) continue;
      }
      const bool escaped = has_escaped(square, value, z, reference, point);
      if (escaped || count >= limit) {
        const double error = tracking.end(z, static_cast<double>(square));
        return end_narrow(at, escaped, error, value, z, reference, point, count, c);
      }
      if (point == length || larger_part(value) < larger_part(z)) {
        tracking.rebase(z, count, static_cast<double>(square));
        z = value;
        reference = {0, 0};
        point = step = begin = 0;
        if (is_left(leaves, count, z)) {
          leave();
          return Run::kReturn;
        }
      }
    }
  }

  /// Point `index` with an exponent; `known` is its entry among the tiny points, if it is one, or kNotTiny
  /// for a search.
  LOOM_HOST_DEVICE ComplexExp<Real> wide_point(std::uint32_t index, std::uint32_t known) const {
    const Complex<Real> point = points[index];
    if (index == 0 || exponent_of(larger_part(point)) >= kTinyExponent) return ComplexExp<Real>(point);
    const TinyValue<Real> found = tiny[known == kNotTiny ? find(tiny, tiny_count, index) : known];
    return {found.value.re, found.value.im, found.exponent};
  }
};

}  // namespace loom
