#include "app/bench/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "app/bench/axis_fields.h"

namespace loom::app::bench {
namespace {

std::string key_of(std::string_view name) {
  std::string key(name);
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

void add_limits(nlohmann::ordered_json& json, const Sampling& sampling) {
  json["max_samples"] = sampling.max_samples;
  json["max_seconds"] = sampling.max_seconds;
  json["target_noise"] = sampling.target_noise;
  const char* waiting = std::getenv("OMP_WAIT_POLICY");
  json["omp_wait_policy"] = waiting == nullptr ? "" : waiting;
}

nlohmann::ordered_json settings_json(const MandelbrotPlan& plan) {
  nlohmann::ordered_json json;
  json["preset"] = plan.preset;
  auto& axes = json["axes"];
  for (const MandelbrotAxisField& field : mandelbrot_axis_fields()) {
    axes[key_of(field.name)] = plan.texts.*field.text;
  }
  // What options narrowed.
  axes["size"] = fmt::format("{}", fmt::join(plan.axes.sizes, ","));
  json["repeats"] = plan.axes.repeats;
  add_limits(json, plan.sampling);
  return json;
}

nlohmann::ordered_json settings_json(const Plan& plan) {
  nlohmann::ordered_json json;
  json["preset"] = plan.preset;
  auto& axes = json["axes"];
  for (const AxisField& field : axis_fields()) axes[key_of(field.name)] = plan.texts.*field.text;
  // What options narrowed or a file named.
  axes["fractal"] = nlohmann::ordered_json::array();
  for (const NbbFractal& fractal : plan.axes.fractals) axes["fractal"].push_back(fractal.name());
  axes["level"] = fmt::format("{}", fmt::join(plan.axes.levels, ","));
  json["repeats"] = plan.axes.repeats;
  json["rule"] = to_string(plan.sampling.rule);
  json["seed"] = plan.sampling.start.seed;
  json["density"] = plan.sampling.start.density;
  add_limits(json, plan.sampling);
  return json;
}

template <typename PlanOfKind>
Results results_of(const PlanOfKind& plan, SweepKind kind, Machine machine, std::uint64_t planned) {
  Results results;
  results.program = program_version();
  results.commit = source_commit();
  results.date = utc_now();
  results.machine = std::move(machine);
  results.settings = settings_json(plan);
  results.planned = planned;
  results.kind = kind;
  return results;
}

}  // namespace

Results new_results(const Plan& plan, Machine machine, std::uint64_t planned) {
  return results_of(plan, SweepKind::kMaps, std::move(machine), planned);
}

Results new_results(const MandelbrotPlan& plan, Machine machine, std::uint64_t planned) {
  return results_of(plan, SweepKind::kMandelbrot, std::move(machine), planned);
}

std::string results_name(const Results& results) {
  std::string time = results.date;
  std::erase_if(time, [](char c) { return c == ':' || c == '-'; });
  const std::string preset = results.settings.value("preset", "");
  return fmt::format("bench-{}-{}.json", preset.empty() ? "sweep" : preset, time);
}

}  // namespace loom::app::bench
