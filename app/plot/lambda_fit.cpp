#include "app/plot/lambda_fit.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "compute/device/device.h"

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

/// FP32 cores per multiprocessor for a compute capability such as "8.6". Empty if the text is not valid.
std::optional<double> cores_of(std::string_view compute_capability) {
  const char* const end = compute_capability.data() + compute_capability.size();
  int major = 0;
  int minor = 0;
  const auto [dot, wrong] = std::from_chars(compute_capability.data(), end, major);
  if (wrong != std::errc{} || dot == end || *dot != '.') return std::nullopt;
  const auto [stop, wrong_too] = std::from_chars(dot + 1, end, minor);
  if (wrong_too != std::errc{} || stop != end) return std::nullopt;
  return cores_of_multiprocessor(major, minor);
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
    if (gpu.device != device || gpu.multiprocessors <= 0) continue;
    if (const auto cores = cores_of(gpu.compute_capability)) {
      return Processors{static_cast<double>(gpu.multiprocessors), *cores};
    }
  }
  return std::nullopt;
}

}  // namespace loom::app::plot
