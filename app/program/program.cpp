#include "app/program/program.h"

#include <array>
#include <system_error>
#include <utility>

#include "app/cli/options/open_scene.h"
#include "app/cli/options/read_number.h"
#include "app/document/image/window/save_image.h"
#include "app/document/scene/recent_files.h"
#include "app/document/video/window/save_video.h"
#include "app/program/program_bookmark_host.h"
#include "app/program/program_image_host.h"
#include "app/program/program_lesson_host.h"
#include "app/program/program_scene_host.h"
#include "app/shell/document_handler_set.h"
#include "app/workspaces/life/scene/pane_presets.h"
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
  add_scene_options(command, options.scene, kProgramOptions);
  add_picture_options(command, options.picture);
  add_text_size_option(command, options.picture);
  add_mandelbrot_scene_options(command, options.mandelbrot);
  add_mandelbrot_window_options(command, options.mandelbrot);
  add_life_view_options(command, options.life_view);
}

ProgramSettings read_program_settings(const ProgramOptions& options, std::uint32_t most) {
  std::optional<scene::Scene> opened = open_scene(options.scene);
  const std::size_t workspace = opened && !options.mandelbrot.workspace
                                    ? opened->workspace
                                    : parse_workspace(options.mandelbrot.workspace.value_or("life"));
  SceneOptions of_scene = options.scene;
  of_scene.devices_of_picture = kWorkspaces[workspace] == "mandelbrot";
  ProgramSettings settings{.life = opened ? of_scene.settings_over(opened->life) : of_scene.settings(),
                           .mandelbrot = {},
                           .first_view = {},
                           .shell = {}};
  if (opened) {
    settings.shell.custom_palettes = opened->custom_palettes;
    settings.shell.palette = opened->palette;
  }
  settings.shell.backend = settings.life.backend;
  settings.shell.device = settings.life.device;
  settings.shell.devices = settings.life.named_devices;
  options.picture.extent(most);
  options.picture.scale();
  settings.shell.workspace = workspace;
  settings.mandelbrot = options.mandelbrot.settings(opened ? &opened->mandelbrot : nullptr);
  if (settings.life.picture_devices != 0) settings.mandelbrot.devices = settings.life.picture_devices;
  choose_palette(settings.shell, settings.mandelbrot, options.scene.palette);
  settings.first_view = options.mandelbrot.first_view();
  if (opened && !settings.first_view) settings.first_view = opened->mandelbrot_view;
  settings.life_view = options.life_view.view(settings.life.config);
  if (opened) {
    opened->life = settings.life;
    if (settings.life_view) opened->life_view = settings.life_view;
    settings.opened = std::move(opened);
  }
  return settings;
}

scene::Scene first_scene(const ProgramSettings& settings) {
  scene::Scene scene;
  if (settings.opened) {
    scene = *settings.opened;
  } else {
    scene.life = settings.life;
    scene.cells = {.start = settings.life.start, .work = settings.life.work()};
    scene.life_view = settings.life_view;
  }
  scene.workspace = settings.shell.workspace;
  scene.palette = settings.shell.palette;
  scene.mandelbrot = settings.mandelbrot;
  scene.mandelbrot_view = settings.first_view;
  return scene;
}

std::vector<StartCard> Program::start_cards() {
  return {
      {"Explore", "Play life on fractals, zoom, paint cells, change map and tile size while it runs.",
       [](ShellEdit&) {}},
      {"Compare", "Bounding box, λ and compact side by side: the same cells, and the cost of each map.",
       [this](ShellEdit& edit) {
         edit.settings.workspace = 0;
         life_->request(
             [](LifeEdit& life) { set_panes(life.settings, PanePreset::kMaps, BackendKind::kCpu); });
       }},
      {"Lessons", "Interactive lessons: idle threads, λ by hand, warps, tensor cores, DP and ASK.",
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
    // Shows a Mandelbrot configuration of a benchmark sweep in the Mandelbrot workspace.
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
      std::make_unique<ProgramLessonHost>(*application_, *life_, *mandelbrot_),
      application_->control_marks());
  lessons_ = strip.get();
  application_->set_strip(std::move(strip));
  auto scenes = std::make_unique<ProgramSceneHost>(*application_, *life_, *mandelbrot_);
  scenes_ = scenes.get();
  auto files = std::make_unique<scene::SceneFiles>(std::move(scenes));
  files_ = files.get();
  auto pictures = std::make_unique<picture::SaveImage>(
      std::make_unique<ProgramImageHost>(*application_, *life_, *mandelbrot_));
  files->add_to_menu([pictures = pictures.get()] { pictures->menu_item(); });
  auto host_bookmarks = std::make_unique<bookmarks::BookmarkManager>(
      std::make_unique<ProgramBookmarkHost>(*application_, *life_, *mandelbrot_));
  bookmarks_ = host_bookmarks.get();
  scenes_->set_bookmarks(*bookmarks_);
  files->add_to_menu([this] { bookmarks_->menu_items(); });
  auto films = std::make_unique<video::SaveVideo>(
      std::make_unique<ProgramImageHost>(*application_, *life_, *mandelbrot_),
      [this] { return bookmarks_->all(); });
  files->add_to_menu([films = films.get()] { films->menu_item(); });
  auto documents = std::make_unique<DocumentHandlerSet>();
  // Bookmarks come first: they handle their dropped files and their keys with Shift before the scenes do.
  documents->add(std::move(host_bookmarks));
  documents->add(std::move(files));
  documents->add(std::move(pictures));
  documents->add(std::move(films));
  application_->set_document_handler(std::move(documents));
  if (const auto& opened = settings.opened) {
    life_->open(
        {.settings = settings.life,
         .field = std::make_shared<const SavedField>(SavedField{.fractal = settings.life.config.fractal,
                                                                .level = settings.life.config.level,
                                                                .cells = opened->cells,
                                                                .view = opened->life_view})});
  } else if (settings.life_view) {
    life_->request([view = settings.life_view](LifeEdit& edit) { edit.commands.look_at = view; });
  }
}

void Program::save_session_scene(SessionFile& file, const scene::Scene& scene) {
  try {
    const auto save = [&](const std::filesystem::path& to) { scene::save_file(to, scene); };
    for (const auto& other : file.save(save)) scene::add_recent_file(other);
  } catch (const std::exception&) {  // the program ends in any case
  }
}

}  // namespace loom::app
