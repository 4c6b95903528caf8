#include "app/program/lesson_scene.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "app/cli/options/options.h"
#include "app/document/scene/scene_file.h"
#include "app/program/workspace_formats.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

/// Limit that keeps the preparation of a scene short.
constexpr std::uint64_t kMaxSteps = 100000;

std::string allowed_keys(const CLI::App& app) {
  std::vector<std::string> keys;
  for (const CLI::Option* option : app.get_options()) keys.push_back(option->get_name().substr(2));
  return fmt::format("{}", fmt::join(keys, ", "));
}

/// Reports a level that exceeds memory as an error in the lesson with its line, instead of ending the window.
ProgramSettings settings_of(const ProgramOptions& options) {
  try {
    return read_program_settings(options);
  } catch (const MachineError& error) {
    throw InputError(error.what());
  }
}

}  // namespace

LessonScene read_lesson_scene(const lessons::SceneSettingList& entries) {
  ProgramOptions options;
  std::string steps = "0";
  bool play = false;
  CLI::App app("scene");
  app.set_help_flag();
  add_scene_options(app, options.scene,
                    SceneOptionGroup::kFractal | SceneOptionGroup::kLevel | SceneOptionGroup::kMethod |
                        SceneOptionGroup::kWorkload | SceneOptionGroup::kLife | SceneOptionGroup::kPalette |
                        SceneOptionGroup::kThreads | SceneOptionGroup::kPanes);
  add_workspace_option(app, options);
  add_mandelbrot_scene_options(app, options.mandelbrot);
  add_mandelbrot_window_options(app, options.mandelbrot);
  app.add_option("--steps", steps);
  app.add_flag("--play", play);

  std::vector<std::string> typed;
  for (const lessons::SceneSetting& word : entries.entries) {
    const std::string option = "--" + word.key;
    const CLI::Option* known = app.get_option_no_throw(option);
    if (known == nullptr) {
      throw InputError(fmt::format("unknown scene key '{}'; allowed: {}", word.key, allowed_keys(app)));
    }
    if (known->get_expected_min() == 0 && word.value) {
      throw InputError(
          fmt::format("{} of a scene: '{}' is not allowed; allowed: true, false", word.key, *word.value));
    }
    typed.push_back(word.value ? option + "=" + *word.value : option);
  }
  std::reverse(typed.begin(), typed.end());
  try {
    app.parse(typed);
  } catch (const CLI::ParseError& error) {
    throw InputError(
        fmt::format("{}; allowed: the options of fractal-loom view with their values", error.what()));
  }
  LessonScene scene{.settings = settings_of(options)};
  // Lessons are about integer dwells and the work that filling regions saves.
  if (!typed_value(options.mandelbrot.fields, "colouring"))
    scene.settings.mandelbrot.colouring = Colouring::kBands;
  scene.steps = static_cast<std::uint32_t>(read_whole_number("--steps", steps, 0, kMaxSteps));
  scene.settings.life.playing = play;
  scene.settings.solid.playing = play;
  return scene;
}

std::optional<scene::Scene> open_scene(const SceneOptions& options) {
  if (!options.open) return std::nullopt;
  const BackendChoice backend = options.backend ? parse_backend(*options.backend) : BackendChoice::kAuto;
  return scene::read_file(
      *options.open, workspace_formats(),
      scene::capacity_check_for(select_backend(backend, read_device(options.device, backend))));
}

}  // namespace loom::app
