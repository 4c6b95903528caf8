#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/bench/cell_config.h"
#include "app/cli/command.h"
#include "app/cli/options/options.h"
#include "app/cli/options/scene_options.h"
#include "app/files/json_reader.h"
#include "compute/check/verification.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

struct VerifyOptions {
  SceneOptions scene;
  std::string level_min = "0";
  std::optional<std::string> level_max;
  std::optional<std::string> steps;
  std::string samples = "1000";
  bool all = false;
};

constexpr std::uint32_t kDefaultSteps = 100;
/// With --all, bounds the cells computed per field and configuration, and thereby the generations: about five
/// minutes on two cores.
constexpr std::uint64_t kMaxTotalCells = 500'000;

/// The samples of a configuration are in memory together, about 100 MB.
constexpr std::uint64_t kMaxSamples = 1'000'000;

/// auto: every available backend; otherwise the selected one.
std::vector<BackendSelection> selected_backends(BackendChoice choice, int device) {
  if (choice != BackendChoice::kAuto) return {select_backend(choice, device)};
  std::vector<BackendSelection> backends = {select_backend(BackendChoice::kCpu)};
  if (!cuda_status().devices.empty()) backends.push_back(select_backend(BackendChoice::kCuda, device));
  return backends;
}

/// The highest levels by default, and the highest level of three-dimensional fractals unless one is named.
constexpr const char* kDefaultLevel = "6";
constexpr const char* kSolidLevel = "4";

/// Throws InputError if a fractal has no level of the plan. `Fractal`: of either dimension.
template <typename Fractal>
void check_level_min(int level_min, const Fractal& fractal) {
  if (level_min <= fractal.max_level()) return;
  throw InputError(fmt::format("--level-min {}: {} has levels up to {}; allowed: 0 to {}", level_min,
                               fractal.name(), fractal.max_level(), fractal.max_level()));
}

std::uint32_t read_steps(const VerifyOptions& options) {
  if (!options.steps) return kDefaultSteps;
  return read_whole_number<std::uint32_t>("--steps", *options.steps);
}

/// The three-dimensional part: all fractals if none is named; `solid` is the named one.
VerifyPlanOf<3> make_solid_plan(const VerifyOptions& options, const std::optional<SolidFile>& solid) {
  VerifyPlanOf<3> plan;
  const bool flat = !solid && (options.scene.fractal || options.scene.fractal_file);
  if (flat) return plan;
  plan.fractals = solid ? std::vector{solid->fractal} : solid_catalog();
  plan.methods = MethodSet::kAll;
  plan.level_max = read_whole_number<int>("--level-max", options.level_max.value_or(kSolidLevel), 0, 63);
  plan.level_min = static_cast<int>(read_whole_number(
      "--level-min", options.level_min, 0, solid ? static_cast<std::uint64_t>(plan.level_max) : 63));
  if (solid) check_level_min(plan.level_min, solid->fractal);
  if (!solid) plan.level_max = std::min(plan.level_max, std::stoi(kSolidLevel));
  plan.steps = read_steps(options);
  if (!options.steps || !solid) plan.max_cells = kMaxTotalCells;
  plan.rule = solid_verify_rule();
  if (solid) {
    const SolidSettings settings = solid_settings(options.scene, *solid);
    plan.start = settings.start;
    if (typed_value(options.scene.life, "rule")) plan.rule = settings.work.rule;
  }
  const BackendSelection backend = solid_backend(options.scene);
  const BackendChoice choice =
      options.scene.backend ? parse_backend(*options.scene.backend) : BackendChoice::kAuto;
  plan.backends = selected_backends(choice, backend.device.ordinal);
  return plan;
}

VerifyPlan make_plan(const VerifyOptions& options) {
  const Settings settings = options.scene.settings();
  VerifyPlan plan;
  const bool one_fractal = options.scene.fractal || options.scene.fractal_file;
  plan.fractals = one_fractal ? std::vector<NbbFractal>{settings.config.fractal} : built_in_fractals();
  // No fractal has a level above 63: k is at least 2, and k^r must fit in 64 bits.
  plan.level_max = read_whole_number<int>("--level-max", options.level_max.value_or(kDefaultLevel), 0, 63);
  plan.level_min = read_whole_number<int>("--level-min", options.level_min, 0, plan.level_max);
  const auto highest = std::max_element(
      plan.fractals.begin(), plan.fractals.end(),
      [](const NbbFractal& a, const NbbFractal& b) { return a.max_level() < b.max_level(); });
  check_level_min(plan.level_min, *highest);
  plan.steps = read_steps(options);
  if (!options.steps && options.all) plan.max_cells = kMaxTotalCells;
  const auto samples = read_whole_number<std::uint32_t>("--samples", options.samples, 0, kMaxSamples);
  if (options.all) plan.samples = samples;
  plan.methods = options.all ? MethodSet::kAll : MethodSet::kMaps;
  plan.rule = settings.rule;
  plan.start = settings.start;
  plan.backends = selected_backends(settings.backend, settings.device);
  return plan;
}

