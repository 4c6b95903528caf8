#include "compute/perturbation/orbit_steps.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

namespace loom {
namespace {

/// |z|.
template <typename Real>
FloatExp<double> magnitude(const ComplexExp<Real>& z) {
  if (z.is_zero()) return {};
  return {std::sqrt(plain_square(Complex<Real>{z.re, z.im})), z.exponent};
}

FloatExp<double> larger(FloatExp<double> a, FloatExp<double> b) {
  return a < b ? b : a;
}
FloatExp<double> smaller(FloatExp<double> a, FloatExp<double> b) {
  return b < a ? b : a;
}
FloatExp<double> square_root(FloatExp<double> a) {
  if (a.is_zero()) return {};
  const std::int32_t odd = a.exponent & 1;
  return {std::sqrt(odd != 0 ? 2 * a.mantissa : a.mantissa), (a.exponent - odd) / 2};
}
/// 1 / a; very large if a is zero.
FloatExp<double> reciprocal(FloatExp<double> a) {
  return a.is_zero() ? FloatExp<double>(1.0, 1 << 20) : FloatExp<double>(1.0) / a;
}
/// 2^power a.
FloatExp<double> scaled(FloatExp<double> a, std::int32_t power) {
  if (!a.is_zero()) a.exponent += power;
  return a;
}

/// How large a distance may be at a point; zero if the reference is outside.
struct PointLimits {
  FloatExp<double> rounding;  ///< e |2 Z|, or less close to |Z| = 2
  FloatExp<double> distance;  ///< |Z| / 16, or less close to |Z| = 2
};

/// A step while it is composed. What its inner points demand, the largest of each: w, w^2 and c may be at
/// most its reciprocal.
template <typename Real>
struct Part : OrbitStep<Real> {
  using OrbitStep<Real>::a;
  using OrbitStep<Real>::q;
  using OrbitStep<Real>::b;
  using OrbitStep<Real>::length;
  using OrbitStep<Real>::threshold;
  using OrbitStep<Real>::quadratic_threshold;

  FloatExp<double> linear;     ///< |A| / limit
  FloatExp<double> quadratic;  ///< 4 |Q| / limit
  FloatExp<double> constant;   ///< 4 |B| / limit
  FloatExp<double> distance;   ///< |A| / the largest distance
  bool never = false;          ///< a limit is zero

