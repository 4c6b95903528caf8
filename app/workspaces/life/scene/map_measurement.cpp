#include "app/workspaces/life/scene/map_measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <string_view>
#include <utility>

#include "app/text/format.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

/// "bounding box 0.121 ms, λ 0.044 ms, compact 0.050 ms per step, benchmarked back to back with rendering
/// paused". If a map has several methods, the first is the scene's.
std::string words_of(const std::vector<MapTime>& times) {
  std::string words;
  for (const MapKind map : kMapKinds) {
    const auto first = std::ranges::find(times, map, [](const MapTime& time) { return time.method.map; });
    if (first == times.end()) continue;
    words += fmt::format("{}{} {} ms", words.empty() ? "" : ", ", label_of(map),
                         std::string_view(format_ms(first->milliseconds)));
  }
  return words + " per step, benchmarked back to back with rendering paused";
}

}  // namespace

void MapMeasurement::start(const TimingConditions& conditions, const FractalConfig& config,
                           const StepConditions& with) {
  if (worker_.busy()) return;
  conditions_ = conditions;
  measured_.clear();
  worker_.start([this, with, configs = methods_to_compare(config)](ProgressMonitor& watch) {
    measured_ = measure_steps(configs, with, watch);
  });
}

void MapMeasurement::cancel() {
  if (worker_.busy()) worker_.watch().cancel();
}

void MapMeasurement::wait() {
  if (worker_.busy()) worker_.wait();
}

Message MapMeasurement::take(bool waits) {
  if (!worker_.busy()) return {};
  try {
    if (!worker_.wait_for(std::chrono::duration<double, std::milli>{waits ? 1e12 : 0})) return {};
    Message result = Message::success(words_of(measured_));
    times_.record_benchmark(*conditions_, std::move(measured_));
    return result;
  } catch (const OperationCancelled&) {
    return Message::warning("The benchmark was cancelled; earlier times are kept");
  } catch (const DeviceFault&) {
    throw;
  } catch (const MachineError& error) {
    return Message::error(error.what());
  } catch (const std::bad_alloc&) {
    return Message::error("out of memory while benchmarking the maps");
  }
}

Progress MapMeasurement::progress() const {
  if (!worker_.busy()) return {};
  return {"benchmarking the maps", worker_.watch().share()};
}

}  // namespace loom::app
