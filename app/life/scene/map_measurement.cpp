#include "app/life/scene/map_measurement.h"

#include <chrono>
#include <new>
#include <utility>

#include "compute/core/error.h"

namespace loom::app {

void MapMeasurement::start(const TimingConditions& conditions, const FractalConfig& config,
                           const StepConditions& with) {
  if (worker_.busy()) return;
  conditions_ = conditions;
  measured_.clear();
  worker_.start([this, with, configs = methods_to_compare(config)](Watch& watch) {
    measured_ = measure_steps(configs, with, watch);
  });
}

void MapMeasurement::cancel() {
  if (worker_.busy()) worker_.watch().cancel();
}

void MapMeasurement::wait() {
  if (worker_.busy()) worker_.wait();
}

std::string MapMeasurement::take(bool waits) {
  if (!worker_.busy()) return {};
  try {
    if (worker_.wait_for(std::chrono::duration<double, std::milli>{waits ? 1e12 : 0}))
      times_.record_together(*conditions_, std::move(measured_));
  } catch (const Cancelled&) {
    return "measuring was cancelled; the figures before it stay";
  } catch (const DeviceFault&) {
    throw;
  } catch (const MachineError& error) {
    return error.what();
  } catch (const std::bad_alloc&) {
    return "out of memory while the maps were measured";
  }
  return {};
}

Progress MapMeasurement::progress() const {
  if (!worker_.busy()) return {};
  return {"measuring the maps", worker_.watch().share()};
}

}  // namespace loom::app
