#include <fmt/format.h>

#include <chrono>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/progress_line.h"
#include "app/cli/read_number.h"
#include "app/cli/scene_options.h"
#include "app/cli/text_table.h"
#include "app/cli/verification.h"
#include "app/config_json.h"
#include "compute/fractal/nbb_catalog.h"

namespace loom::app {
namespace {

struct VerifyOptions {
  SceneOptions scene;
  std::string level_min = "0";
  std::string level_max = "6";
  std::string steps = "100";
  bool all = false;
};

/// auto: every backend that works here; otherwise the one that was asked for.
std::vector<BackendSelection> chosen_backends(BackendChoice choice, int device) {
  if (choice != BackendChoice::kAuto) return {select_backend(choice, device)};
  std::vector<BackendSelection> backends = {select_backend(BackendChoice::kCpu)};
  if (!cuda_status().devices.empty()) backends.push_back(select_backend(BackendChoice::kCuda, device));
  return backends;
}

VerifyPlan make_plan(const VerifyOptions& options) {
  const Settings settings = options.scene.settings();
  VerifyPlan plan;
  const bool one_fractal = options.scene.fractal || options.scene.fractal_file;
  plan.fractals = one_fractal ? std::vector<NbbFractal>{settings.config.fractal} : catalog();
  // No fractal has a level above 63: k is at least 2, and k^r must fit in 64 bits.
  plan.level_max = static_cast<int>(read_whole_number("--level-max", options.level_max, 0, 63));
  plan.level_min = static_cast<int>(read_whole_number("--level-min", options.level_min, 0, plan.level_max));
  plan.steps = static_cast<std::uint32_t>(
      read_whole_number("--steps", options.steps, 0, std::numeric_limits<std::uint32_t>::max()));
  plan.methods = options.all ? MethodSet::kAll : MethodSet::kMaps;
  plan.rule = settings.rule;
  plan.start = settings.start;
  plan.backends = chosen_backends(settings.backend, settings.device);
  return plan;
}

void print_text(const VerifyPlan& plan, const VerifyResult& result, double seconds) {
  TextTable table({"fractal", "level", "cells", "population", "hash", "same", "different", "skipped"}, 1);
  for (const VerifyLevel& level : result.levels) {
    table.add({level.fractal, fmt::format("{}", level.level), fmt::format("{}", level.cells),
               fmt::format("{}", level.census.population), fmt::format("{:016x}", level.census.hash),
               fmt::format("{}", level.passed), fmt::format("{}", level.differing),
               fmt::format("{}", level.skipped)});
  }
  fmt::print("{}", table.text());
  for (const VerifyPin& pin : result.pins) {
    fmt::print(
        "check value {} level {}, seed {}, density {}, {} generations: {} same, {} different, {} skipped\n",
        pin.config.fractal.name(), pin.config.level, pin.start.seed, pin.start.density, pin.steps, pin.passed,
        pin.differing, pin.skipped);
  }
  for (const VerifyNote& note : result.skips)
    fmt::print("skipped: {}: {}\n", to_string(note.verified), note.what);
  for (const VerifyNote& note : result.differences) {
    fmt::print("DIFFERENT: {}: {}\n", to_string(note.verified), note.what);
  }
  fmt::print(
      "{}: {} configurations the same as the reference, {} different, {} skipped; {} generations of {}; "
      "{:.1f} s\n",
      result.ok() ? "passed" : "FAILED", result.passed(), result.differences.size(), result.skips.size(),
      plan.steps, to_string(plan.rule), seconds);
  for (const BackendSelection& backend : plan.backends) {
    fmt::print("backend {}: {}\n", name_of(backend.kind), backend.reason);
  }
}

nlohmann::ordered_json to_json(const std::vector<VerifyNote>& notes) {
  auto list = nlohmann::ordered_json::array();
  for (const VerifyNote& note : notes) {
    const FractalConfig& config = note.verified.config;
    nlohmann::ordered_json json;
    add_config(json, config);
    json["backend"] = name_of(note.verified.backend);
    json["what"] = note.what;
    list.push_back(json);
  }
  return list;
}

void print_json(const VerifyPlan& plan, const VerifyResult& result, double seconds) {
  nlohmann::ordered_json json;
  json["ok"] = result.ok();
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
    json["backends"].push_back({{"backend", name_of(backend.kind)}, {"reason", backend.reason}});
  }
  json["levels"] = nlohmann::ordered_json::array();
  for (const VerifyLevel& level : result.levels) {
    json["levels"].push_back({{"fractal", level.fractal},
                              {"level", level.level},
                              {"cells", level.cells},
                              {"population", level.census.population},
                              {"hash", fmt::format("{:016x}", level.census.hash)},
                              {"passed", level.passed},
                              {"different", level.differing},
                              {"skipped", level.skipped}});
  }
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
  json["differences"] = to_json(result.differences);
  json["skips"] = to_json(result.skips);
  json["seconds"] = seconds;
  fmt::print("{}\n", json.dump(2));
}

int run(const VerifyOptions& options) {
  const VerifyPlan plan = make_plan(options);
  const auto begin = std::chrono::steady_clock::now();
  VerifyResult result;
  {
    ProgressLine line;
    result = verify(plan, [&line](std::uint64_t done, std::uint64_t total, const VerifyCase& next) {
      line.show(fmt::format("{:3} %  {}", 100 * done / total, to_string(next)));
    });
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  options.scene.json ? print_json(plan, result, seconds.count()) : print_text(plan, result, seconds.count());
  return result.ok() ? 0 : 1;
}

}  // namespace

void add_verify(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = root.add_subcommand(
      "verify",
      "Compare every fractal, map, block size and backend with a plain reference; exit 1 on any difference");
  add_scene_options(*command, options->scene,
                    SceneGroup::kFractal | SceneGroup::kLife | SceneGroup::kBackend | SceneGroup::kJson);
  command->add_option("--level-min", options->level_min, "Every level from this one")
      ->type_name("R")
      ->capture_default_str();
  command->add_option("--level-max", options->level_max, "...to this one")
      ->type_name("R")
      ->capture_default_str();
  command->add_option("--steps", options->steps, "Generations to compare over")
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--all", options->all, "Every map arithmetic and intra-block mapping too");
  command->footer(
      "With --backend auto, every backend that works on this machine is compared. Exit status 1 if anything "
      "differs.");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace loom::app