std::string level_text(std::optional<int> level) {
  return level ? fmt::format("{}", *level) : "-";
}

void print_samples(const VerifyResult& result) {
  if (result.sampled.empty() && result.fp16.empty()) return;
  TextTable table({"sampled tiles", "level", "coordinates", "same", "different"}, 1);
  for (const VerifySampled& level : result.sampled) {
    table.add({level.fractal, fmt::format("{}", level.level), fmt::format("{}", level.values),
               fmt::format("{}", level.passed), fmt::format("{}", level.differing)});
  }
  if (!table.empty()) fmt::print("{}", table.text());
  TextTable limits({"tensor-fp16", "map", "backend", "wrong from", "expected", "run to", ""}, 3);
  for (const VerifyFp16& limit : result.fp16) {
    const char* outcome = !limit.ok() ? "DIFFERENT" : limit.found ? "wrong as expected" : "right as expected";
    limits.add({limit.fractal, limit.map, std::string(name_of(limit.backend)), level_text(limit.found),
                level_text(limit.expected), fmt::format("{}", limit.highest), outcome});
  }
  fmt::print("{}", limits.text());
}

void print_levels(const char* kind, const std::vector<VerifyLevel>& levels) {
  TextTable table(
      {kind, "level", "cells", "generations", "population", "hash", "sum", "same", "different", "skipped"},
      1);
  for (const VerifyLevel& level : levels) {
    table.add({level.fractal, fmt::format("{}", level.level), fmt::format("{}", level.cells),
               fmt::format("{}", level.steps), fmt::format("{}", level.census.population),
               fmt::format("{:016x}", level.census.hash), fmt::format("{}", level.start_sum),
               fmt::format("{}", level.passed), fmt::format("{}", level.differing),
               fmt::format("{}", level.skipped)});
  }
  fmt::print("{}", table.text());
}

nlohmann::ordered_json to_json(const std::vector<VerifyLevel>& levels) {
  auto list = nlohmann::ordered_json::array();
  for (const VerifyLevel& level : levels) {
    list.push_back({{"fractal", level.fractal},
                    {"level", level.level},
                    {"cells", level.cells},
                    {"steps", level.steps},
                    {"population", level.census.population},
                    {"hash", fmt::format("{:016x}", level.census.hash)},
                    {"sum", level.start_sum},
                    {"passed", level.passed},
                    {"different", level.differing},
                    {"skipped", level.skipped}});
  }
  return list;
}

void print_mandelbrot(const MandelbrotVerification& dwells) {
  for (const std::string& difference : dwells.differences) fmt::print("DIFFERENT: {}\n", difference);
  fmt::print(
      "{}: Mandelbrot set: {} configurations right, {} wrong; {} pixels differ from the exhaustive method, "
      "all border misses\n",
      dwells.ok() ? "passed" : "FAILED", dwells.passed, dwells.differences.size(), dwells.border_misses);
}

template <int kDimensions>
void print_notes(const VerifyResultOf<kDimensions>& result) {
  for (const auto& note : result.skips) fmt::print("skipped: {}: {}\n", to_string(note.verified), note.what);
  for (const auto& note : result.differences)
    fmt::print("DIFFERENT: {}: {}\n", to_string(note.verified), note.what);
}

/// The methods that were compared at the plan's levels, and those that give the check value.
struct MethodTally {
  explicit MethodTally(const VerifyResultOf<3>& solids) {
    for (const auto& pin : solids.pins) check_values += pin.passed;
    methods = solids.passed() - check_values;
  }
  std::uint64_t methods = 0;
  std::uint64_t check_values = 0;
};

void print_solids(const VerifyPlanOf<3>& plan, const VerifyResultOf<3>& solids) {
  if (plan.fractals.empty()) return;
  const MethodTally passed(solids);
  print_levels("in space", solids.levels);
  print_notes(solids);
  fmt::print(
      "{}: three dimensions: {} configurations the same as the reference, {} different, {} skipped; {} give "
      "the "
      "check value; up to {} generations of {}\n",
      solids.ok() ? "passed" : "FAILED", passed.methods, solids.differences.size(), solids.skips.size(),
      passed.check_values, plan.steps, to_string(plan.rule));
}

