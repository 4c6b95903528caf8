#include "app/shell/timing_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/shell/stage_plot.h"

namespace loom::app {

nlohmann::ordered_json timing_json(const FrameTimes& times) {
  nlohmann::ordered_json json;
  for (const Stage stage : kStages) {
    const StageStats stats = times.stats(stage);
    auto& entry = json["stages"][std::string(name_of(stage))];
    entry = {{"median", nullptr}, {"p95", nullptr}, {"mean", nullptr}};
    if (stats.samples > 0) {
      entry = {{"median", stats.median}, {"p95", stats.p95}, {"mean", times.mean(stage)}};
    }
  }
  json["window_frames"] = times.size();
  const StageStats frame = times.stats(Stage::kFrame);
  json["fps"] = nullptr;
  if (frame.samples > 0) json["fps"] = 1000 / frame.mean;
  return json;
}

std::string timing_table(const FrameTimes& times) {
  std::string text = fmt::format("{:<18}{:>12}{:>12}\n", "stage", "median ms", "p95 ms");
  for (const Stage stage : kStages) {
    const StageStats stats = times.stats(stage);
    const char* const name = label_of(stage, times);
    text += stats.samples > 0 ? fmt::format("{:<18}{:>12.3f}{:>12.3f}\n", name, stats.median, stats.p95)
                              : fmt::format("{:<18}{:>12}{:>12}\n", name, "-", "-");
  }
  const StageStats frame = times.stats(Stage::kFrame);
  if (frame.samples > 0) {
    text +=
        fmt::format("{:.1f} frames per second over the last {} frames\n", 1000 / frame.mean, frame.samples);
  }
  return text;
}

}  // namespace loom::app