  /// Adds the inner point whose distance is A w + Q w^2 + B c.
  void add_point(const PointLimits& limits) {
    never = never || limits.rounding.is_zero();
    if (never) return;
    linear = larger(linear, magnitude(a) / limits.rounding);
    quadratic = larger(quadratic, scaled(magnitude(q) / limits.rounding, 2));
    constant = larger(constant, scaled(magnitude(b) / limits.rounding, 2));
    distance = larger(distance, magnitude(a) / limits.distance);
  }
  /// z -> 2 Z z + z^2, without what is left out.
  void square_at(const ComplexExp<Real>& point) {
    const ComplexExp<Real> slope = point.doubled();
    q = slope * q + a * a;
    a = slope * a;
    b = slope * b;
  }
  /// Appends the step that begins at `point`, an inner point now.
  void join(const Part& added, const ComplexExp<Real>& point) {
    // w of the next step is a w + q w^2 + b c now.
    square_at(point);
    const FloatExp<double> a_size = magnitude(a);
    never = never || added.never;
    quadratic = larger(quadratic, scaled(magnitude(q) * added.linear, 2) + a_size * a_size * added.quadratic);
    constant = larger(constant, scaled(magnitude(b) * added.linear, 2) + added.constant);
    linear = larger(linear, a_size * added.linear);
    distance = larger(distance, a_size * added.distance);
    q = added.a * q + added.q * (a * a);
    b = added.a * b + added.b;
    a = added.a * a;
    length += added.length;
  }
  /// Sets the thresholds for every c at most `radius` from the reference's.
  void set_thresholds(FloatExp<double> radius) {
    const FloatExp<double> one(1.0);
    threshold = quadratic_threshold = {};
    if (never) return;
    const FloatExp<double> left = one - scaled(constant * radius, -2);
    if (FloatExp<double>() < left) threshold = reciprocal(linear) * left;
    const FloatExp<double> quadratic_left = one - constant * radius;
    if (FloatExp<double>() < quadratic_left)
      quadratic_threshold =
          smaller(reciprocal(distance), square_root(reciprocal(quadratic) * quadratic_left));
  }
};

/// The number of parts from which on several threads are faster.
constexpr std::size_t kManyParts = 1024;

/// -2 log2 |z|, rounded down: larger for points closer to zero.
std::int32_t half_octaves(const ComplexExp<double>& point) {
  if (point.is_zero()) return -2 * kZeroExponent;
  const FloatExp<double> square(square_of_length(Complex<double>{point.re, point.im}), 2 * point.exponent);
  return -(square.exponent + (square.mantissa > 1 ? 1 : 0));
}

/// The beginnings of a stage among those of the stage below: one of `ratio`, the closest to zero; among
/// points at about the same distance, regularly spaced ones. `closeness` has half_octaves() of every point.
std::vector<std::uint32_t> select_starts(const std::vector<std::uint32_t>& below,
                                         const std::vector<std::int32_t>& closeness, std::size_t ratio) {
  std::vector<std::int64_t> keys(below.size());
  for (std::size_t i = 0; i < below.size(); ++i) {
    // Point 0 comes first: it is zero, and countr_zero(0) is above every other one.
    keys[i] = std::int64_t{closeness[below[i]]} * 32 + std::countr_zero(static_cast<std::uint32_t>(i));
  }
  const std::size_t kept = std::max<std::size_t>(1, below.size() / ratio);
  std::vector<std::int64_t> sorted = keys;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(kept - 1), sorted.end(),
                   std::greater<>());
  const std::int64_t least = sorted[kept - 1];
  const auto above = std::ranges::count_if(keys, [least](std::int64_t key) { return key > least; });
  // Of equal ones, regularly spaced ones: the orbit of a preperiodic point has many.
  const std::size_t wanted = kept - static_cast<std::size_t>(above);
  const auto equal = static_cast<std::size_t>(std::ranges::count(keys, least));
  std::size_t found = 0;
  std::vector<std::uint32_t> starts;
  starts.reserve(kept);
  for (std::size_t i = 0; i < below.size(); ++i) {
    if (keys[i] < least) continue;
    if (keys[i] == least) {
      ++found;
      if (found * wanted / equal == (found - 1) * wanted / equal) continue;
    }
    starts.push_back(below[i]);
  }
  return starts;
}

}  // namespace

