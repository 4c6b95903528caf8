#include "app/cli/solid_life.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/bench/cell_config.h"
#include "app/cli/options/solid_options.h"
#include "app/cli/output.h"
#include "app/cli/workload_run.h"
#include "app/text/json_text.h"
#include "compute/backend/solid_factory.h"

namespace loom::app {
namespace {

std::uint64_t thread_blocks_of(const SolidConfig& config) {
  return solid_launch(config.method, make_tiled_solid(config.fractal, config.level, config.tile_size)).blocks;
}

void print_json(const WorkloadRun& run, const SolidSettings& settings) {
  const bool reduces = settings.work.workload == Workload::kReduction;
  nlohmann::ordered_json json;
  bench::add_config(json, bench::names_of(settings.config));
  json["workload"] = name_of(settings.work.workload);
  json["reduction"] = nullptr;
  if (reduces) json["reduction"] = name_of(ReductionMethod::kWarp);
  json["sum"] = nullptr;
  if (reduces && run.last_step) json["sum"] = run.last_step->sum;
  json["emulated"] = false;
  json["rule"] = to_string(settings.work.rule);
  json["seed"] = settings.start.seed;
  json["density"] = settings.start.density;
  add_run(json, run, thread_blocks_of(settings.config));
  fmt::print("{}\n", json_text(json));
}

void print_text(const WorkloadRun& run, const SolidSettings& settings) {
  const SolidConfig& config = settings.config;
  const TiledSolid tiled = make_tiled_solid(config.fractal, config.level, config.tile_size);
  TextTable table({"", ""});
  table.add({"fractal", fmt::format("{}, level {}: {} cells in {} x {} x {}", config.fractal.name(),
                                    config.level, run.cells, tiled.size.x, tiled.size.y, tiled.size.z)});
  table.add({"map", fmt::format("{}, tile {} x {} x {}{}", name_of(config.method.map), tiled.rho.x,
                                tiled.rho.y, tiled.rho.z, method_text(config.method))});
  table.add({"work", std::string(name_of(settings.work.workload))});
  table.add({"rule", fmt::format("{}, seed {}, density {}", to_string(settings.work.rule),
                                 settings.start.seed, settings.start.density)});
  table.add({"backend",
             fmt::format("{}: {} ({})", name_of(run.backend.device.kind), run.device, run.backend.reason)});
  add_run(table, run, settings.work.workload == Workload::kReduction);
  fmt::print("{}", table.text());
}

}  // namespace

int run_solid_life(const SceneOptions& scene, const SolidFile& solid, const std::string& steps,
                   const std::string& at_once) {
  const SolidSettings settings = solid_settings(scene, solid);
  WorkloadRun run{.backend = solid_backend(scene)};
  run.read_steps(steps, at_once);
  const auto engine = make_solid_engine(settings.config, run.backend);
  engine->reset(settings.start);
  run.run(*engine, settings.work);
  scene.json ? print_json(run, settings) : print_text(run, settings);
  return 0;
}

}  // namespace loom::app