void add_solids(nlohmann::ordered_json& json, const VerifyPlanOf<3>& plan, const VerifyResultOf<3>& solids) {
  json["solid"] = nullptr;
  if (plan.fractals.empty()) return;
  const MethodTally passed(solids);
  auto differences = nlohmann::ordered_json::array();
  for (const auto& note : solids.differences)
    differences.push_back(to_string(note.verified) + ": " + note.what);
  json["solid"] = {{"passed", passed.methods},
                   {"different", solids.differences.size()},
                   {"skipped", solids.skips.size()},
                   {"rule", to_string(plan.rule)},
                   {"check_values", passed.check_values},
                   {"levels", to_json(solids.levels)},
                   {"differences", differences}};
}

void print_text(const VerifyPlan& plan, const VerifyResult& result,
                const std::optional<MandelbrotVerification>& dwells, double seconds) {
  print_levels("fractal", result.levels);
  for (const VerifyPin& pin : result.pins) {
    fmt::print(
        "check value {} level {}, seed {}, density {}, {} generations: {} same, {} different, {} skipped\n",
        pin.config.fractal.name(), pin.config.level, pin.start.seed, pin.start.density, pin.steps, pin.passed,
        pin.differing, pin.skipped);
  }
  print_samples(result);
  print_notes(result);
  fmt::print(
      "{}: {} configurations the same as the reference, {} different, {} skipped; {}{} generations of {}; "
      "{:.1f} s\n",
      result.ok() ? "passed" : "FAILED", result.passed(), result.differences.size(), result.skips.size(),
      plan.max_cells ? "up to " : "", plan.steps, to_string(plan.rule), seconds);
  if (dwells) print_mandelbrot(*dwells);
  for (const BackendSelection& backend : plan.backends) {
    fmt::print("backend {}: {}\n", name_of(backend.device.kind), backend.reason);
  }
}

nlohmann::ordered_json to_json(const std::vector<VerifyNote>& notes) {
  auto list = nlohmann::ordered_json::array();
  for (const VerifyNote& note : notes) {
    const FractalConfig& config = note.verified.config;
    auto json = nlohmann::ordered_json::object();
    bench::add_config(json, config);
    json["backend"] = name_of(note.verified.backend);
    json["workload"] = name_of(note.verified.work.workload);
    json["reduction"] =
        json_if(note.verified.work.workload == Workload::kReduction, name_of(note.verified.work.reduction));
    json["what"] = note.what;
    list.push_back(json);
  }
  return list;
}

void add_samples(nlohmann::ordered_json& json, const VerifyPlan& plan, const VerifyResult& result) {
  json["samples"] = plan.samples;
  json["sampled"] = nlohmann::ordered_json::array();
  for (const VerifySampled& level : result.sampled) {
    json["sampled"].push_back({{"fractal", level.fractal},
                               {"level", level.level},
                               {"coordinates", level.values},
                               {"passed", level.passed},
                               {"different", level.differing}});
  }
  json["tensor_fp16"] = nlohmann::ordered_json::array();
  for (const VerifyFp16& limit : result.fp16) {
    json["tensor_fp16"].push_back({{"fractal", limit.fractal},
                                   {"map", limit.map},
                                   {"backend", name_of(limit.backend)},
                                   {"wrong_from", json_or_null(limit.found)},
                                   {"expected", json_or_null(limit.expected)},
                                   {"run_to", limit.highest},
                                   {"as_expected", limit.ok()}});
  }
}

void print_json(const VerifyPlan& plan, const VerifyResult& result,
                const std::optional<MandelbrotVerification>& dwells, const VerifyPlanOf<3>& solid_plan,
                const VerifyResultOf<3>& solids, double seconds) {
  auto json = nlohmann::ordered_json::object();
  json["ok"] = result.ok() && solids.ok() && (!dwells || dwells->ok());
  json["passed"] = result.passed();
  json["different"] = result.differences.size();
  json["skipped"] = result.skips.size();
  json["level_min"] = plan.level_min;
  json["level_max"] = plan.level_max;
  json["steps"] = plan.steps;
  json["rule"] = to_string(plan.rule);
  json["seed"] = plan.start.seed;
  json["density"] = plan.start.density;
  json["backends"] = nlohmann::ordered_json::array();
  for (const BackendSelection& backend : plan.backends) {
    json["backends"].push_back({{"backend", name_of(backend.device.kind)}, {"reason", backend.reason}});
  }
  json["levels"] = to_json(result.levels);
  json["check_values"] = nlohmann::ordered_json::array();
  for (const VerifyPin& pin : result.pins) {
    json["check_values"].push_back({{"fractal", pin.config.fractal.name()},
                                    {"level", pin.config.level},
                                    {"seed", pin.start.seed},
                                    {"density", pin.start.density},
                                    {"steps", pin.steps},
                                    {"population", pin.census.population},
                                    {"hash", fmt::format("{:016x}", pin.census.hash)},
                                    {"passed", pin.passed},
                                    {"different", pin.differing},
                                    {"skipped", pin.skipped}});
  }
  add_samples(json, plan, result);
  json["differences"] = to_json(result.differences);
  json["skips"] = to_json(result.skips);
  json["mandelbrot"] = nullptr;
  if (dwells) {
    json["mandelbrot"] = {{"passed", dwells->passed},
                          {"different", dwells->differences.size()},
                          {"border_misses", dwells->border_misses},
                          {"differences", dwells->differences}};
  }
  add_solids(json, solid_plan, solids);
  json["seconds"] = seconds;
  fmt::print("{}\n", json_text(json));
}