template <typename Real>
std::vector<OrbitStep<Real>> make_orbit_steps(const ReferenceOrbit& orbit, FloatExp<double> radius,
                                              int bits) {
  constexpr std::size_t kLowestRatio = 8;
  constexpr std::size_t kStageRatio = 4;
  const std::uint32_t length = orbit.length();
  const auto limits_at = [&](std::uint32_t index, const ComplexExp<Real>& point) {
    const FloatExp<double> size = magnitude(point);
    PointLimits limits{scaled(size, 1 - bits), scaled(size, -4)};
    if (point.exponent < 0) return limits;
    const Complex<double> z = orbit.points[index];
    FloatExp<double> room(4 - z.re * z.re - z.im * z.im);
    if (room.value() < kEdge) {
      const auto edge = std::lower_bound(orbit.edges.begin(), orbit.edges.end(), index,
                                         [](const EdgePoint& a, std::uint32_t b) { return a.index < b; });
      if (edge == orbit.edges.end() || edge->index != index) return PointLimits();
      room = -edge->margin;
    }
    if (!(FloatExp<double>() < room)) return PointLimits();
    return PointLimits{smaller(limits.rounding, scaled(room, -3)),
                       smaller(limits.distance, scaled(room, -4))};
  };
  const ComplexExp<Real> one(Complex<Real>{1, 0});
  std::vector<std::uint32_t> starts(length);
  std::vector<std::int32_t> closeness(length);
  for (std::uint32_t i = 0; i < length; ++i) {
    starts[i] = i;
    closeness[i] = half_octaves(orbit.at<double>(i));
  }
  starts = select_starts(starts, closeness, kLowestRatio);

  // The lowest stage, point by point.
  std::vector<std::vector<Part<Real>>> stages(1);
  stages[0].resize(starts.size());
#pragma omp parallel for schedule(static) if (starts.size() >= kManyParts)
  for (std::size_t i = 0; i < starts.size(); ++i) {
    Part<Real>& step = stages[0][i];
    step.start = starts[i];
    const std::uint32_t end = i + 1 < starts.size() ? starts[i + 1] : length;
    step.length = end - step.start;
    step.a = step.b = one;
    for (std::uint32_t k = step.start + 1; k < end; ++k) {
      const ComplexExp<Real> point = orbit.at<Real>(k);
      step.add_point(limits_at(k, point));
      step.square_at(point);
      step.b = step.b + one;
    }
    step.set_thresholds(radius);
  }
  // Higher stages join the steps of the stage below.
  while (stages.back().size() > 1) {
    const std::vector<Part<Real>>& below = stages.back();
    starts = select_starts(starts, closeness, std::min(kStageRatio, starts.size()));
    std::vector<std::size_t> first(starts.size() + 1,
                                   below.size());  // index in `below` of each step's first part
    for (std::size_t i = 0, part = 0; i < starts.size(); ++i) {
      while (below[part].start != starts[i]) ++part;
      first[i] = part;
    }
    std::vector<Part<Real>> stage(starts.size());
#pragma omp parallel for schedule(static) if (below.size() >= kManyParts)
    for (std::size_t i = 0; i < starts.size(); ++i) {
      Part<Real>& step = stage[i];
      step = below[first[i]];
      for (std::size_t part = first[i] + 1; part < first[i + 1]; ++part) {
        const ComplexExp<Real> point = orbit.at<Real>(below[part].start);
        step.add_point(limits_at(below[part].start, point));
        step.join(below[part], point);
      }
      step.set_thresholds(radius);
    }
    stages.push_back(std::move(stage));
  }

  // By beginning, shortest first.
  const std::vector<Part<Real>>& lowest = stages[0];
  std::vector<OrbitStep<Real>> steps;
  std::size_t count = 0;
  for (const std::vector<Part<Real>>& stage : stages) count += stage.size();
  steps.reserve(count);
  std::vector<std::uint32_t> first_at(length + 1);  // the entry of the first step that begins at a point
  std::vector<std::size_t> place(stages.size(), 0);
  for (std::size_t i = 0; i < lowest.size(); ++i) {
    first_at[lowest[i].start] = static_cast<std::uint32_t>(steps.size());
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
      std::size_t& at = place[stage];
      if (at == stages[stage].size() || stages[stage][at].start != lowest[i].start) break;
      const OrbitStep<Real>& step = stages[stage][at++];
      // A longer step that can never be taken, and those above it, are left out.
      if (stage > 0 && step.threshold.is_zero() && step.quadratic_threshold.is_zero()) continue;
      if (stage > 0) steps.back().has_longer = true;
      steps.push_back(step);
    }
  }
  for (OrbitStep<Real>& step : steps) step.next = first_at[step.start + step.length];
  return steps;
}

template std::vector<OrbitStep<double>> make_orbit_steps(const ReferenceOrbit&, FloatExp<double>, int);
template std::vector<OrbitStep<DoubleDouble>> make_orbit_steps(const ReferenceOrbit&, FloatExp<double>, int);

}  // namespace loom
