#include "compute/perturbation/orbit_steps.h"

#include <omp.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "compute/perturbation/step_series.h"

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
/// The same for work of some nanoseconds each.
constexpr std::size_t kManyPoints = 1 << 17;

/// -2 log2 |z|, rounded down: larger for points closer to zero.
std::int32_t half_octaves(const ComplexExp<double>& point) {
  if (point.is_zero()) return -2 * kZeroExponent;
  const FloatExp<double> square(square_of_length(Complex<double>{point.re, point.im}), 2 * point.exponent);
  return -(square.exponent + (square.mantissa > 1 ? 1 : 0));
}

/// Which of the beginnings of a stage are those of the next one: one of some, the closest to zero; among
/// points at about the same distance, regularly spaced ones. Threads share the beginnings in chunks.
class StartSelection {
 public:
  /// Of `count` beginnings. `points` has their points, null: all points. `closeness` has half_octaves() of
  /// every point.
  StartSelection(const std::uint32_t* points, std::size_t count, const UnsetArray<std::int32_t>& closeness)
      : points_(points),
        count_(count),
        closeness_(closeness),
        chunks_(count < kManyPoints ? 1 : count / kPointsOfChunk),
        above_(chunks_),
        equal_(chunks_) {}

  /// The indices of the `kept` beginnings, in order.
  std::vector<std::uint32_t> select(std::size_t kept) {
    const std::int64_t least = kth_largest(kept);
    std::size_t above = 0;
    std::size_t equal = 0;
    for_each_chunk([&](std::size_t chunk, std::size_t begin, std::size_t end) {
      std::size_t larger = 0;
      std::size_t same = 0;
      for (std::size_t i = begin; i < end; ++i) {
        const std::int64_t key = key_at(i);
        larger += key > least ? 1 : 0;
        same += key == least ? 1 : 0;
      }
      above_[chunk] = larger;
      equal_[chunk] = same;
    });
    for (std::size_t chunk = 0; chunk < chunks_; ++chunk) {
      above += std::exchange(above_[chunk], above);
      equal += std::exchange(equal_[chunk], equal);
    }
    // Of equal ones, regularly spaced ones: the orbit of a preperiodic point has many.
    const std::size_t wanted = kept - above;
    std::vector<std::uint32_t> selected(kept);
    for_each_chunk([&](std::size_t chunk, std::size_t begin, std::size_t end) {
      std::size_t found = equal_[chunk];
      std::uint32_t* to = selected.data() + above_[chunk] + found * wanted / equal;
      for (std::size_t i = begin; i < end; ++i) {
        const std::int64_t key = key_at(i);
        if (key < least) continue;
        if (key == least) {
          ++found;
          if (found * wanted / equal == (found - 1) * wanted / equal) continue;
        }
        *to++ = static_cast<std::uint32_t>(i);
      }
    });
    return selected;
  }

 private:
  static constexpr std::size_t kPointsOfChunk = 1 << 15;
  static constexpr std::int64_t kSpacings = 32;  ///< keys of one closeness

