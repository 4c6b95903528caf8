#include "app/plot/lambda_fit.h"

#include <cmath>
#include <limits>
#include <string_view>

namespace loom::app::plot {
namespace {

double squared_error(CostRatio ratio, const CostProblem& problem, const std::vector<MeasuredCut>& cuts) {
  double sum = 0;
  for (const MeasuredCut& one : cuts) {
    const double difference = std::log(cost_ratio(ratio, problem, one.cut) / one.speedup);
    sum += difference * difference;
  }
  return sum;
}

double cores_of(std::string_view compute_capability) {
  for (const std::string_view fewer : {"6.0", "7.0", "7.2", "7.5", "8.0"}) {
    if (compute_capability == fewer) return 64;
  }
  return 128;
}

}  // namespace

std::optional<LambdaFit> fit_lambda(CostRatio ratio, CostProblem problem,
                                    const std::vector<MeasuredCut>& cuts) {
  std::vector<MeasuredCut> possible;
  for (const MeasuredCut& one : cuts) {
    if (cost_levels(problem, one.cut)) possible.push_back(one);
  }
  if (possible.empty()) return std::nullopt;
  double least = std::numeric_limits<double>::infinity();
  LambdaFit fit;
  constexpr int kStepsOfADecade = 20;
  for (int step = -2 * kStepsOfADecade; step <= 5 * kStepsOfADecade; ++step) {
    problem.lambda = std::pow(10.0, static_cast<double>(step) / kStepsOfADecade);
    const double error = squared_error(ratio, problem, possible);
    if (error >= least) continue;
    least = error;
    fit.problem = problem;
  }
  for (const MeasuredCut& one : possible) {
    const double predicted = cost_ratio(ratio, fit.problem, one.cut);
    if (predicted > fit.optimum.value) fit.optimum = {one.cut, predicted};
  }
  return fit;
}

std::optional<Processors> processors_of(const bench::Machine& machine, bool on_gpu, int device) {
  if (!on_gpu) return Processors{static_cast<double>(machine.threads < 1 ? 1 : machine.threads), 1};
  for (const bench::Gpu& gpu : machine.gpus) {
    if (gpu.device == device && gpu.multiprocessors > 0) {
      return Processors{static_cast<double>(gpu.multiprocessors), cores_of(gpu.compute_capability)};
    }
  }
  return std::nullopt;
}

}  // namespace loom::app::plot
