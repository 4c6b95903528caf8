#include "compute/mandelbrot/cost_model.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "compute/core/error.h"

namespace loom {
namespace {

void check_range(std::string_view name, double value, double lowest, double highest) {
  // Written so that NaN is rejected.
  if (value >= lowest && value <= highest) return;
  throw InputError(
      fmt::format("{} = {} is not allowed; allowed: {:.0f} to {:.0f}", name, value, lowest, highest));
}

int levels_or_throw(const CostProblem& problem, const CostCut& cut) {
  if (const auto levels = cost_levels(problem, cut)) return *levels;
  throw InputError(fmt::format("g = {}, r = {}, B = {} leave no level at n = {}; allowed: g * r * B <= n",
                               cut.g, cut.r, cut.b, problem.n));
}

/// The terms of level i of the sums, all as doubles.
struct LevelTerms {
  double border;   ///< 2 D (n / (g r^i))^(D - 1)
  double area;     ///< n^D / (G R^i), pixels of a region
  double regions;  ///< G R^i
  double reached;  ///< P^i
};

/// side^dimensions
double power(double side, int dimensions) {
  return dimensions == 2 ? side * side : side * side * side;
}

/// All pixels, or samples.
double pixels_of(const CostProblem& problem) {
  return power(problem.n, problem.dimensions);
}

LevelTerms terms_of(const CostProblem& problem, const CostCut& cut, int level) {
  const double parts = cut.g * std::pow(cut.r, level);
  const double side = problem.n / parts;
  const double border = problem.dimensions == 2 ? 4 * side : 6 * side * side;
  return {border, power(side, problem.dimensions), power(parts, problem.dimensions),
          std::pow(problem.p, level)};
}

}  // namespace

std::optional<int> cost_levels(const CostProblem& problem, const CostCut& cut) {
  int levels = 0;
  for (double side = static_cast<double>(cut.g) * cut.b * cut.r; side <= problem.n; side *= cut.r) ++levels;
  if (levels == 0) return std::nullopt;
  return levels;
}

double exhaustive_work(const CostProblem& problem) {
  return pixels_of(problem) * problem.dwell;
}

double exhaustive_time(const CostProblem& problem) {
  return problem.dwell * std::ceil(pixels_of(problem) / (problem.q * problem.c));
}

double subdivision_work(const CostProblem& problem, const CostCut& cut) {
  const int levels = levels_or_throw(problem, cut);
  const double split = problem.lambda * problem.dwell;
  double work = 0;
  for (int i = 0; i <= levels - 2; ++i) {
    const LevelTerms level = terms_of(problem, cut, i);
    const double border = level.border * problem.dwell;
    work += level.regions * level.reached * (border + problem.p * split + (1 - problem.p) * level.area);
  }
  return work + exhaustive_work(problem) * std::pow(problem.p, levels - 1);
}

double sbr_time(const CostProblem& problem, const CostCut& cut) {
  const int levels = levels_or_throw(problem, cut);
  const double a = problem.dwell;
  double time = 0;
  for (int i = 0; i <= levels - 2; ++i) {
    const LevelTerms level = terms_of(problem, cut, i);
    const double border = std::ceil(level.border * a / problem.c);
    const double fill = std::ceil(level.area / problem.c);
    const double rounds = std::ceil(level.regions / problem.q);
    time += (border + problem.p * problem.lambda * a + (1 - problem.p) * fill) * level.reached * rounds;
  }
  const LevelTerms last = terms_of(problem, cut, levels - 1);
  return time + a * std::ceil(last.area / problem.c) * std::ceil(last.regions / problem.q) * last.reached;
}

double mbr_time(const CostProblem& problem, const CostCut& cut) {
  const int levels = levels_or_throw(problem, cut);
  const double a = problem.dwell;
  const double all_cores = std::ceil(pixels_of(problem) / (problem.q * problem.c));
  double time = 0;
  for (int i = 0; i <= levels - 2; ++i) {
    const LevelTerms level = terms_of(problem, cut, i);
    const double border = std::ceil(level.border / problem.c);
    const double rounds = std::ceil(level.regions / problem.q);
    time += border * rounds * a * level.reached + rounds * problem.lambda * a * level.reached * problem.p +
            all_cores * level.reached * (1 - problem.p);
  }
  return time + a * std::pow(problem.p, levels - 1) * all_cores;
}

double cost_ratio(CostRatio ratio, const CostProblem& problem, const CostCut& cut) {
  switch (ratio) {
    case CostRatio::kWorkReduction:
      return exhaustive_work(problem) / subdivision_work(problem, cut);
    case CostRatio::kSbrSpeedup:
      return exhaustive_time(problem) / sbr_time(problem, cut);
    case CostRatio::kMbrSpeedup:
      return exhaustive_time(problem) / mbr_time(problem, cut);
  }
  return 0;
}

std::optional<CutValue> best_cut(CostRatio ratio, const CostProblem& problem,
                                 std::span<const std::uint32_t> g, std::span<const std::uint32_t> r,
                                 std::span<const std::uint32_t> b) {
  std::optional<CutValue> best;
  for (const std::uint32_t one_g : g) {
    for (const std::uint32_t one_r : r) {
      for (const std::uint32_t one_b : b) {
        const CostCut cut{one_g, one_r, one_b};
        if (!cost_levels(problem, cut)) continue;
        const double value = cost_ratio(ratio, problem, cut);
        if (!best || value > best->value) best = CutValue{cut, value};
      }
    }
  }
  return best;
}

void validate(const CostProblem& problem) {
  check_range("n", problem.n, 1, std::ldexp(1.0, 40));
  check_range("dimensions", static_cast<double>(problem.dimensions), 2, 3);
  check_range("dwell", problem.dwell, 1, std::ldexp(1.0, 32));
  check_range("p", problem.p, 0, 1);
  check_range("lambda", problem.lambda, 0, 1e9);
  check_range("q", problem.q, 1, 1e6);
  check_range("c", problem.c, 1, 1e6);
}

}  // namespace loom
