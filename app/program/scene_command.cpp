#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/program/program.h"
#include "app/text/text.h"
#include "app/workspaces/life/document/life_state.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/mandelbrot/document/mandelbrot_state.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/solid/document/solid_state.h"
#include "compute/core/error.h"
#include "compute/mandelbrot/mandelbrot_fields.h"
#include "compute/map/map_method.h"

namespace loom::app {
namespace {

using Words = std::vector<std::string>;

/// A command line: its words, and the options as their parser would set them.
struct ViewCommand {
  Words words = {};
  ProgramOptions options = {};
  bool paused = false;
  std::uint64_t steps = 0;

  template <typename Target>
  void add(const char* option, Target& target, const std::string& value) {
    words.insert(words.end(), {option, value});
    target = Target{value};
  }
  void add_generations(std::uint64_t generations, bool playing) {
    steps = generations;
    if (steps > 0) words.insert(words.end(), {"--steps", std::to_string(steps)});
    paused = !playing;
    if (paused) words.emplace_back("--paused");
  }
  /// Adds the options of settings; a flag only where it is on.
  template <typename Settings>
  void add_fields(TypedFields& typed, std::span<const Field<Settings>> fields, const Settings& settings) {
    for (const Field<Settings>& field : fields) {
      if (field.option.empty() || !field.in_scene || !field.varies(settings)) continue;
      const auto text = field.text(settings);
      if (!text || (field.is_flag && *text == "off")) continue;
      words.push_back(fmt::format("--{}", field.option));
      if (!field.is_flag) words.push_back(*text);
      typed[std::string(field.option)] = *text;
    }
  }
  /// The counting of neighbours has an effect with rules of Larger than Life only.
  void add_method(const MapMethod& method, bool counts) {
    const auto fields = method_fields();
    std::vector<MethodField> chosen(fields.begin(), fields.end());
    if (!counts) std::erase_if(chosen, [](const auto& field) { return field.option == "counting"; });
    add_fields<MapMethod>(options.scene.method, chosen, method);
  }
};

std::string pane_preset_of(const LifeSettings& life) {
  for (const PanePreset preset : kPanePresets) {
    LifeSettings with = life;
    set_panes(with, preset);
    if (with.secondary_panes == life.secondary_panes) return std::string(name_of(preset));
  }
  return {};
}

void add_devices(ViewCommand& command, const BackendSelection& backend) {
  SceneOptions& options = command.options.scene;
  if (backend.device.kind == BackendKind::kCpu) {
    command.add("--backend", options.backend, "cpu");
    command.add("--devices", options.devices, std::to_string(backend.devices()));
    return;
  }
  std::vector<int> devices;
  for (const Device& device : each_device(backend)) devices.push_back(device.ordinal);
  command.add("--devices", options.devices, fmt::format("{}", fmt::join(devices, ",")));
}

void append_life(ViewCommand& command, const scene::Scene& scene, const CommandOptions& command_options) {
  const LifeState& state = state_of<LifeState>(scene);
  const LifeSettings& life = state.settings;
  SceneOptions& options = command.options.scene;
  command.add("--fractal", options.fractal, life.config.fractal.name());
  command.add_method(life.config.method, life.rule.is_larger());
  LifeSettings started = life;
  started.start = state.cells.start();
  command.add_fields(options.life, life_fields(), started);
  options.level = std::to_string(life.config.level);  // a level that is not given is at most start_level()
  if (life.devices > 1) add_devices(command, command_options.backend);
  command.add_generations(state.cells.generation(), life.playing);
  if (life.colouring.by != explain::ColourBy::kState) {
    std::string by(explain::name_of(life.colouring.by));
    if (explain::has_level(life.colouring.by)) by += fmt::format(":{}", life.colouring.level);
    command.add("--colour-by", options.colour_by, by);
  }
  if (const std::string panes = pane_preset_of(life); !panes.empty() && !life.secondary_panes.empty())
    command.add("--panes", options.panes, panes);
  if (life.show_thread)
    command.add("--thread", options.thread,
                life.pinned ? fmt::format("{},{}", life.pinned->x, life.pinned->y) : "cursor");
  if (command_options.part) {
    const render::Rect<double>& part = *command_options.part;
    command.add("--region", command.options.life_view.region,
                fmt::format("{},{},{},{}", part.corner.x, part.corner.y, part.end().x, part.end().y));
  }
}

void append_solid(ViewCommand& command, const scene::Scene& scene) {
  const SolidState& state = state_of<SolidState>(scene);
  const SolidSettings& solid = state.settings;
  SceneOptions& options = command.options.scene;
  command.add("--fractal", options.fractal, solid.config.fractal.name());
  command.add_method(solid.config.method, false);
  command.add("--level", options.level, std::to_string(solid.config.level));
  command.add("--block", options.tile_size, std::to_string(solid.config.tile_size));
  for (const Field<SolidSettings>& field : solid_fields()) {
    if (field.key == "rule" || field.key == "seed" || field.key == "density")
      command.add(fmt::format("--{}", field.key).c_str(), options.life[std::string(field.key)],
                  field.text(solid).value());
  }
  command.add_generations(state.cells.generation(), solid.playing);
  if (solid.compare) command.add("--panes", options.panes, std::string(name_of(PanePreset::kMaps)));
  if (solid.show_thread && solid.pinned)
    command.add("--thread", options.thread,
                fmt::format("{},{},{}", solid.pinned->x, solid.pinned->y, solid.pinned->z));
}

void append_mandelbrot(ViewCommand& command, const scene::Scene& scene,
                       const CommandOptions& command_options) {
  const MandelbrotState& state = state_of<MandelbrotState>(scene);
  const MandelbrotSettings& own = state.settings;
  if (own.config.set.formula == Formula::kCustom) throw InputError(std::string(kNoFormulaOption));
  MandelbrotOptions& options = command.options.mandelbrot;
  command.add("--workspace", command.options.workspace, "mandelbrot");
  if (const auto& view = state.view; view && view->decimal) {
    const ViewDigits digits = digits_of(*view->decimal);
    const std::string centre = fmt::format("{},{}", digits.re, digits.im);
    constexpr std::size_t kMaxWord = 131'071;  // bytes, in Linux
    if (centre.size() > kMaxWord)
      throw InputError(fmt::format("The centre has {} characters, and a word of a command line at most {}",
                                   centre.size(), kMaxWord));
    command.add("--center", options.center, centre);
    command.add("--width", options.width, digits.width);
  } else if (view) {
    command.add("--view", options.view, fmt::format("{},{},{}", view->centre.x, view->centre.y, view->width));
  }
  if (state.view && state.view->angle != 0)
    command.add("--angle", options.angle, fmt::format("{}", state.view->angle));
  const auto fields = mandelbrot_config_fields();
  std::vector<Field<MandelbrotConfig>> chosen(fields.begin(), fields.end());
  if (own.dwell_by_depth) std::erase_if(chosen, [](const auto& field) { return field.option == "dwell"; });
  command.add_fields<MandelbrotConfig>(options.fields, chosen, own.config);
  if (own.devices > 1) add_devices(command, command_options.backend);
  command.add_fields(options.fields, dwell_colour_fields(), own);
  command.add_fields(options.fields, mandelbrot_window_fields(), own);
}

/// The scene that the options open.
scene::Scene scene_of(const ViewCommand& command) {
  ProgramSettings settings = read_program_settings(command.options);
  settings.life.playing = settings.solid.playing = !command.paused;
  scene::Scene scene = first_scene(settings);
  SolidState& solid = edit_state<SolidState>(scene);
  solid.cells.run(command.steps, solid.settings.work);
  return scene;
}

/// Whether the other settings make a member irrelevant.
template <typename Settings>
bool is_idle(std::span<const Field<Settings>> fields, std::string_view key, const Settings& settings) {
  const auto found = std::ranges::find(fields, key, [](const Field<Settings>& one) { return one.key; });
  return found != fields.end() && !found->varies(settings);
}

/// What a scene shows: without the set in space, the custom map or the cut plane that it had before. The
/// generations of Life, which the command names, and the view of the cells, whose representation depends on
/// the picture's size, are left out too.
scene::Scene shown_part(scene::Scene scene) {
  LifeState& life = edit_state<LifeState>(scene);
  life.view.reset();
  life.cells = CellSource(life.cells.start(), life.cells.work());
  if (!life.settings.show_code) life.settings.map_code.reset();
  edit_state<MandelbrotState>(scene).settings.volume = {};
  SolidLook& look = edit_state<SolidState>(scene).settings.look;
  if (look.cut_axis == CutAxis::kNone)
    look = {.living_only = look.living_only, .colouring = look.colouring, .empty_tiles = look.empty_tiles};
  return scene;
}

/// Names the members of the shown workspace in which two scenes differ.
Words differences(const scene::Scene& a, const scene::Scene& b) {
  const auto json = [](const scene::Scene& scene) {
    return nlohmann::ordered_json::parse(scene::json_part(scene::bytes_of(scene)));
  };
  const auto first = json(a);
  const auto second = json(b);
  Words found;
  if (a.workspace != MandelbrotState::kId && first["palette"] != second["palette"])
    found.emplace_back("palette");
  for (const auto& [key, value] : first[a.workspace].items()) {
    const bool idle =
        a.workspace == LifeState::kId ? is_idle(life_fields(), key, state_of<LifeState>(a).settings)
        : a.workspace == SolidState::kId
            ? is_idle(solid_fields(), key, state_of<SolidState>(a).settings)
            : is_idle(mandelbrot_config_fields(), key, state_of<MandelbrotState>(a).settings.config) ||
                  is_idle(dwell_colour_fields(), key, state_of<MandelbrotState>(a).settings);
    if (!idle && value != second[a.workspace][key]) found.push_back(key == "runs" ? "cells" : key);
  }
  return found;
}

}  // namespace

std::string command_of(const scene::Scene& scene, const CommandOptions& command_options) {
  const bool of_life = scene.workspace == LifeState::kId;
  const bool of_solid = scene.workspace == SolidState::kId;
  const auto& mandelbrot = state_of<MandelbrotState>(scene);
  if (!of_life && !of_solid && mandelbrot.settings.volume.shown)
    return volume_command(mandelbrot, command_options.window, command_options.backend.device.on_host);
  scene::Scene wanted = scene;
  LifeState& life = edit_state<LifeState>(wanted);
  if (of_life && !life.cells.is_plain())
    throw InputError("No option describes painted cells, those of a file, or those of several rules");
  life.settings.start = life.cells.start();
  if (life.cells.generation() == 0) life.cells = CellSource(life.cells.start(), life.settings.work());
  ViewCommand command;
  of_life    ? append_life(command, wanted, command_options)
  : of_solid ? append_solid(command, wanted)
             : append_mandelbrot(command, wanted, command_options);
  command.add("--palette", command.options.scene.palette,
              of_life || of_solid ? scene.palette : state_of<MandelbrotState>(scene).settings.palette);
  command.add("--size", command.options.picture.size,
              fmt::format("{}x{}", command_options.window.x, command_options.window.y));
  Words missing;
  try {
    missing = differences(shown_part(wanted), shown_part(scene_of(command)));
  } catch (const InputError& error) {
    throw InputError(fmt::format("No options describe this scene: {}", error.what()));
  }
  if (!missing.empty())
    throw InputError(fmt::format("No option describes the {} of this scene", fmt::join(missing, ", ")));
  std::string text = "fractal-loom view";
  for (const std::string& word : command.words) text += " " + quoted_for_shell(word);
  return text;
}

}  // namespace loom::app