/// Throws MachineError if every configuration was skipped, because nothing was verified.
template <int kDimensions>
void require_any(const VerifyResultOf<kDimensions>& result) {
  if (result.compared_any()) return;
  if (result.skips.empty()) throw MachineError("nothing was compared: no configuration of these levels runs");
  throw MachineError(fmt::format("nothing was compared: all {} configurations were skipped; {}: {}",
                                 result.skips.size(), to_string(result.skips.front().verified),
                                 result.skips.front().what));
}

template <typename Plan>
auto compare(const Plan& plan) {
  ProgressLine line;
  return verify(plan, [&line](std::uint64_t done, std::uint64_t total, const auto& next) {
    line.show(fmt::format("{:3} %  {}", 100 * done / total, to_string(next)));
  });
}

/// Only a three-dimensional fractal was named.
int run_solid(const VerifyOptions& options, const SolidFile& solid) {
  const VerifyPlanOf<3> plan = make_solid_plan(options, solid);
  const auto begin = std::chrono::steady_clock::now();
  const VerifyResultOf<3> solids = compare(plan);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (solids.ok()) require_any(solids);
  if (options.scene.json) {
    nlohmann::ordered_json json{{"ok", solids.ok()}, {"passed", 0}, {"different", 0}, {"skipped", 0}};
    json["levels"] = nlohmann::ordered_json::array();
    json["differences"] = nlohmann::ordered_json::array();
    add_solids(json, plan, solids);
    json["seconds"] = seconds.count();
    fmt::print("{}\n", json_text(json));
  } else {
    print_solids(plan, solids);
  }
  return solids.ok() ? 0 : 1;
}

int run(const VerifyOptions& options, const CLI::App& command) {
  const std::optional<SolidFile> solid = selected_solid(options.scene);
  require_effect(command, {{"--all", !solid, "with a two-dimensional fractal, or all fractals"},
                           {"--samples", options.all, "with --all"}});
  if (solid) return run_solid(options, *solid);
  const VerifyPlan plan = make_plan(options);
  const VerifyPlanOf<3> solid_plan = make_solid_plan(options, std::nullopt);
  const auto begin = std::chrono::steady_clock::now();
  const VerifyResult result = compare(plan);
  std::optional<MandelbrotVerification> dwells;  // empty if a fractal was named
  if (!options.scene.fractal && !options.scene.fractal_file) {
    ProgressLine line;
    line.show("the Mandelbrot set");
    dwells = verify_mandelbrot(plan.backends);
  }
  const VerifyResultOf<3> solids = compare(solid_plan);
  const bool ok = result.ok() && solids.ok() && (!dwells || dwells->ok());
  if (ok) require_any(result);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (options.scene.json) {
    print_json(plan, result, dwells, solid_plan, solids, seconds.count());
  } else {
    print_text(plan, result, dwells, seconds.count());
    print_solids(solid_plan, solids);
  }
  return ok ? 0 : 1;
}

}  // namespace

Action add_verify(CLI::App& command) {
  auto options = std::make_shared<VerifyOptions>();
  command.description(
      "Compare every fractal, in two and three dimensions, map, "
      "workload, tile size and backend, and the Mandelbrot "
      "methods, with a reference; exit status 1 if anything differs");
  add_scene_options(command, options->scene,
                    SceneOptionGroup::kFractal | SceneOptionGroup::kLife | SceneOptionGroup::kBackend |
                        SceneOptionGroup::kJson);
  add_text(command, "--level-min", options->level_min, "R", "Lowest level");
  add_text(command, "--level-max", options->level_max, "R",
           "Highest level (6 by default; 4 in three dimensions)");
  add_text(command, "--steps", options->steps, "N",
           "Generations to compare (100 by default; with --all fewer on large fields)");
  command.add_flag("--all", options->all,
                   "Also every map arithmetic and intra-block mapping, and the maps at levels 7 to 20");
  add_text(command, "--samples", options->samples, "N",
           "With --all: random tiles of each configuration at levels 7 to 20; 0 skips them");
  command.footer(
      "With --backend auto, every backend that works on this machine is compared. Exit status 1 if anything "
      "differs, 3 if everything was skipped.");
  return [options, &command] { return run(*options, command); };
}

}  // namespace loom::app
