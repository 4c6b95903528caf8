#include "compute/perturbation/linear_steps.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace loom {
namespace {

/// |z|.
FloatExp<double> magnitude(const ComplexExp<double>& z) {
  if (z.is_zero()) return {};
  return {std::sqrt(z.re * z.re + z.im * z.im), z.exponent};
}

/// What is left of `limit` for w after the part of c, divided by |a|; zero if nothing is.
FloatExp<double> room_for_w(FloatExp<double> limit, const ComplexExp<double>& a, const ComplexExp<double>& b,
                            FloatExp<double> radius) {
  const FloatExp<double> left = limit - magnitude(b) * radius;
  if (!(FloatExp<double>() < left)) return {};
  const FloatExp<double> slope = magnitude(a);
  if (slope.is_zero()) return {1.0, 1 << 20};
  return left / slope;
}

FloatExp<double> smaller(FloatExp<double> a, FloatExp<double> b) {
  return b < a ? b : a;
}

/// The order in which points begin steps of higher stages: closest to zero first; among points at about the
/// same distance, regularly spaced ones.
class Closeness {
 public:
  explicit Closeness(const ReferenceOrbit& orbit) : orbit_(orbit) {}
  std::int64_t of(std::uint32_t index, std::uint32_t ordinal) const {
    constexpr std::int64_t kFirst = std::int64_t{1} << 60;
    if (index == 0) return kFirst;
    const FloatExp<double> distance = magnitude(orbit_.at(index));
    const auto half_octaves =
        static_cast<std::int64_t>(-2 * (distance.exponent + std::log2(std::max(distance.mantissa, 1.0))));
    return half_octaves * 32 + std::countr_zero(ordinal);
  }

 private:
  const ReferenceOrbit& orbit_;
};

/// The beginnings of a stage among those of the stage below: one of `ratio`, the closest to zero.
std::vector<std::uint32_t> select_starts(const std::vector<std::uint32_t>& below, const Closeness& closeness,
                                         std::size_t ratio) {
  std::vector<std::int64_t> keys(below.size());
  for (std::size_t i = 0; i < below.size(); ++i)
    keys[i] = closeness.of(below[i], static_cast<std::uint32_t>(i));
  const std::size_t kept = std::max<std::size_t>(1, below.size() / ratio);
  std::vector<std::int64_t> sorted = keys;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(kept - 1), sorted.end(),
                   std::greater<>());
  const std::int64_t least = sorted[kept - 1];
  std::size_t ties = kept - static_cast<std::size_t>(std::count_if(
                                keys.begin(), keys.end(), [least](std::int64_t key) { return key > least; }));
  std::vector<std::uint32_t> starts;
  starts.reserve(kept);
  for (std::size_t i = 0; i < below.size(); ++i) {
    if (keys[i] < least || (keys[i] == least && ties == 0)) continue;
    if (keys[i] == least) --ties;
    starts.push_back(below[i]);
  }
  return starts;
}

}  // namespace

