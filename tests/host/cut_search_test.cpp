#include "compute/mandelbrot/cut_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "compute/core/integer_math.h"

namespace loom {
namespace {

using Cost = std::function<double(const DwellPlan&)>;

/// A synthetic machine model: each level costs a launch and a latency, work is spread over the thread blocks
/// in flight, and small leaves pay off.
struct Machine {
  double side = 1080;
  double launch = 0.004;  ///< milliseconds per level
  double latency = 0.01;  ///< milliseconds of the longest dependency chain of a level
  double blocks = 800;    ///< thread blocks in flight
  double pixel = 4e-6;    ///< milliseconds per pixel in one thread block
  double splits = 0.6;    ///< P
  double exhaustive = 2;  ///< milliseconds
  double operator()(const DwellPlan& plan) const {
    if (plan.exhaustive) return exhaustive;
    const auto [g, r, b] = plan.cut;
    double time = 0.01;
    double parts = g;
    double reached = 1;
    for (;;) {
      const double of_side = std::max(1.0, side / parts);
      const double regions = parts * parts * reached;
      const bool last = of_side / r <= b;
      const double pixels = 4 * of_side + (last ? splits * of_side * of_side : 0.0);
      time +=
          launch + latency + std::ceil(regions / blocks) * pixels * pixel * (last ? 1 : 2) + regions * 2e-6;
      if (last) return time;
      parts *= r;
      reached *= splits;
    }
  }
};

double best_of_all(const Cost& cost, bool may_be_exhaustive) {
  double best = may_be_exhaustive ? cost({true, {}}) : std::numeric_limits<double>::infinity();
  for (std::uint32_t g = kMinSearched; g <= kMaxSearched; g *= 2) {
    for (const std::uint32_t r : kSearchedR) {
      for (std::uint32_t b = kMinSearched; b <= kMaxSearched; b *= 2) {
        best = std::min(best, cost({false, {g, r, b}}));
      }
    }
  }
  return best;
}

CutSearch searched(const Cost& cost, const CostCut& first, bool may_be_exhaustive) {
  CutSearch search(first, may_be_exhaustive);
  while (const auto plan = search.next()) search.note(cost(*plan));
  return search;
}

TEST(CutSearch, FindsNearlyTheBestOfManyMachines) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    auto between = [&, n = std::uint64_t{0}](double low, double high) mutable {
      const double unit = static_cast<double>(splitmix64(seed * 16 + n++) >> 11) * 0x1p-53;
      return low * std::pow(high / low, unit);
    };
    const Machine machine{.side = between(500, 4000),
                          .launch = between(0.001, 0.02),
                          .latency = between(0.001, 0.1),
                          .blocks = between(2, 2000),
                          .pixel = between(1e-6, 1e-4),
                          .splits = between(0.2, 0.9),
                          .exhaustive = between(0.05, 50)};
    SCOPED_TRACE(seed);
    const CutSearch search = searched(machine, {4, 2, 16}, true);
    ASSERT_TRUE(search.best());
    EXPECT_LE(search.best()->time, 1.1 * best_of_all(machine, true));
    EXPECT_LE(search.best()->time, machine({true, {}}));
    EXPECT_LT(search.timed().size(), 60u);
  }
}

TEST(CutSearch, ThatMayNotBeExhaustiveTimesCutsAlone) {
  const Machine machine{.exhaustive = 0};
  const CutSearch search = searched(machine, {4, 2, 16}, false);
  for (const auto& timed : search.timed()) EXPECT_FALSE(timed.plan.exhaustive);
  EXPECT_LE(search.best()->time, 1.1 * best_of_all(machine, false));
}

TEST(CutSearch, TakesTheExhaustiveMethodWhereNoCutIsFaster) {
  const CutSearch search = searched(Machine{.exhaustive = 1e-3}, {4, 2, 16}, true);
  EXPECT_TRUE(search.best()->plan.exhaustive);
}

TEST(CutSearch, TimesEachPlanOnceAndTheFirstOnesFirst) {
  const CutSearch search = searched(Machine{}, {100, 3, 5}, true);
  const auto& timed = search.timed();
  ASSERT_GT(timed.size(), 2u);
  EXPECT_TRUE(timed[0].plan.exhaustive);
  EXPECT_EQ(timed[1].plan, (DwellPlan{false, {64, 2, 4}}));
  for (std::size_t i = 0; i < timed.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(timed[i].plan == timed[j].plan);
    const CostCut& cut = timed[i].plan.cut;
    if (timed[i].plan.exhaustive) continue;
    EXPECT_TRUE(cut.g >= 2 && cut.g <= 256 && cut.b >= 2 && cut.b <= 256 && cut.r >= 2 && cut.r <= 8);
  }
}

TEST(CutSearch, IsOverOnceNothingIsLeft) {
  CutSearch search({4, 2, 16}, true);
  EXPECT_FALSE(search.best());
  while (search.next()) search.note(1);  // all times are equal, so the first plan stays the best
  EXPECT_TRUE(search.best()->plan.exhaustive);
  const std::size_t count = search.timed().size();
  search.note(0);
  EXPECT_EQ(search.timed().size(), count);
}

}  // namespace
}  // namespace loom
