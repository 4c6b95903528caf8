#include "app/life/step_measurement.h"

#include <vector>

#include "app/shell/frame_times.h"

namespace loom::app {
namespace {

constexpr std::size_t kWarmUp = 2;
constexpr std::size_t kMostRuns = 40;
constexpr double kMostMilliseconds = 250;

}  // namespace

double measure_step(const FractalConfig& config, const BackendSelection& backend, const Settings& settings) {
  const auto engine = make_fractal_engine(config, backend);
  engine->reset(settings.start);
  std::vector<double> milliseconds;
  double spent = 0;
  for (std::size_t run = 0; run < kWarmUp + kMostRuns && (run == 0 || spent < kMostMilliseconds); ++run) {
    const double time = engine->run(1, settings.work()).milliseconds;
    spent += time;
    // A run that alone takes too long is the only one there is.
    if (run >= kWarmUp || time > kMostMilliseconds / 2) milliseconds.push_back(time);
  }
  return figures_of(milliseconds).median;
}

}  // namespace loom::app
