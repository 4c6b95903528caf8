#include "app/workspaces/mandelbrot/scene/landscape.h"

#include <algorithm>
#include <cmath>

#include "app/bench/results.h"
#include "compute/backend/engine_factory.h"
#include "compute/backend/fastest_plan.h"

namespace loom::app {
namespace {

constexpr int kRuns = 3;
/// Combinations are measured in strides, so that drift of the machine's speed appears as noise and not as a
/// slope. Coprime to the number of combinations.
constexpr std::size_t kStride = 77;

}  // namespace

CostCut landscape_cut(std::size_t cell) {
  const std::size_t b = cell % kLandscapeSide;
  const std::size_t g = cell / kLandscapeSide % kLandscapeSide;
  return {2u << g, kLandscapeR[cell / (kLandscapeSide * kLandscapeSide)], 2u << b};
}

LandscapeValues model_landscape(CostRatio ratio, const CostProblem& problem) {
  LandscapeValues values(kLandscapeCells);
  for (std::size_t cell = 0; cell < kLandscapeCells; ++cell) {
    const CostCut cut = landscape_cut(cell);
    if (cost_levels(problem, cut)) values[cell] = cost_ratio(ratio, problem, cut);
  }
  return values;
}

std::optional<std::size_t> best_cell(std::span<const std::optional<double>> values) {
  std::optional<std::size_t> best;
  for (std::size_t cell = 0; cell < values.size(); ++cell) {
    if (values[cell] && (!best || *values[cell] > *values[*best])) best = cell;
  }
  return best;
}

void Landscape::start(const MandelbrotConfig& config, const ComplexView& view, glm::ivec2 picture,
                      const BackendSelection& backend) {
  if (running()) return;
  const int most = backend.device.on_host ? kCpuSide : kCudaSide;
  const int longest = std::max(picture.x, picture.y);
  const double scale = std::min(1.0, static_cast<double>(most) / longest);
  MandelbrotView image = mandelbrot_view(view, picture, config.precision);
  const auto side = [&](std::uint32_t pixels) {
    return std::max(1u, static_cast<std::uint32_t>(std::lround(pixels * scale)));
  };
  image.width = side(image.width);
  image.height = side(image.height);
  config_ = config;
  // The exhaustive method has no parameters to compare.
  if (config_.method == MandelbrotMethod::kExhaustive) config_.method = MandelbrotMethod::kAsk;
  view_ = image;
  done_ = 0;
  for (auto& ratio : ratios_) ratio = 0;
  task_.start(
      [this, backend](ProgressMonitor& monitor) {
        measure(backend, monitor);
        return std::monostate{};
      },
      "out of memory for the landscape");
}

void Landscape::values(LandscapeValues& into) const {
  into.assign(view_ ? kLandscapeCells : 0, std::nullopt);
  for (std::size_t cell = 0; cell < into.size(); ++cell) {
    if (const double ratio = ratios_[cell]; ratio > 0) into[cell] = ratio;
  }
}

void Landscape::measure(const BackendSelection& backend, ProgressMonitor& monitor) {
  const auto engine = make_mandelbrot_engine(backend);
  engine->set_monitor(&monitor);
  MandelbrotConfig exhaustive = config_;
  exhaustive.method = MandelbrotMethod::kExhaustive;
  const double exhaustive_ms = shortest_ms(*engine, exhaustive, *view_, kRuns);
  for (std::size_t i = 0; i < kLandscapeCells; ++i) {
    MandelbrotConfig config = config_;
    const std::size_t cell = i * kStride % kLandscapeCells;
    const CostCut cut = landscape_cut(cell);
    config.g = cut.g;
    config.r = cut.r;
    config.b = cut.b;
    ratios_[cell] = exhaustive_ms / std::max(shortest_ms(*engine, config, *view_, kRuns), 1e-9);
    ++done_;
  }
}

// Finished measurements stay, however it ended.
std::string Landscape::poll(TaskTimeout timeout) {
  const auto outcome = task_.poll(timeout);
  return outcome ? outcome->problem : std::string();
}

ModelFit fit_model(const MeasuredRun& run) {
  ModelFit fit;
  fit.problem = {.n = std::sqrt(static_cast<double>(run.report.pixels)),
                 .dwell = static_cast<double>(run.config.dwell_limit),
                 .p = 0.7,
                 .lambda = kAssumedLambda,
                 .q = run.q,
                 .c = run.c};
  if (const auto p = bench::split_fraction(run.report)) {
    fit.problem.p = *p;
    fit.p_fitted = true;
  }
  if (run.exhaustive_ms && run.milliseconds > 0) fit.measured = *run.exhaustive_ms / run.milliseconds;

  const CostCut cut{run.config.g, run.config.r, run.config.b};
  if (!cost_levels(fit.problem, cut)) return fit;
  const auto ratio_at = [&](double lambda) {
    CostProblem problem = fit.problem;
    problem.lambda = lambda;
    return cost_ratio(run.ratio, problem, cut);
  };
  if (fit.measured && fit.p_fitted) {
    // The model's cost is linear in lambda, and so is the inverse ratio.
    const double free_splits = 1 / ratio_at(0);
    const double a_split = 1 / ratio_at(1) - free_splits;
    const double wanted = 1 / *fit.measured - free_splits;
    fit.faster_than_model = wanted < 0;
    if (fit.faster_than_model) fit.problem.lambda = 0;
    if (wanted >= 0 && a_split > 0) {
      fit.problem.lambda = wanted / a_split;
      fit.lambda_fitted = true;
    }
  }
  fit.predicted = ratio_at(fit.problem.lambda);
  return fit;
}

}  // namespace loom::app
