#include "app/program/scene_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "app/document/scene/scene_text.h"
#include "app/program/program.h"
#include "app/text/shell_word.h"
#include "app/workspaces/life/document/life_state.h"
#include "app/workspaces/life/scene/pane_presets.h"
#include "app/workspaces/mandelbrot/document/mandelbrot_state.h"
#include "app/workspaces/mandelbrot/scene/precision_gauge.h"
#include "compute/core/error.h"
#include "compute/map/method_fields.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

using Words = std::vector<std::string>;

void add(Words& words, const char* option, std::string value) {
  words.emplace_back(option);
  words.push_back(std::move(value));
}

std::string pane_preset_of(const LifeSettings& life) {
  for (const PanePreset preset : kPanePresets) {
    LifeSettings with = life;
    set_panes(with, preset, BackendKind::kCpu);
    if (with.secondary_panes == life.secondary_panes) return std::string(name_of(preset));
  }
  return {};
}

void add_devices(Words& words, const BackendSelection& backend) {
  if (backend.kind == BackendKind::kCpu) {
    add(words, "--backend", "cpu");
    add(words, "--devices", std::to_string(backend.devices()));
    return;
  }
  std::vector<int> devices = {backend.device};
  devices.insert(devices.end(), backend.others.begin(), backend.others.end());
  add(words, "--devices", fmt::format("{}", fmt::join(devices, ",")));
}

void append_life(Words& words, const scene::Scene& scene, const CommandOptions& command_options) {
  const LifeState& state = state_of<LifeState>(scene);
  const LifeSettings& life = state.settings;
  const FractalConfig& config = life.config;
  add(words, "--fractal", config.fractal.name());
  add(words, "--level", std::to_string(config.level));
  for (const MethodField& field : method_fields()) {
    if (auto text = field.text(config.method))
      add(words, fmt::format("--{}", field.option).c_str(), std::move(*text));
  }
  add(words, "--block", std::to_string(config.block));
  if (life.devices > 1) add_devices(words, command_options.backend);
  add(words, "--workload", std::string(name_of(life.workload)));
  if (life.workload == Workload::kReduction) add(words, "--reduction", std::string(name_of(life.reduction)));
  add(words, "--rule", to_string(life.rule));
  add(words, "--seed", std::to_string(state.cells.start.seed));
  add(words, "--density", fmt::format("{}", state.cells.start.density));
  if (state.cells.generation > 0) add(words, "--steps", std::to_string(state.cells.generation));
  if (!life.playing) words.emplace_back("--paused");
  if (life.colouring.by != explain::ColourBy::kState) {
    std::string by(explain::name_of(life.colouring.by));
    if (life.colouring.by == explain::ColourBy::kReplica) by += fmt::format(":{}", life.colouring.level);
    add(words, "--colour-by", by);
  }
  if (const std::string panes = pane_preset_of(life); !panes.empty() && !life.secondary_panes.empty())
    add(words, "--panes", panes);
  if (life.show_thread)
    add(words, "--thread", life.pinned ? fmt::format("{},{}", life.pinned->x, life.pinned->y) : "cursor");
  if (command_options.part) {
    const render::Rect<double>& part = *command_options.part;
    add(words, "--region",
        fmt::format("{},{},{},{}", part.corner.x, part.corner.y, part.end().x, part.end().y));
  }
}

