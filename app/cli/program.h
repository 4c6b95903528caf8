#pragma once

#include <CLI/CLI.hpp>

#include "app/cli/life_view_options.h"
#include "app/cli/mandelbrot_scene_options.h"
#include "app/cli/picture_options.h"
#include "app/cli/scene_options.h"
#include "app/files/last_file.h"
#include "app/lessons/window/lesson_strip.h"
#include "app/life/life_workspace.h"
#include "app/mandelbrot/mandelbrot_workspace.h"
#include "app/places/window/places.h"
#include "app/scene/window/scene_files.h"
#include "app/shell/application.h"

namespace loom::app {

class ProgramScenes;

/// The options of `view` and `shot`, as typed.
struct ProgramOptions {
  SceneOptions scene;
  PictureOptions picture;
  MandelbrotSceneOptions mandelbrot;
  LifeViewOptions life_view;
};
void add_program_options(CLI::App& command, ProgramOptions& options);

/// The settings of these options. Reading them throws InputError with the allowed values; MachineError.
struct ProgramSettings {
  std::optional<scene::Scene> opened = {};  ///< scene of --open, with typed options applied
  Settings life;
  MandelbrotSettings mandelbrot;
  std::optional<ComplexView> first_view;
  std::optional<LifeView> life_view = {};  ///< typed view
  ShellSettings shell;                     ///< the caller sets the text size
};
/// `most` is the largest side of the picture in pixels.
ProgramSettings read_program_settings(const ProgramOptions& options, std::uint32_t most = kMaxPictureSide);
/// The initial scene of these settings, with its cells.
scene::Scene first_scene(const ProgramSettings& settings);

/// The window program: the composition of all workspaces, which only this class lists.
class Program {
 public:
  Program(const ProgramSettings& settings, render::GraphicsContext& context, ApplicationOptions options);

  Application& application() { return *application_; }
  LifeWorkspace& life() { return *life_; }
  MandelbrotWorkspace& mandelbrot() { return *mandelbrot_; }
  lessons::LessonStrip& lessons() { return *lessons_; }
  scene::SceneFiles& files() { return *files_; }
  ProgramScenes& scenes() { return *scenes_; }
  places::Places& places() { return *places_; }
  /// Saves the scene in this file of the state folder for the next start; failures are ignored.
  static void keep_scene(LastFile& file, const scene::Scene& scene);

 private:
  std::vector<StartCard> start_cards();

  LifeWorkspace* life_ = nullptr;
  MandelbrotWorkspace* mandelbrot_ = nullptr;
  lessons::LessonStrip* lessons_ = nullptr;
  scene::SceneFiles* files_ = nullptr;
  ProgramScenes* scenes_ = nullptr;
  places::Places* places_ = nullptr;
  std::unique_ptr<Application> application_;
};

}  // namespace loom::app
