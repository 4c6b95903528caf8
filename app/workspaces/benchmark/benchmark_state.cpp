#include "app/workspaces/benchmark/benchmark_state.h"

#include <fmt/format.h>

#include <algorithm>

#include "compute/core/error.h"

namespace loom::app {
namespace {

/// A typed axis is at most a line of some hundred values.
constexpr std::size_t kMaxAxisBytes = 65536;

constexpr float kMinSeconds = 0.02f;
constexpr float kMaxSeconds = 20;

}  // namespace

scene::Json to_json(const bench::SweepTexts& sweep) {
  scene::Json json{{"preset", sweep.preset},
                   {"kind", name_of(sweep.kind)},
                   {"max_seconds", sweep.max_seconds},
                   {"energy", sweep.energy}};
  json["axes"] = scene::Json::object();
  for (const auto& [name, text] : sweep.texts) json["axes"][name] = text;
  return json;
}

bench::SweepTexts read_sweep(const JsonReader& json) {
  bench::SweepTexts sweep;
  sweep.preset = json.text("preset");
  if (!sweep.preset.empty()) bench::find_preset(sweep.preset);
  sweep.kind = bench::parse_sweep_kind(json.text("kind"));
  sweep.max_seconds = std::clamp(static_cast<float>(json.number("max_seconds")), kMinSeconds, kMaxSeconds);
  if (json.has("energy")) sweep.energy = json.yes_no("energy");  // earlier scenes do not have it
  sweep.texts = bench::default_axes(sweep.kind);
  const JsonReader axes = json.object("axes");
  for (auto& [name, text] : sweep.texts) {
    if (axes.has(name.c_str())) text = axes.text(name.c_str());
    if (text.size() > kMaxAxisBytes)
      throw InputError(fmt::format("{} has {} bytes; allowed: up to {}", axes.path(name.c_str()), text.size(),
                                   kMaxAxisBytes));
  }
  return sweep;
}

scene::Json BenchmarkState::to_json(const scene::WriteContext&) const {
  return {{"sweep", sweep ? loom::app::to_json(*sweep) : scene::Json(nullptr)}};
}

std::string BenchmarkState::description() const {
  if (!sweep) return "benchmark of the current scene";
  return sweep->preset.empty() ? "benchmark" : "benchmark " + sweep->preset;
}

scene::StatePtr BenchmarkState::read(const JsonReader& json, const scene::ReadContext&) {
  auto state = std::make_shared<BenchmarkState>();
  if (!json.is_null("sweep")) state->sweep = read_sweep(json.object("sweep"));
  return state;
}

scene::Json BenchmarkState::read_place(const JsonReader& json) {
  return {{"sweep", loom::app::to_json(read_sweep(json.object("sweep")))}};
}

std::string BenchmarkState::describe_place(const scene::Json& place) {
  const std::string preset = place["sweep"]["preset"].get<std::string>();
  return preset.empty() ? "benchmark" : "benchmark " + preset;
}

}  // namespace loom::app
