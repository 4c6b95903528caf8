#pragma once

#include <CLI/CLI.hpp>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/options/mandelbrot_options.h"
#include "app/cli/options/picture_options.h"
#include "app/cli/options/scene_options.h"
#include "app/document/bookmarks/window/bookmark_manager.h"
#include "app/document/scene/scene.h"
#include "app/document/scene/window/scene_files.h"
#include "app/files/state_folder.h"
#include "app/lessons/window/lesson_strip.h"
#include "app/shell/application.h"
#include "app/workspaces/benchmark/benchmark_workspace.h"
#include "app/workspaces/life/life_workspace.h"
#include "app/workspaces/mandelbrot/mandelbrot_workspace.h"
#include "app/workspaces/solid/solid_workspace.h"
#include "compute/backend/engine_factory.h"
#include "render/camera.h"

namespace loom::app {

/// The options of `view` and `shot`, as typed.
struct ProgramOptions {
  SceneOptions scene;
  PictureOptions picture;
  MandelbrotOptions mandelbrot;
  LifeViewOptions life_view;
  std::optional<std::string> workspace;
};
void add_workspace_option(CLI::App& command, ProgramOptions& options);
void add_program_options(CLI::App& command, ProgramOptions& options);

/// The settings of these options. Reading them throws InputError with the allowed values; MachineError.
struct ProgramSettings {
  std::optional<scene::Scene> opened = {};  ///< scene of --open, with typed options applied
  Settings life;
  MandelbrotSettings mandelbrot;
  std::optional<ComplexView> first_view;     ///< in a picture of the window's size
  std::optional<ViewRequest> position = {};  ///< of --open, for the picture of the window
  std::string note = {};                     ///< what was left out of a position or a rule; else empty
  SolidSettings solid = default_solid_settings();
  std::optional<render::Camera::View> life_view = {};  ///< typed view
  ShellSettings shell;                                 ///< the caller sets the text size
};
/// `most` is the largest side of the picture in pixels.
ProgramSettings read_program_settings(const ProgramOptions& options, std::uint32_t most = kMaxImageSide);
/// The initial scene of these settings, with its cells.
scene::Scene first_scene(const ProgramSettings& settings);

/// The window program: the composition of all workspaces, which only this class lists.
class Program {
 public:
  Program(const ProgramSettings& settings, render::GraphicsContext& context, ApplicationOptions options);

  Application& application() { return *application_; }
  LifeWorkspace& life() { return *life_; }
  MandelbrotWorkspace& mandelbrot() { return *mandelbrot_; }
  BenchmarkWorkspace& benchmark() { return *benchmark_; }
  SolidWorkspace& solid() { return *solid_; }
  lessons::LessonStrip& lessons() { return *lessons_; }
  scene::SceneFiles& files() { return *files_; }
  scene::SceneSource& scenes() { return *scenes_; }
  bookmarks::BookmarkManager& bookmarks() { return *bookmarks_; }
  /// Saves the scene in this file of the state folder for the next start. Returns why it failed; empty on
  /// success.
  static std::string save_session_scene(SessionFile& file, const scene::Scene& scene);

 private:
  std::vector<StartCard> start_cards();
  std::string command_line() const;
  BenchScene bench_scene(const ShellSettings& shell) const;
  void show_case(const bench::Case& measured, ShellEdit& edit);

  LifeWorkspace* life_ = nullptr;
  MandelbrotWorkspace* mandelbrot_ = nullptr;
  BenchmarkWorkspace* benchmark_ = nullptr;
  SolidWorkspace* solid_ = nullptr;
  lessons::LessonStrip* lessons_ = nullptr;
  scene::SceneFiles* files_ = nullptr;
  bookmarks::BookmarkManager* bookmarks_ = nullptr;
  std::unique_ptr<scene::SceneSource> scenes_;  ///< used by the documents of application_
  std::unique_ptr<Application> application_;
};

/// What the start screen says first, with the launches of the three maps side by side. The arguments must
/// outlive the start screen.
StartIntroduction introduction(Application& application, LifeWorkspace& life);

/// The gallery of the start screen: assets/gallery.toml, with its pictures. The arguments must outlive the
/// start screen.
std::vector<StartPicture> gallery(Application& application, LifeWorkspace& life,
                                  MandelbrotWorkspace& mandelbrot, SolidWorkspace& solid);

/// Input of a command line in addition to the scene.
struct CommandOptions {
  glm::ivec2 window{0};
  std::optional<render::Rect<double>> part = {};  ///< visible region of the cells; empty: all cells
  BackendSelection backend = {};  ///< the running backend; its devices are named if the work is distributed
};

/// The command line that opens exactly this scene, quoted for a shell. The cells of the scene must be those
/// of a start. What its options open is compared; throws InputError that names what no option can express.
std::string command_of(const scene::Scene& scene, const CommandOptions& command_options);

}  // namespace loom::app