  std::int64_t key_at(std::size_t i) const {
    // Point 0 comes first: it is zero, and countr_zero(0) is above every other one.
    return std::int64_t{closeness_[points_ == nullptr ? i : points_[i]]} * kSpacings +
           std::countr_zero(static_cast<std::uint32_t>(i));
  }
  template <typename Use>
  void for_each_chunk(const Use& use) const {
#pragma omp parallel for schedule(dynamic) if (chunks_ > 1)
    for (std::size_t chunk = 0; chunk < chunks_; ++chunk)
      use(chunk, count_ * chunk / chunks_, count_ * (chunk + 1) / chunks_);
  }
  /// The `k`th largest key, by counting; keys of points that are extremely close to zero count as one.
  std::int64_t kth_largest(std::size_t k) const {
    constexpr std::int64_t kLeast = -64 * kSpacings;
    constexpr std::int64_t kMost = 256 * kSpacings;
    std::vector<std::size_t> counts(kMost - kLeast + 1);
    const auto clamped = [&](std::int64_t key) { return std::clamp(key, kLeast, kMost); };
    // An allocation that fails in the parallel region would end the program.
    std::vector<std::vector<std::uint32_t>> of_thread(static_cast<std::size_t>(omp_get_max_threads()),
                                                      std::vector<std::uint32_t>(counts.size()));
    for_each_chunk([&](std::size_t, std::size_t begin, std::size_t end) {
      std::vector<std::uint32_t>& own = of_thread[static_cast<std::size_t>(omp_get_thread_num())];
      for (std::size_t i = begin; i < end; ++i) ++own[static_cast<std::size_t>(clamped(key_at(i)) - kLeast)];
    });
    for (const auto& own : of_thread) {
      for (std::size_t i = 0; i < own.size(); ++i) counts[i] += own[i];
    }
    std::size_t place = counts.size() - 1;
    for (; counts[place] < k; --place) k -= counts[place];
    const std::int64_t key = kLeast + static_cast<std::int64_t>(place);
    if (key != kLeast && key != kMost) return key;
    std::vector<std::int64_t> keys;
    for (std::size_t i = 0; i < count_; ++i) {
      if (clamped(key_at(i)) == key) keys.push_back(key_at(i));
    }
    const auto kth = keys.begin() + static_cast<std::ptrdiff_t>(k - 1);
    std::nth_element(keys.begin(), kth, keys.end(), std::greater<>());
    return *kth;
  }

  const std::uint32_t* points_;
  std::size_t count_;
  const UnsetArray<std::int32_t>& closeness_;
  std::size_t chunks_;
  std::vector<std::size_t> above_;  ///< by chunk: keys above the least one that is kept, then those before
  std::vector<std::size_t> equal_;
};

/// The steps of a stage, and where they begin.
template <typename Real>
struct Stage {
  UnsetArray<Part<Real>> steps;
  std::vector<std::uint32_t> lowest;     ///< indices in the lowest stage
  std::vector<StepSeries<Real>> series;  ///< of the steps, or empty
};

/// The map of a step that may be taken the farthest.
template <typename Real>
StepSeries<Real> series_of(const Stage<Real>& stage, std::size_t i, std::int32_t c_exponent) {
  const StepSeries<Real> plain(stage.steps[i], c_exponent);
  if (stage.series.empty() || !stage.series[i].is_usable()) return plain;
  return plain.is_usable() && stage.series[i].exponent() < plain.exponent() ? plain : stage.series[i];
}

