#include "app/cli/program.h"

#include <array>

#include "app/cli/program_stage.h"
#include "app/cli/read_number.h"
#include "app/life/scene/pane_presets.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

constexpr std::array<std::string_view, 2> kWorkspaces = {"life", "mandelbrot"};

std::size_t parse_workspace(const std::string& name) {
  for (std::size_t i = 0; i < kWorkspaces.size(); ++i) {
    if (kWorkspaces[i] == name) return i;
  }
  throw InputError("unknown workspace '" + name + "'; allowed: life, mandelbrot");
}

}  // namespace

void add_program_options(CLI::App& command, ProgramOptions& options) {
  add_scene_options(command, options.scene, kPictureScene);
  add_picture_options(command, options.picture);
  add_mandelbrot_scene_options(command, options.mandelbrot);
}

ProgramSettings read_program_settings(const ProgramOptions& options) {
  ProgramSettings settings{.life = options.scene.settings(), .mandelbrot = {}, .first_view = {}, .shell = {}};
  choose_palette(settings.shell, options.scene.palette);
  settings.shell.backend = settings.life.backend;
  settings.shell.device = settings.life.device;
  options.picture.extent();
  options.picture.scale();
  settings.shell.workspace = parse_workspace(options.mandelbrot.workspace);
  settings.mandelbrot = options.mandelbrot.settings();
  settings.first_view = options.mandelbrot.first_view();
  return settings;
}

std::vector<StartCard> Program::start_cards() {
  return {
      {"Explore",
       "Play life on fractals, zoom, paint cells, change the map and the block size while it runs.",
       [](ShellEdit&) {}},
      {"Compare", "The bounding box, λ and compact side by side: the same cells, and what each map costs.",
       [this](ShellEdit& edit) {
         edit.settings.workspace = 0;
         life_->request(
             [](LifeEdit& life) { set_panes(life.settings, PanePreset::kMaps, BackendKind::kCpu); });
       }},
      {"Lessons",
       "Short lessons with questions: why the bounding box wastes, λ by hand, warps, tensor cores, DP and "
       "ASK.",
       [](ShellEdit& edit) { edit.lessons.list = true; }},
  };
}

Program::Program(const ProgramSettings& settings, render::GraphicsContext& context,
                 ApplicationOptions options) {
  const auto make = [&](const ShellServices& services) {
    auto life = std::make_unique<LifeWorkspace>(settings.life, services);
    auto mandelbrot =
        std::make_unique<MandelbrotWorkspace>(settings.mandelbrot, settings.first_view, services);
    life_ = life.get();
    mandelbrot_ = mandelbrot.get();
    // A sweep's configuration of the Mandelbrot set is shown where such are.
    life->show_mandelbrot_case(
        [mandelbrot = mandelbrot.get()](const MandelbrotConfig& config, ShellEdit& shell) {
          shell.settings.workspace = 1;
          mandelbrot->request([config](MandelbrotEdit& edit) { edit.settings.config = config; });
        });
    Application::Workspaces workspaces;
    workspaces.push_back(std::move(life));
    workspaces.push_back(std::move(mandelbrot));
    return workspaces;
  };
  application_ = std::make_unique<Application>(settings.shell, context, make, options);
  application_->set_start_cards(start_cards());
  auto strip = std::make_unique<lessons::LessonStrip>(
      std::make_unique<ProgramStage>(*application_, *life_, *mandelbrot_), application_->control_marks());
  lessons_ = strip.get();
  application_->set_strip(std::move(strip));
}

}  // namespace loom::app
