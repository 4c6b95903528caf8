#include "app/workspaces/life/scene/map_measurement.h"

#include <fmt/format.h>

#include <algorithm>
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
  if (busy()) return;
  conditions_ = conditions;
  task_.start([with, configs = methods_to_compare(config)](
                  ProgressMonitor& monitor) { return measure_steps(configs, with, monitor); },
              "out of memory while benchmarking the maps");
}

Message MapMeasurement::take(bool waits) {
  auto outcome = waits ? task_.wait() : task_.poll();
  if (!outcome) return {};
  if (outcome->cancelled) return Message::warning("The benchmark was cancelled; earlier times are kept");
  if (!outcome->result) return Message::error(outcome->problem);
  Message message = Message::success(words_of(*outcome->result));
  times_.record_benchmark(*conditions_, std::move(*outcome->result));
  return message;
}

Progress MapMeasurement::progress() const {
  if (!busy()) return {};
  return {"benchmarking the maps", task_.share()};
}

}  // namespace loom::app