void append_mandelbrot(Words& words, const scene::Scene& scene, const CommandOptions& command_options) {
  const MandelbrotState& state = state_of<MandelbrotState>(scene);
  const MandelbrotSettings& own = state.settings;
  const MandelbrotConfig& config = own.config;
  add(words, "--workspace", "mandelbrot");
  if (const auto& view = state.view)
    add(words, "--view", fmt::format("{},{},{}", view->centre.x, view->centre.y, view->width));
  add(words, "--method", std::string(name_of(config.method)));
  add(words, "--scheme", std::string(name_of(config.scheme)));
  add(words, "--g", std::to_string(config.g));
  add(words, "--r", std::to_string(config.r));
  add(words, "--b", std::to_string(config.b));
  add(words, "--dwell", std::to_string(config.dwell_limit));
  if (own.devices > 1) add_devices(words, command_options.backend);
  add(words, "--colouring", std::string(name_of(own.colouring)));
  add(words, "--cycle", std::to_string(own.cycle));
  add(words, "--interior", std::string(name_of(own.interior)));
  add(words, "--points", std::to_string(own.samples_per_axis));
  add(words, "--regions", std::string(name_of(own.overlay)));
  if (own.automatic) add(words, "--automatic", *own.automatic ? "on" : "off");
  if (own.measure) words.emplace_back("--every-frame");
  if (own.show_timeline) words.emplace_back("--timeline");
  if (own.show_model) words.emplace_back("--model");
}

/// Parses the words with the command line's own parser and returns the resulting scene.
scene::Scene read_back(const Words& words, const CommandOptions& command_options) {
  CLI::App command;
  ProgramOptions options;
  bool paused = false;
  std::string steps = "0";
  add_program_options(command, options);
  command.add_flag("--paused", paused);
  command.add_option("--steps", steps);
  Words reversed(words.rbegin(), words.rend());
  command.parse(reversed);
  ProgramSettings settings = read_program_settings(options);
  settings.life.playing = !paused;
  scene::Scene scene = first_scene(settings);
  edit_state<LifeState>(scene).cells.generation = std::stoull(steps);
  MandelbrotState& mandelbrot = edit_state<MandelbrotState>(scene);
  const auto& view = mandelbrot.view;
  if (view && !fits_precision(*view, command_options.picture, Precision::kFloat))
    mandelbrot.settings.config.precision = Precision::kDouble;
  return scene;
}

/// Names the members of the shown workspace in which two scenes differ. The view of the cells is excluded
/// because its representation depends on the picture's size.
Words differences(scene::Scene a, scene::Scene b) {
  edit_state<LifeState>(a).view.reset();
  edit_state<LifeState>(b).view.reset();
  const auto json = [](const scene::Scene& scene) {
    return nlohmann::ordered_json::parse(scene::text_of(scene));
  };
  const auto first = json(a);
  const auto second = json(b);
  Words found;
  const bool life = a.workspace == LifeState::kId;
  if (life && first["palette"] != second["palette"]) found.emplace_back("palette");
  for (const auto& [key, value] : first[a.workspace].items()) {
    // The reduction method is irrelevant for other workloads.
    const bool idle = key == "reduction" && state_of<LifeState>(a).settings.workload != Workload::kReduction;
    if (!idle && value != second[a.workspace][key]) found.push_back(key);
  }
  return found;
}

}  // namespace

std::string command_of(const scene::Scene& scene, const CommandOptions& command_options) {
  const bool of_life = scene.workspace == LifeState::kId;
  scene::Scene wanted = scene;
  LifeState& life = edit_state<LifeState>(wanted);
  if (life.cells.bits) throw InputError("No option describes painted cells");
  life.settings.start = life.cells.start;
  if (life.cells.generation == 0) life.cells.work = life.settings.work();
  Words words;
  of_life ? append_life(words, wanted, command_options) : append_mandelbrot(words, wanted, command_options);
  add(words, "--palette", of_life ? scene.palette : state_of<MandelbrotState>(scene).settings.palette);
  add(words, "--size", fmt::format("{}x{}", command_options.window.x, command_options.window.y));
  Words unsaid;
  try {
    unsaid = differences(wanted, read_back(words, command_options));
  } catch (const CLI::ParseError& error) {
    throw InputError(fmt::format("No options describe this scene: {}", error.what()));
  } catch (const InputError& error) {
    throw InputError(fmt::format("No options describe this scene: {}", error.what()));
  }
  if (!unsaid.empty())
    throw InputError(fmt::format("No option describes the {} of this scene", fmt::join(unsaid, ", ")));
  std::string command = "fractal-loom view";
  for (const std::string& word : words) command += " " + quoted_for_shell(word);
  return command;
}

}  // namespace loom::app
