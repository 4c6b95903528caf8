#include "compute/perturbation/perturbation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "compute/core/error.h"
#include "compute/core/stopwatch.h"
#include "compute/mandelbrot/big_real.h"
#include "compute/mandelbrot/mandelbrot_config.h"

namespace loom {
namespace {

constexpr std::int64_t kLeadingBits = 192;  // more than Decimal::leading() and two doubles hold

/// a - b.
FloatExp<DoubleDouble> rounded_difference(const Decimal& a, const Decimal& b) {
  return rounded_twice(BigReal(difference(a, b), kLeadingBits).get());
}

/// The conversion of numbers of a step to Real, whose normal numbers have exponents of at least -kLeast.
template <typename Real>
constexpr int kLeast = RealBits<Real>::kBias - 27;

template <typename Real, typename From>
bool in_range(const ComplexExp<From>& z) {
  return z.exponent > -kLeast<Real> && z.exponent < kLeast<Real>;
}

template <typename Real, typename From>
Complex<Real> mantissas(const ComplexExp<From>& z) {
  return {converted<Real>(z.re), converted<Real>(z.im)};
}

template <typename Real, typename From>
Complex<Real> narrowed(const ComplexExp<From>& z) {
  const Complex<From> value = z.value();
  return {converted<Real>(value.re), converted<Real>(value.im)};
}

/// The threshold of the larger part of w: sqrt(2) times it is an upper bound of |w|.
FloatExp<double> of_larger_part(FloatExp<double> threshold) {
  return threshold.is_zero() ? threshold : FloatExp<double>(threshold.mantissa * 0.7071, threshold.exponent);
}

/// Whether the map of a step can be computed with Real. If c is below its range, its part must be negligible.
template <typename Real, typename From>
bool fits(const OrbitStep<From>& step, FloatExp<double> radius) {
  if (!in_range<Real>(step.a) || !in_range<Real>(step.b)) return false;
  if (radius.exponent > -kLeast<Real>) return true;
  return step.b.exponent + radius.exponent <
         step.a.exponent + DistanceRange<Real>::kLow - RealBits<Real>::kMantissa - 2;
}

/// Sets the table of series steps for c up to `radius`.
template <typename Real, typename From>
void set_series(const std::vector<OrbitSeries<From>>& series, std::size_t steps, FloatExp<double> radius,
                PerturbationTables<Real>& tables) {
  using Plain = typename RealBits<Real>::Plain;
  const auto fits = [](std::int32_t exponent) { return exponent > -kLeast<Real> && exponent < kLeast<Real>; };
  tables.series.clear();
  tables.series_of.clear();
  if (!fits(c_exponent_of(radius))) return;
  tables.series_c_unit = power_of_two<Plain>(-c_exponent_of(radius));
  for (const OrbitSeries<From>& from : series) {
    if (!fits(from.exponent)) continue;
    SeriesStep<Real> step{};
    step.unit = power_of_two<Plain>(-from.exponent);
    step.threshold = static_cast<Plain>(of_larger_part(FloatExp<double>(1.0, from.exponent)).value());
    step.length = from.length;
    step.next = from.next;
    for (int i = 0; i <= Series<Real>::N; ++i) {
      for (int j = 0; j <= Series<Real>::N; ++j) {
        const Complex<From> term = from.series.terms[i][j];
        step.series.terms[i][j] = {converted<Real>(term.re), converted<Real>(term.im)};
      }
    }
    tables.series_of.resize(steps, kNoSeries);
    std::uint32_t& first = tables.series_of[from.first];
    if (first == kNoSeries) {
      first = static_cast<std::uint32_t>(tables.series.size());
    } else {
      tables.series.back().length |= kHasShorter;
    }
    tables.series.push_back(step);
  }
}

/// How many steps an orbit takes along the whole reference if it takes the longest ones.
template <typename Real>
std::uint32_t fewest_steps_of(const PerturbationTables<Real>& tables) {
  std::uint32_t steps = 0;
  for (std::uint32_t step = 0;;) {
    while ((tables.heads[step].length & kHasLonger) != 0) ++step;
    steps += tables.heads[step].threshold > 0 ? 1 : tables.heads[step].length;
    step = tables.heads[step].next;
    if (step == 0) return steps;
  }
}

/// The tables of an orbit for pixels at most `radius` from its centre.
template <typename Real>
void make_tables(const ReferenceOrbit& orbit, PerturbationTables<Real>& tables, FloatExp<double> radius,
                 bool wide) {
  using Plain = typename RealBits<Real>::Plain;
  constexpr bool kTwice = std::is_same_v<Real, DoubleDouble>;
  using Exact = std::conditional_t<kTwice, DoubleDouble, double>;
  std::vector<OrbitSeries<Exact>> series;
  const UnsetArray<OrbitStep<Exact>> steps =
      make_orbit_steps<Exact>(orbit, radius, RealBits<Real>::kMantissa + 1, wide ? nullptr : &series);
  if constexpr (!std::is_same_v<Real, double>) {
    tables.points.resize(orbit.points.size());
#pragma omp parallel for schedule(static) if (orbit.points.size() > 131072)
    for (std::size_t i = 0; i < orbit.points.size(); ++i) {
      const Complex<double> z = orbit.points[i];
      if constexpr (kTwice) {
        tables.points[i] = {{z.re, orbit.low[i].re}, {z.im, orbit.low[i].im}};
      } else {
        tables.points[i] = {static_cast<Real>(z.re), static_cast<Real>(z.im)};
      }
    }
  }
  const std::size_t count = steps.size();
  const auto first = std::lower_bound(steps.begin(), steps.end(), orbit.first,
                                      [](const OrbitStep<Exact>& a, std::uint32_t b) { return a.start < b; });
  tables.first_step = first == steps.end() ? 0 : static_cast<std::uint32_t>(first - steps.begin());
  set_series(series, count, radius, tables);
  tables.heads.resize(count);
  tables.maps.resize(count);
  tables.wide_heads.resize(wide ? count : 0);
  tables.wide_maps.resize(wide ? count : 0);
  tables.tiny.clear();
  for (const TinyPoint& point : orbit.tiny) {
    if (!wide) break;
    tables.tiny.push_back({point.index, point.value.exponent, mantissas<Real>(point.value)});
  }
  tables.edges.clear();
  for (const EdgePoint& point : orbit.edges)
    tables.edges.push_back({point.index, {converted<Real>(point.margin.mantissa), point.margin.exponent}});
#pragma omp parallel for schedule(static) if (count > 4096)
  for (std::size_t i = 0; i < count; ++i) {
    const OrbitStep<Exact>& step = steps[i];
    const std::uint32_t length = step.length | (step.has_longer ? kHasLonger : 0);
    const bool usable = fits<Real>(step, radius);
    const bool quadratic =
        usable && (step.q.is_zero() || in_range<Real>(step.q)) && step.threshold < step.quadratic_threshold;
    const FloatExp<double> narrow = of_larger_part(quadratic ? step.quadratic_threshold : step.threshold);
    tables.heads[i] = {
        usable && narrow.exponent > 1 - RealBits<Real>::kBias
            ? static_cast<Plain>(std::min<double>(narrow.value(), std::numeric_limits<Plain>::max()))
            : Plain{0},
        length, step.next};
    tables.maps[i] = {};
    if (usable) tables.maps[i] = {.a = narrowed<Real>(step.a), .q = {}, .b = narrowed<Real>(step.b)};
    if (quadratic) tables.maps[i].q = narrowed<Real>(step.q);
    if (!wide) continue;
    std::uint32_t tiny = kNotTiny;
    const auto found = std::lower_bound(orbit.tiny.begin(), orbit.tiny.end(), step.start,
                                        [](const TinyPoint& a, std::uint32_t b) { return a.index < b; });
    if (found != orbit.tiny.end() && found->index == step.start)
      tiny = static_cast<std::uint32_t>(found - orbit.tiny.begin());
    // w with an exponent below the threshold's is below the threshold.
    tables.wide_heads[i] = {of_larger_part(step.threshold).exponent, length, step.next, tiny};
    tables.wide_maps[i] = {mantissas<Real>(step.a), mantissas<Real>(step.b), step.a.exponent,
                           step.b.exponent};
  }
  tables.fewest_steps = fewest_steps_of(tables);
}

/// The radius of a view of width x height pixels.
FloatExp<double> radius_of(FloatExp<DoubleDouble> half_spacing, std::uint32_t width, std::uint32_t height) {
  return FloatExp<double>(static_cast<double>(half_spacing.mantissa), half_spacing.exponent) *
         FloatExp<double>(std::hypot(static_cast<double>(width), static_cast<double>(height)));
}

/// Whether tables for c up to `radius` serve for those up to `farthest` and are not much worse than theirs.
bool tables_serve(FloatExp<double> radius, FloatExp<double> farthest) {
  return !(radius < farthest) && farthest.exponent + 2 > radius.exponent;
}

constexpr std::int64_t kBitsToZoom =
    64;  // more than needed, so that the orbit serves while the view zooms in

}  // namespace

/// Whether the orbit's centre and precision suffice for the view, whose offset is kept then.
bool Perturbation::orbit_is_near(const DecimalView& view, std::int64_t bits, FloatExp<double> radius) {
  if (!orbit_ || orbit_->orbit().bits < bits) return false;
  const ComplexExp<DoubleDouble> offset =
      complex_of(rounded_difference(view.re, center_.re), rounded_difference(view.im, center_.im));
  // Further away, the distance of a pixel would have fewer exact bits.
  constexpr int kFar = 4;
  if (!offset.is_zero() && offset.exponent > radius.exponent + kFar) return false;
  offset_ = offset;
  return true;
}

FloatExp<double> Perturbation::farthest(FloatExp<double> radius) const {
  if (julia_) return {};
  const FloatExp<double> offset = converted<double>(offset_).larger();
  return radius + offset + offset;
}

bool Perturbation::prepare(const DecimalView& view, std::uint32_t width, std::uint32_t height,
                           std::uint32_t limit, PerturbedKind kind, std::uint64_t available,
                           const ProgressScope& call, double angle, const std::optional<JuliaPoint>& julia) {
  const std::int64_t bits = reference_bits(view);
  BigReal extent(view.width.leading(), kLeadingBits);
  mpfr_div_ui(extent.get(), extent.get(), 2ul * width, MPFR_RNDN);
  half_spacing_ = rounded_twice(extent.get());
  turn_ = direction_of(angle);
  width_ = width;
  height_ = height;
  const FloatExp<double> radius = radius_of(half_spacing_, width, height);
  bool changed = false;
  const bool is_near = julia == julia_ && orbit_is_near(view, bits, radius) &&
                       (!kind.is_exact || !orbit_->orbit().low.empty());
  stats_.orbit_reused = is_near && orbit_->serves(radius, limit);
  if (!stats_.orbit_reused) {
    kind_.reset();
    twice_radius_.reset();
    stats_.exact_milliseconds = 0;
    const Stopwatch stopwatch;
    try {
      if (!is_near) {
        orbit_.reset();
        julia_ = julia;
        orbit_.emplace(view, bits + kBitsToZoom, available, kind.is_exact, julia);
        center_ = view;
        centre_limit_.reset();
        offset_ = {};
      }
      orbit_->extend(radius, limit, available, call);
    } catch (const CapacityError&) {
      orbit_.reset();
      throw;
    }
    stats_.orbit_milliseconds = stopwatch.milliseconds();
    changed = true;
  }
  const FloatExp<double> farthest = this->farthest(radius);
  if (kind_ != kind || !tables_serve(table_radius_, farthest)) {
    const Stopwatch stopwatch;
    kind_.reset();
    kind.is_double ? make_tables(orbit_->orbit(), double_tables_, farthest, kind.is_wide)
                   : make_tables(orbit_->orbit(), float_tables_, farthest, kind.is_wide);
    kind_ = kind;
    table_radius_ = farthest;
    stats_.table_milliseconds = stopwatch.milliseconds();
    changed = true;
  }
  const ReferenceOrbit& orbit = orbit_->orbit();
  stats_.orbit_length = orbit.length() - orbit.first;
  stats_.period = orbit.end == OrbitEnd::kPeriod ? orbit.length() : 0;
  stats_.steps = kind.is_double ? double_tables_.heads.size() : float_tables_.heads.size();
  stats_.bits = orbit.bits;
  stats_.digits = digits_needed(view);
  stats_.bytes = orbit.bytes() + (kind.is_double ? double_tables_.bytes() : float_tables_.bytes());
  return changed;
}

bool Perturbation::prepare_twice(std::uint64_t available) {
  const FloatExp<double> farthest = this->farthest(radius_of(half_spacing_, width_, height_));
  if (twice_radius_ && tables_serve(*twice_radius_, farthest)) return false;
  twice_radius_.reset();
  const std::uint64_t needed = 2 * kBytesPerPoint * orbit_->orbit().points.size();
  if (needed > available)
    throw CapacityError("the tables of two doubles need more memory", needed, available);
  const Stopwatch stopwatch;
  make_tables(orbit_->orbit(), twice_tables_, farthest, kind_->is_wide);
  twice_radius_ = farthest;
  stats_.exact_milliseconds = stopwatch.milliseconds();
  return true;
}

std::vector<std::optional<std::uint32_t>> Perturbation::fixed_point_dwells(const DecimalView& view,
                                                                           std::span<const Coord32> pixels,
                                                                           std::uint32_t limit,
                                                                           const ProgressScope& call) {
  const std::int64_t bits = orbit_->orbit().bits;
  const auto exact = evaluator<DoubleDouble, true, true>();
  const auto at_centre = std::find_if(pixels.begin(), pixels.end(), [&](Coord32 pixel) {
    return exact.distance_at(pixel.x, pixel.y).is_zero();
  });
  if (at_centre == pixels.end())
    return loom::fixed_point_dwells(view, width_, height_, pixels, bits, limit, call, turn_, julia_);
  if (centre_limit_ != limit) {
    centre_limit_.reset();
    const Coord32 centre{1, 1};
    centre_dwell_ =
        loom::fixed_point_dwells(center_, 2, 2, {&centre, 1}, bits, limit, call, {1, 0}, julia_).front();
    centre_limit_ = limit;
  }
  std::vector<Coord32> others(pixels.begin(), at_centre);
  others.insert(others.end(), at_centre + 1, pixels.end());
  auto dwells = loom::fixed_point_dwells(view, width_, height_, others, bits, limit, call, turn_, julia_);
  dwells.insert(dwells.begin() + (at_centre - pixels.begin()), centre_dwell_);
  return dwells;
}

}  // namespace loom