template <typename Real>
UnsetArray<OrbitStep<Real>> steps_over(const ReferenceOrbit& orbit, FloatExp<double> radius, int bits,
                                       std::vector<OrbitSeries<Real>>* series) {
  // Fewer steps make orbits slower, but not those along references as long as this: they come from places
  // where nearly all steps are long. There the memory counts.
  constexpr std::uint32_t kLongReference = 1 << 24;
  const std::size_t lowest_ratio = orbit.length() < kLongReference ? 8 : 44;
  constexpr std::size_t kStageRatio = 4;
  // More parts take longer than they save. The rounding of two doubles is so small that few other steps reach
  // far: there, all steps have a series or none.
  constexpr bool kTwice = std::is_same_v<Real, DoubleDouble>;
  constexpr std::size_t kMostPartsOfSeries = kTwice ? 1024 : 256;
  constexpr std::uint32_t kShortestOfSeries = 64;
  const std::uint32_t length = orbit.length();
  const auto makes_series = [&](std::size_t parts) {
    return series != nullptr && length >= kShortestOfSeries && parts <= kMostPartsOfSeries;
  };
  const auto limits_at = [&](std::uint32_t index, const ComplexExp<Real>& point) {
    // No step goes from one part of the orbit of a Julia set to the other.
    if (orbit.first != 0 && (index == orbit.first || index + 1 == orbit.first)) return PointLimits();
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
  UnsetArray<std::int32_t> closeness(length);
#pragma omp parallel for schedule(static) if (length >= kManyPoints)
  for (std::uint32_t i = 0; i < length; ++i) closeness[i] = half_octaves(orbit.at<double>(i));
  const bool has_two_parts = orbit.first != 0 && orbit.first < length;
  if (has_two_parts) closeness[orbit.first] = closeness[0] - 1;
  std::vector<std::uint32_t> starts =
      StartSelection(nullptr, length, closeness)
          .select(std::max<std::size_t>(has_two_parts ? 2 : 1, length / lowest_ratio));
  const std::size_t lowest_steps = starts.size();
  const auto point_after = [&](const std::vector<std::uint32_t>& of, std::size_t i) {
    return i + 1 < of.size() ? of[i + 1] : length;
  };

  // The lowest stage, point by point.
  std::vector<Stage<Real>> stages(1);
  stages[0].steps.resize(lowest_steps);
  if (kTwice && makes_series(lowest_steps)) stages[0].series.resize(lowest_steps);
  const bool has_series = !stages[0].series.empty();
  const std::int32_t c_exponent = c_exponent_of(radius);
  const double most_y = radius.is_zero() ? 0 : radius.mantissa / 2;
  const StepSeries<Real> iteration(0, c_exponent);
#pragma omp parallel for schedule(dynamic, 16) if (has_series || lowest_steps >= kManyParts)
  for (std::size_t i = 0; i < lowest_steps; ++i) {
    Part<Real> step;
    step.start = starts[i];
    const std::uint32_t end = point_after(starts, i);
    step.length = end - step.start;
    step.a = step.b = one;
    for (std::uint32_t k = step.start + 1; k < end; ++k) {
      const ComplexExp<Real> point = orbit.at<Real>(k);
      step.add_point(limits_at(k, point));
      step.square_at(point);
      step.b = step.b + one;
    }
    step.set_thresholds(radius);
    if (has_series && !step.never && step.length > 1) {
      StepSeries<Real> whole(reciprocal(step.distance).exponent, c_exponent);
      for (std::uint32_t k = step.start + 1; k < end; ++k) {
        const ComplexExp<Real> point = orbit.at<Real>(k);
        whole.join(iteration, point.value(), limits_at(k, point).distance.value());
      }
      whole.set_exponent(most_y, bits);
      stages[0].series[i] = std::move(whole);
    }
    stages[0].steps[i] = step;
  }
  // Higher stages join the steps of the stage below.
  while (stages.back().steps.size() > 1) {
    const Stage<Real>& stage_below = stages.back();
    const UnsetArray<Part<Real>>& below = stage_below.steps;
    const std::size_t kept = std::max<std::size_t>(1, below.size() / kStageRatio);
    const std::vector<std::uint32_t> first =
        StartSelection(starts.data(), below.size(), closeness).select(kept);
    Stage<Real> stage;
    stage.steps.resize(kept);
    stage.lowest.resize(kept);
    if (makes_series(kTwice ? lowest_steps : below.size())) stage.series.resize(kept);
    const bool joins_series = !stage.series.empty();
    std::vector<std::uint32_t> own(kept);
#pragma omp parallel for schedule(dynamic, 16) if ((kTwice && joins_series) || below.size() >= kManyParts)
    for (std::size_t i = 0; i < kept; ++i) {
      Part<Real> step = below[first[i]];
      const std::size_t end = i + 1 < kept ? first[i + 1] : below.size();
      for (std::size_t part = first[i] + 1; part < end; ++part) {
        const ComplexExp<Real> point = orbit.at<Real>(below[part].start);
        step.add_point(limits_at(below[part].start, point));
        step.join(below[part], point);
      }
      step.set_thresholds(radius);
      if (joins_series && (kTwice || (step.threshold.is_zero() && step.quadratic_threshold.is_zero()))) {
        StepSeries<Real> whole = series_of(stage_below, first[i], c_exponent);
        for (std::size_t part = first[i] + 1; part < end; ++part) {
          const std::uint32_t start = below[part].start;
          const ComplexExp<Real> point = orbit.at<Real>(start);
          whole.join(series_of(stage_below, part, c_exponent), point.value(),
                     limits_at(start, point).distance.value());
        }
        whole.set_exponent(most_y, bits);
        stage.series[i] = std::move(whole);
      }
      stage.steps[i] = step;
      stage.lowest[i] = stages.size() == 1 ? first[i] : stage_below.lowest[first[i]];
      own[i] = step.start;
    }
    starts = std::move(own);
    stages.push_back(std::move(stage));
  }

  // By beginning, shortest first. A longer step that can never be taken is left out.
  const auto index_in_lowest = [&](std::size_t stage, std::size_t i) {
    if (i == stages[stage].steps.size()) return lowest_steps;
    return stage == 0 ? i : stages[stage].lowest[i];
  };
  const auto for_each_step = [&](const auto& use) {
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
      const std::size_t count = stages[stage].steps.size();
#pragma omp parallel for schedule(static) if (count >= kManyPoints)
      for (std::size_t i = 0; i < count; ++i) {
        const OrbitStep<Real>& step = stages[stage].steps[i];
        if (stage == 0 || !step.threshold.is_zero() || !step.quadratic_threshold.is_zero())
          use(step, index_in_lowest(stage, i), index_in_lowest(stage, i + 1));
      }
    }
  };
  std::vector<std::uint32_t> place(lowest_steps + 1);  // of the next step that begins there
  for_each_step([&](const OrbitStep<Real>&, std::size_t begin, std::size_t) { ++place[begin]; });
  std::uint32_t count = 0;
  for (std::uint32_t& first : place) count += std::exchange(first, count);
  std::vector<std::uint32_t> first_place = place;
  first_place.back() = 0;
  UnsetArray<OrbitStep<Real>> steps(count);
  for_each_step([&](const OrbitStep<Real>& step, std::size_t begin, std::size_t end) {
    const std::uint32_t at = place[begin]++;
    steps[at] = step;
    steps[at].next = first_place[end];
    if (at != first_place[begin]) steps[at - 1].has_longer = true;
  });
  if (series == nullptr) return steps;
  series->clear();
  for (std::size_t stage = 0; stage < stages.size(); ++stage) {
    for (std::size_t i = 0; i < stages[stage].series.size(); ++i) {
      const StepSeries<Real>& whole = stages[stage].series[i];
      const OrbitStep<Real>& step = stages[stage].steps[i];
      const FloatExp<double> threshold = larger(step.threshold, step.quadratic_threshold);
      if (!whole.is_usable() || !(threshold < FloatExp<double>(1.0, whole.exponent() - 2))) continue;
      series->push_back({.first = first_place[index_in_lowest(stage, i)],
                         .length = step.length,
                         .next = first_place[index_in_lowest(stage, i + 1)],
                         .exponent = whole.exponent(),
                         .series = whole.series()});
    }
  }
  std::sort(series->begin(), series->end(), [](const OrbitSeries<Real>& a, const OrbitSeries<Real>& b) {
    return a.first != b.first ? a.first < b.first : a.length > b.length;
  });
  return steps;
}

}  // namespace

template <typename Real>
UnsetArray<OrbitStep<Real>> make_orbit_steps(const ReferenceOrbit& orbit, FloatExp<double> radius, int bits,
                                             std::vector<OrbitSeries<Real>>* series) {
  return steps_over<Real>(orbit, radius, bits, series);
}

template UnsetArray<OrbitStep<double>> make_orbit_steps(const ReferenceOrbit&, FloatExp<double>, int,
                                                        std::vector<OrbitSeries<double>>*);
template UnsetArray<OrbitStep<DoubleDouble>> make_orbit_steps(const ReferenceOrbit&, FloatExp<double>, int,
                                                              std::vector<OrbitSeries<DoubleDouble>>*);

}  // namespace loom
