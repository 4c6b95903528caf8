#include "app/program/scene_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/program/program.h"
#include "app/text/text.h"
#include "app/workspaces/life/document/life_state.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/pane_presets.h"
#include "app/workspaces/mandelbrot/document/mandelbrot_state.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "compute/core/error.h"
#include "compute/mandelbrot/mandelbrot_fields.h"
#include "compute/map/map_method.h"

namespace loom::app {
namespace {

using Words = std::vector<std::string>;

void add(Words& words, const char* option, std::string value) {
  words.emplace_back(option);
  words.push_back(std::move(value));
}

/// Adds the options of settings; a flag only where it is on.
template <typename Settings>
void add_fields(Words& words, std::span<const Field<Settings>> fields, const Settings& settings) {
  for (const Field<Settings>& field : fields) {
    if (field.option.empty() || !field.in_scene || !field.varies(settings)) continue;
    const auto text = field.text(settings);
    if (!text || (field.is_flag && *text == "off")) continue;
    words.push_back(fmt::format("--{}", field.option));
    if (!field.is_flag) words.push_back(*text);
  }
}

std::string pane_preset_of(const LifeSettings& life) {
  for (const PanePreset preset : kPanePresets) {
    LifeSettings with = life;
    set_panes(with, preset);
    if (with.secondary_panes == life.secondary_panes) return std::string(name_of(preset));
  }
  return {};
}

void add_devices(Words& words, const BackendSelection& backend) {
  if (backend.device.kind == BackendKind::kCpu) {
    add(words, "--backend", "cpu");
    add(words, "--devices", std::to_string(backend.devices()));
    return;
  }
  std::vector<int> devices;
  for (const Device& device : each_device(backend)) devices.push_back(device.ordinal);
  add(words, "--devices", fmt::format("{}", fmt::join(devices, ",")));
}

void append_life(Words& words, const scene::Scene& scene, const CommandOptions& command_options) {
  const LifeState& state = state_of<LifeState>(scene);
  const LifeSettings& life = state.settings;
  add(words, "--fractal", life.config.fractal.name());
  add_fields(words, method_fields(), life.config.method);
  LifeSettings started = life;
  started.start = state.cells.start;
  add_fields(words, life_fields(), started);
  if (life.devices > 1) add_devices(words, command_options.backend);
  if (state.cells.generation > 0) add(words, "--steps", std::to_string(state.cells.generation));
  if (!life.playing) words.emplace_back("--paused");
  if (life.colouring.by != explain::ColourBy::kState) {
    std::string by(explain::name_of(life.colouring.by));
    if (explain::has_level(life.colouring.by)) by += fmt::format(":{}", life.colouring.level);
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
  if (own.config.set.formula == Formula::kCustom)
    throw InputError("No option describes the code of a formula; allowed: to save it, and --formula-file");
  add(words, "--workspace", "mandelbrot");
  if (const auto& view = state.view; view && view->decimal) {
    const ViewDigits digits = digits_of(*view->decimal);
    std::string centre = fmt::format("{},{}", digits.re, digits.im);
    constexpr std::size_t kMaxWord = 131'071;  // bytes, in Linux
    if (centre.size() > kMaxWord)
      throw InputError(fmt::format("The centre has {} characters, and a word of a command line at most {}",
                                   centre.size(), kMaxWord));
    add(words, "--center", std::move(centre));
    add(words, "--width", digits.width);
  } else if (view) {
    add(words, "--view", fmt::format("{},{},{}", view->centre.x, view->centre.y, view->width));
  }
  const auto fields = mandelbrot_config_fields();
  std::vector<Field<MandelbrotConfig>> chosen(fields.begin(), fields.end());
  if (own.dwell_by_depth) std::erase_if(chosen, [](const auto& field) { return field.option == "dwell"; });
  add_fields<MandelbrotConfig>(words, chosen, own.config);
  if (own.devices > 1) add_devices(words, command_options.backend);
  add_fields(words, dwell_colour_fields(), own);
  add_fields(words, mandelbrot_window_fields(), own);
}

/// Parses the words with the command line's own parser and returns the resulting scene.
scene::Scene read_back(const Words& words) {
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
  return scene;
}

/// Whether the other settings make a member irrelevant.
template <typename Settings>
bool is_idle(std::span<const Field<Settings>> fields, std::string_view key, const Settings& settings) {
  const auto found = std::ranges::find(fields, key, [](const Field<Settings>& one) { return one.key; });
  return found != fields.end() && !found->varies(settings);
}

/// Names the members of the shown workspace in which two scenes differ. The view of the cells is excluded
/// because its representation depends on the picture's size.
Words differences(scene::Scene a, scene::Scene b) {
  edit_state<LifeState>(a).view.reset();
  edit_state<LifeState>(b).view.reset();
  const auto json = [](const scene::Scene& scene) {
    return nlohmann::ordered_json::parse(scene::json_part(scene::bytes_of(scene)));
  };
  const auto first = json(a);
  const auto second = json(b);
  Words found;
  const bool life = a.workspace == LifeState::kId;
  if (life && first["palette"] != second["palette"]) found.emplace_back("palette");
  for (const auto& [key, value] : first[a.workspace].items()) {
    const bool idle =
        life ? is_idle(life_fields(), key, state_of<LifeState>(a).settings)
             : is_idle(mandelbrot_config_fields(), key, state_of<MandelbrotState>(a).settings.config) ||
                   is_idle(dwell_colour_fields(), key, state_of<MandelbrotState>(a).settings);
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
    unsaid = differences(wanted, read_back(words));
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
