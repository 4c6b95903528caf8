#include "app/cli/solid_life.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/bench/config_json.h"
#include "app/bench/statistics.h"
#include "app/cli/engine_text.h"
#include "app/cli/options/read_number.h"
#include "app/cli/options/solid_options.h"
#include "app/cli/text_table.h"
#include "app/text/json_text.h"
#include "compute/backend/solid_factory.h"

namespace loom::app {
namespace {

struct SolidLifeResult {
  SolidSettings settings;
  BackendSelection backend = {};
  std::string device = {};
  std::uint64_t steps = 0;
  std::uint64_t at_once = 1;
  std::uint64_t generation = 0;
  std::uint64_t cells = 0;
  std::uint64_t bytes = 0;
  Census census = {};
  std::optional<StepReport> last_step = {};  ///< the last call; empty without steps
  std::optional<ThreadCount> threads = {};   ///< of one generation; empty without steps
  std::optional<bench::Summary> times = {};  ///< per generation
};

void play(SolidLifeResult& result) {
  const auto engine = make_solid_engine(result.settings.config, result.backend);
  engine->reset(result.settings.start);
  bench::DecimatedSamples milliseconds;
  for (std::uint64_t done = 0; done < result.steps;) {
    const std::uint64_t times = std::min(result.at_once, result.steps - done);
    result.last_step = engine->run(static_cast<std::uint32_t>(times), result.settings.work);
    milliseconds.add(result.last_step->milliseconds / static_cast<double>(times));
    done += times;
  }
  if (result.last_step) result.times = bench::summarise(milliseconds.retained());
  if (result.last_step) result.threads = engine->count_threads();
  result.device = device_text(engine->backend_name());
  result.cells = engine->cell_count();
  result.census = engine->census();
  result.generation = engine->generation();
  result.bytes = engine->allocated_bytes();
}

std::uint64_t thread_blocks_of(const SolidConfig& config) {
  return solid_launch(config.method, make_tiled_solid(config.fractal, config.level, config.tile_size)).blocks;
}

void print_json(const SolidLifeResult& result) {
  const SolidSettings& settings = result.settings;
  const bool reduces = settings.work.workload == Workload::kReduction;
  nlohmann::ordered_json json;
  bench::add_config(json, bench::names_of(settings.config));
  json["workload"] = name_of(settings.work.workload);
  json["reduction"] = nullptr;
  if (reduces) json["reduction"] = name_of(ReductionMethod::kWarp);
  json["sum"] = nullptr;
  if (reduces && result.last_step) json["sum"] = result.last_step->sum;
  json["emulated"] = false;
  json["rule"] = to_string(settings.work.rule);
  json["seed"] = settings.start.seed;
  json["density"] = settings.start.density;
  json["steps"] = result.steps;
  json["generation"] = result.generation;
  json["at_once"] = result.at_once;
  json["backend"] = name_of(result.backend.device.kind);
  json["backend_reason"] = result.backend.reason;
  json["device"] = result.device;
  json["devices"] = nullptr;
  json["ranks"] = 1;
  json["cells"] = result.cells;
  json["population"] = result.census.population;
  json["hash"] = fmt::format("{:016x}", result.census.hash);
  for (const char* key :
       {"tiles_launched", "tiles_occupied", "tiles_empty", "blocks_launched", "blocks_occupied",
        "thread_blocks", "threads_launched", "threads_active", "threads_misplaced"}) {
    json[key] = nullptr;
  }
  if (result.threads) {
    json["tiles_launched"] = result.threads->tiles_launched;
    json["tiles_occupied"] = result.threads->tiles_occupied;
    json["tiles_empty"] = result.threads->tiles_empty();
    json["blocks_launched"] = result.threads->tiles_launched;  // names in earlier versions
    json["blocks_occupied"] = result.threads->tiles_occupied;
    json["thread_blocks"] = thread_blocks_of(settings.config);
    json["threads_launched"] = result.threads->threads_launched;
    json["threads_active"] = result.threads->threads_active;
    json["threads_misplaced"] = result.threads->threads_misplaced;
  }
  json["bytes"] = result.bytes;
  json["pattern"] = nullptr;
  json["step_ms"] = {{"median", nullptr}, {"p95", nullptr}};
  if (result.times) json["step_ms"] = {{"median", result.times->median}, {"p95", result.times->p95}};
  fmt::print("{}\n", json_text(json));
}

void print_text(const SolidLifeResult& result) {
  const SolidSettings& settings = result.settings;
  const SolidConfig& config = settings.config;
  const TiledSolid tiled = make_tiled_solid(config.fractal, config.level, config.tile_size);
  TextTable table({"", ""});
  table.add({"fractal", fmt::format("{}, level {}: {} cells in {} x {} x {}", config.fractal.name(),
                                    config.level, result.cells, tiled.size.x, tiled.size.y, tiled.size.z)});
  std::string method;
  if (config.method.map == MapKind::kCompact) method += config.method.halo ? ", halo on" : ", halo off";
  if (config.method.map != MapKind::kBoundingBox) {
    method += fmt::format(", {}, {}", name_of(config.method.arithmetic), name_of(config.method.intra_block));
  }
  table.add({"map", fmt::format("{}, tile {} x {} x {}{}", name_of(config.method.map), tiled.rho.x,
                                tiled.rho.y, tiled.rho.z, method)});
  table.add({"work", std::string(name_of(settings.work.workload))});
  table.add({"rule", fmt::format("{}, seed {}, density {}", to_string(settings.work.rule),
                                 settings.start.seed, settings.start.density)});
  table.add({"backend", fmt::format("{}: {} ({})", name_of(result.backend.device.kind), result.device,
                                    result.backend.reason)});
  table.add({"generations", fmt::format("{}", result.steps)});
  table.add({"population", fmt::format("{} ({:.2f} % of the cells)", result.census.population,
                                       100.0 * static_cast<double>(result.census.population) /
                                           static_cast<double>(result.cells))});
  table.add({"hash", fmt::format("{:016x}", result.census.hash)});
  if (result.last_step && settings.work.workload == Workload::kReduction)
    table.add({"sum", fmt::format("{}", result.last_step->sum)});
  if (result.threads) {
    const ThreadCount& threads = *result.threads;
    table.add({"tiles", fmt::format("{} per generation, {} of them with cells", threads.tiles_launched,
                                    threads.tiles_occupied)});
    table.add({"threads", fmt::format("{} per generation, {} active ({:.2f} %)", threads.threads_launched,
                                      threads.threads_active,
                                      100.0 * static_cast<double>(threads.threads_active) /
                                          static_cast<double>(threads.threads_launched))});
  }
  table.add({"memory", fmt::format("{} bytes for cells", result.bytes)});
  if (result.times) {
    table.add({"step", fmt::format("median {:.4f} ms, 95th percentile {:.4f} ms", result.times->median,
                                   result.times->p95)});
  }
  fmt::print("{}", table.text());
}

}  // namespace

int run_solid_life(const SceneOptions& scene, const SolidFile& solid, const std::string& steps,
                   const std::string& at_once) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  SolidLifeResult result{.settings = solid_settings(scene, solid), .backend = solid_backend(scene)};
  result.steps = read_whole_number("--steps", steps, 0, kMost);
  result.at_once = read_whole_number("--at-once", at_once, 1, kMost);
  play(result);
  scene.json ? print_json(result) : print_text(result);
  return 0;
}

}  // namespace loom::app