std::vector<LinearStep> make_linear_steps(const ReferenceOrbit& orbit, FloatExp<double> radius, int bits) {
  constexpr std::size_t kLowestRatio = 8;
  constexpr std::size_t kStageRatio = 4;
  const std::uint32_t length = orbit.length();
  // The largest |z| at a point inside a step: e |2 Z|, or less close to |Z| = 2; zero if the reference is
  // outside.
  const auto limit_at = [&](std::uint32_t index, const ComplexExp<double>& point) {
    FloatExp<double> limit = magnitude(point);
    if (!limit.is_zero()) limit.exponent += 1 - bits;
    if (point.exponent < 0) return limit;
    const Complex<double> z = orbit.points[index];
    FloatExp<double> room(4 - z.re * z.re - z.im * z.im);
    if (room.value() < kEdge) {
      const auto edge = std::lower_bound(orbit.edges.begin(), orbit.edges.end(), index,
                                         [](const EdgePoint& a, std::uint32_t b) { return a.index < b; });
      if (edge == orbit.edges.end() || edge->index != index) return FloatExp<double>();
      room = -edge->margin;
    }
    if (!(FloatExp<double>() < room)) return FloatExp<double>();
    room.exponent -= 3;
    return smaller(limit, room);
  };
  const ComplexExp<double> one(Complex<double>{1, 0});
  std::vector<std::uint32_t> starts(length);
  for (std::uint32_t i = 0; i < length; ++i) starts[i] = i;
  const Closeness closeness(orbit);
  starts = select_starts(starts, closeness, kLowestRatio);

  // The lowest stage, point by point.
  std::vector<LinearStep> lowest(starts.size());
#pragma omp parallel for schedule(static) if (starts.size() > 1024)
  for (std::size_t i = 0; i < starts.size(); ++i) {
    LinearStep& step = lowest[i];
    step.start = starts[i];
    const std::uint32_t end = i + 1 < starts.size() ? starts[i + 1] : length;
    step.length = end - step.start;
    step.a = step.b = one;
    step.threshold = {1.0, 1 << 20};
    for (std::uint32_t k = step.start + 1; k < end; ++k) {
      const ComplexExp<double> point = orbit.at(k);
      step.threshold = smaller(step.threshold, room_for_w(limit_at(k, point), step.a, step.b, radius));
      const ComplexExp<double> slope = point.doubled();
      step.a = slope * step.a;
      step.b = slope * step.b + one;
    }
  }
  // Higher stages join the steps of the stage below.
  std::vector<std::vector<LinearStep>> stages{lowest};
  while (stages.back().size() > 1) {
    const std::vector<LinearStep>& below = stages.back();
    starts = select_starts(starts, closeness, std::min(kStageRatio, starts.size()));
    std::vector<LinearStep> stage;
    stage.reserve(starts.size());
    std::size_t next_start = 0;
    for (const LinearStep& part : below) {
      if (next_start < starts.size() && part.start == starts[next_start]) {
        stage.push_back(part);
        ++next_start;
        continue;
      }
      LinearStep& joined = stage.back();
      const ComplexExp<double> point = orbit.at(part.start);
      // |z| at the joint is limited by its own square and by the threshold of |2 Z z|.
      FloatExp<double> limit = limit_at(part.start, point);
      const FloatExp<double> slope_size = magnitude(point.doubled());
      if (!slope_size.is_zero()) limit = smaller(limit, part.threshold / slope_size);
      joined.threshold = smaller(joined.threshold, room_for_w(limit, joined.a, joined.b, radius));
      const ComplexExp<double> slope = part.a * point.doubled();
      joined.a = slope * joined.a;
      joined.b = slope * joined.b + part.b;
      joined.length += part.length;
    }
    stages.push_back(std::move(stage));
  }

  // By beginning, shortest first.
  std::vector<LinearStep> steps;
  std::vector<std::uint32_t> first_of(lowest.size());  // the entry of the first step of each beginning
  std::vector<std::size_t> place(stages.size(), 0);
  for (std::size_t i = 0; i < lowest.size(); ++i) {
    first_of[i] = static_cast<std::uint32_t>(steps.size());
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
      std::size_t& at = place[stage];
      if (at == stages[stage].size() || stages[stage][at].start != lowest[i].start) break;
      const LinearStep& step = stages[stage][at++];
      // A longer step that can never be taken, and those above it, are left out.
      if (stage > 0 && step.threshold.is_zero()) continue;
      if (stage > 0) steps.back().has_longer = true;
      steps.push_back(step);
    }
  }
  for (LinearStep& step : steps) {
    const std::uint32_t end = step.start + step.length;
    const auto found = std::lower_bound(lowest.begin(), lowest.end(), end,
                                        [](const LinearStep& a, std::uint32_t b) { return a.start < b; });
    step.next = found == lowest.end() ? 0 : first_of[static_cast<std::size_t>(found - lowest.begin())];
  }
  return steps;
}

}  // namespace loom
