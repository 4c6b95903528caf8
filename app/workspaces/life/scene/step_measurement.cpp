#include "app/workspaces/life/scene/step_measurement.h"

#include <chrono>

#include "app/bench/sampler.h"

namespace loom::app {
namespace {

constexpr std::uint32_t kMaxSamples = 40;
constexpr double kMaxSeconds = 0.25;

MapTime measure_step(const FractalConfig& config, const StepConditions& conditions, ProgressMonitor& watch) {
  const auto engine = make_fractal_engine(config, conditions.backend, &watch);
  engine->set_monitor(&watch);
  engine->wait_for_compilation();
  engine->reset(conditions.start);
  bench::Sampler sampler(
      {.max_samples = kMaxSamples, .max_seconds = kMaxSeconds, .rounds_per_call = conditions.generations});
  while (!sampler.finished()) {
    const auto begin = std::chrono::steady_clock::now();
    const StepReport report = engine->run(conditions.generations, conditions.work);
    if (watch.cancelled()) throw OperationCancelled();
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
    sampler.add(report.milliseconds, conditions.generations, elapsed.count());
  }
  return {config.method, sampler.summary().median, engine->allocated_bytes()};
}

}  // namespace

std::vector<MapTime> measure_steps(const std::vector<FractalConfig>& configs,
                                   const StepConditions& conditions, ProgressMonitor& watch) {
  std::vector<MapTime> times;
  for (const FractalConfig& config : configs) {
    times.push_back(measure_step(config, conditions, watch));
  }
  return times;
}

}  // namespace loom::app
