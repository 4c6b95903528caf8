#include "app/workspaces/life/scene/step_measurement.h"

#include "app/shell/frame_times.h"

namespace loom::app {
namespace {

constexpr std::size_t kWarmUp = 2;
constexpr std::size_t kMaxRuns = 40;
constexpr double kMaxMilliseconds = 250;

MapTime measure_step(const FractalConfig& config, const StepConditions& conditions, ProgressMonitor& watch) {
  const auto engine = make_fractal_engine(config, conditions.backend, &watch);
  engine->set_monitor(&watch);
  engine->wait_for_compilation();
  engine->reset(conditions.start);
  std::vector<double> milliseconds;
  double spent = 0;
  for (std::size_t run = 0; run < kWarmUp + kMaxRuns && (run == 0 || spent < kMaxMilliseconds); ++run) {
    const StepReport report = engine->run(conditions.generations, conditions.work);
    if (watch.cancelled()) throw OperationCancelled();
    spent += report.milliseconds;
    // A run that takes more than half of the time limit counts, although it is a warm-up run.
    if (run >= kWarmUp || report.milliseconds > kMaxMilliseconds / 2)
      milliseconds.push_back(report.milliseconds / conditions.generations);
  }
  return {config.method, stats_of(milliseconds).median, engine->allocated_bytes()};
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
