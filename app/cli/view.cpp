#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/exit_deadline.h"
#include "app/cli/omp_wait_policy.h"
#include "app/cli/options/read_number.h"
#include "app/cli/signal_monitor.h"
#include "app/cli/standard_streams.h"
#include "app/document/scene/recent_files.h"
#include "app/files/session_file.h"
#include "app/files/state_folder.h"
#include "app/gui/window_icon.h"
#include "app/palette/window/palette_autosave.h"
#include "app/program/lesson_check.h"
#include "app/program/program.h"
#include "app/shell/allocator.h"
#include "app/shell/frame_pacer.h"
#include "app/shell/persistent_settings.h"
#include "app/shell/timing_text.h"
#include "app/text/json_text.h"
#include "app/workspaces/life/document/life_state.h"
#include "compute/core/error.h"
#include "render/gl/debug.h"

namespace loom::app {
namespace {

/// The signal may come from a system that shuts down and kills processes after ten seconds or more. The rest
/// of ExitDeadline::kMost is for saving.
constexpr std::chrono::seconds kAnswerToSignal{4};
/// Largest age of the scene that ExitDeadline saves if the window no longer responds.
constexpr std::chrono::seconds kKnownScene{1};

struct ViewOptions : ProgramOptions {
  std::optional<std::string> frames;
  bool paused = false;
  bool trace_state = false;
  bool scene_typed = false;  ///< an option that selects a scene was typed
  bool size_typed = false;
  bool no_config = false;
  std::optional<std::string> steps;
  std::optional<std::string> lesson;
  std::optional<std::string> file;
};
/// Options that do not select a scene.
constexpr std::array<std::string_view, 9> kOfTheMachine = {"--backend",  "--device",      "--size",
                                                           "--ui-scale", "--theme",       "--palette",
                                                           "--json",     "--trace-state", "--no-config"};

std::unique_ptr<render::GraphicsContext> open_window(const render::WindowOptions& options) {
  try {
    return render::make_window(options);
  } catch (const std::runtime_error& error) {
    throw MachineError(
        fmt::format("{}; without a display, fractal-loom shot renders the program into a PNG", error.what()));
  }
}

float text_size(const PictureOptions& options, GLFWwindow* window) {
  return std::round(kDefaultUiPixels * options.scale().value_or(render::content_scale(window)));
}

/// Writes the state to standard error whenever it changes, as one JSON object per line, and OpenGL's
/// messages.
class StateTrace {
 public:
  void update(Application& application, bool playing) {
    for (const std::string& message : render::take_gl_messages())
      print_error(fmt::format("OpenGL: {}\n", message));
    auto state = application.state();
    // These change in every frame during playback.
    if (playing) {
      for (const char* key : {"generation", "population", "hash"}) state.erase(key);
    }
    std::string line = json_text(state, -1);
    if (line == last_) return;
    print_error(line + "\n");
    last_ = std::move(line);
  }

 private:
  std::string last_;
};

/// State that outlives the window; a run with --frames has none.
struct PersistentState {
  PaletteAutosave& palettes;
  ExitDeadline& deadline;
  SessionFile& last_scene;
  SessionFile& last_results;
};

void run_window(Program& program, GLFWwindow* window, std::optional<std::uint64_t> frames, bool trace,
                SignalMonitor& watch, const PersistentState* kept) {
  FramePacer pacer;
  auto scene_due = SignalMonitor::Clock::now();
  StateTrace state;
  std::string title;
  Application& application = program.application();
  for (std::uint64_t frame = 0; !frames || frame < *frames; ++frame) {
    frames ? glfwPollEvents() : pacer.wait_events(application.is_idle());
    if (glfwWindowShouldClose(window) == GLFW_TRUE) {
      glfwSetWindowShouldClose(window, GLFW_FALSE);
      application.request_quit();
    }
    if (watch.take()) {
      application.request_quit(kAnswerToSignal);
      scene_due = SignalMonitor::Clock::now();
    } else if (!application.quit_requested()) {
      watch.answer();
    }
    if (application.quit()) return;
    if (const auto now = SignalMonitor::Clock::now(); kept != nullptr && now >= scene_due) {
      kept->deadline.set_scene(program.scenes().without_engines());
      scene_due = now + kKnownScene;
    }
    application.frame();
    if (application.title() != title) glfwSetWindowTitle(window, (title = application.title()).c_str());
    // A dragged value is saved when the mouse button is released.
    const bool held = glfwGetMouseButton(window, GLFW_MOUSE_BUTTON_LEFT) == GLFW_PRESS;
    if (kept != nullptr && !held) kept->palettes.save(application.settings().custom_palettes);
    if (std::string problem = kept != nullptr ? kept->palettes.take_problem() : ""; !problem.empty())
      application.show_message(Message::error(std::move(problem)));
    if (trace) state.update(application, program.life().settings().playing);
  }
}

// Loads the lesson. Bundled lessons are checked by the tests; a file is played through before the window
// opens. If that requires OpenGL and there is none, the checks that need no program are complete.
std::optional<lessons::Lesson> lesson_to_play(const std::optional<std::string>& name) {
  if (!name) return std::nullopt;
  lessons::Lesson lesson = load_lesson(*name);
  if (lesson.is_file()) {
    try {
      check_lesson(lesson);
    } catch (const DeviceFault&) {
      throw;
    } catch (const MachineError&) {
    }
  }
  return lesson;
}

// Typed values and those of a scene override saved settings.
void apply_saved(const PersistentSettings& kept, const ViewOptions& options, ProgramSettings& settings) {
  ShellSettings& shell = settings.shell;
  // A palette that no longer exists is replaced by the default.
  const bool there = kept.palette && find_palette(shell.custom_palettes, *kept.palette) != nullptr;
  if (there && !options.scene.palette && !settings.opened) shell.palette = *kept.palette;
  if (kept.theme && !options.picture.theme) shell.theme = *kept.theme;
  if (kept.animations) shell.animations = *kept.animations;
  if (kept.show_timing) shell.show_timing = *kept.show_timing;
  if (kept.show_all_metrics) shell.show_all_metrics = *kept.show_all_metrics;
}

/// The font size in pixels of a saved scale.
float pixels_of(double text_scale, float usual_text) {
  ShellSettings shell;
  set_ui_pixels(shell, std::round(usual_text * static_cast<float>(text_scale)));
  return shell.ui_pixels;
}

/// The window's settings to save. `before`: the saved settings.
PersistentSettings settings_of(const Application& application, GLFWwindow* window, float usual_text,
                               const PersistentSettings& before) {
  const ShellSettings& shell = application.settings();
  // Rounding to whole pixels is not a change.
  const float pixels = shell.outside_lecture ? shell.outside_lecture->ui_pixels : shell.ui_pixels;
  const bool same_text = before.text_scale && pixels_of(*before.text_scale, usual_text) == pixels;
  PersistentSettings kept{
      .palette = shell.palette,
      .text_scale = same_text ? *before.text_scale : static_cast<double>(pixels / usual_text),
      .theme = shell.theme,
      .animations = shell.animations,
      .window = before.window,
      .show_timing = shell.outside_lecture ? shell.outside_lecture->show_timing
                                           : shell.chosen_timing.value_or(shell.show_timing),
      .show_all_metrics = shell.chosen_all_metrics.value_or(shell.show_all_metrics)};
  int width = 0;
  int height = 0;
  glfwGetWindowSize(window, &width, &height);
  // Save the window's normal size, not that of a maximized or full-screen window.
  const bool maximized = glfwGetWindowAttrib(window, GLFW_MAXIMIZED) == GLFW_TRUE;
  constexpr int kLeast = 64;
  if (!shell.full_screen && !maximized && width >= kLeast && height >= kLeast)
    kept.window = glm::ivec2{width, height};
  return kept;
}

// Runs the window. If the display is lost or an error ends the window, the user's state is saved without
// asking.
void run_and_save(Program& program, GLFWwindow* window, bool trace, SignalMonitor& watch,
                  const PersistentState& kept) {
  // After a signal, ExitDeadline bounds the time for saving.
  const auto save_all = [&] {
    kept.deadline.set_scene(program.scenes().without_engines());
    kept.palettes.finish(program.application().settings().custom_palettes);
    program.benchmark().session().save(kept.last_results);
    const std::string problem = program.bookmarks().finish();
    Program::save_session_scene(kept.last_scene, program.scenes().complete());
    kept.deadline.set_scene(std::nullopt);
    return problem;
  };
  struct LostDisplay {
    explicit LostDisplay(std::function<void()> save) { render::on_display_lost(std::move(save)); }
    ~LostDisplay() { render::on_display_lost({}); }
  } const lost_display([&] {
    kept.deadline.start();
    save_all();
  });
  try {
    run_window(program, window, std::nullopt, trace, watch, &kept);
  } catch (...) {  // a failed device, or no memory: save the state that needs no engine
    kept.palettes.finish(program.application().settings().custom_palettes);
    program.bookmarks().finish();
    program.benchmark().session().save(kept.last_results);
    Program::save_session_scene(kept.last_scene, program.scenes().without_engines());
    throw;
  }
  if (const std::string problem = save_all(); !problem.empty())
    print_error(fmt::format("fractal-loom: {}\n", problem));
}

// Computes `steps` generations in the background, as for an opened scene.
void begin_after(ProgramSettings& settings, const std::string& steps) {
  if (settings.opened)
    throw InputError(
        "--steps and --open exclude each other because the file contains the cells; allowed: one of them");
  scene::Scene scene = first_scene(settings);
  edit_state<LifeState>(scene).cells.generation =
      read_whole_number("--steps", steps, 0, std::numeric_limits<std::uint32_t>::max());
  settings.opened = std::move(scene);
}

int view(const ViewOptions& options) {
  set_passive_omp_wait();
  tune_allocator();
  if (options.no_config) disable_state_folders();
  ProgramSettings settings = read_program_settings(options);
  std::optional<std::uint64_t> frames;
  if (options.frames) {
    frames = read_whole_number("--frames", *options.frames, 1, std::numeric_limits<std::uint32_t>::max());
  }
  if (settings.opened ? options.paused : true) {
    settings.life.playing = !options.paused;
    settings.solid.playing = !options.paused;
  }
  if (options.steps) begin_after(settings, *options.steps);
  const std::optional<lessons::Lesson> lesson = lesson_to_play(options.lesson);

  // A run with --frames is independent of saved settings.
  std::string settings_problem;
  const PersistentSettings kept = frames ? PersistentSettings{} : load_settings(settings_problem);
  PaletteAutosave palettes;
  SessionFile last_scene(scene::last_scene_file());
  SessionFile last_results(unsaved_results_file());
  if (!frames)
    settings.shell.custom_palettes = merge_palettes(settings.shell.custom_palettes, palettes.load());
  apply_saved(kept, options, settings);
  const bool size_kept = kept.window && !options.size_typed;
  const auto context = open_window({.size = size_kept ? *kept.window : options.picture.extent(),
                                    .follows_monitor = !size_kept && !options.size_typed,
                                    .vertical_sync = !frames.has_value()});
  const float usual_text = text_size({}, context->window());
  settings.shell.ui_pixels = text_size(options.picture, context->window());
  if (kept.text_scale && !options.picture.ui_scale)
    settings.shell.ui_pixels = pixels_of(*kept.text_scale, usual_text);
  set_window_icon(context->window());
  // No start page for a user who has selected a scene.
  settings.shell.show_start = !options.scene_typed && !was_opened_before();
  if (settings.shell.show_start) record_visit();
  SignalMonitor watch;
  ExitDeadline deadline(watch,
                        [&](const scene::Scene& scene) { Program::save_session_scene(last_scene, scene); });
  Program program(settings, *context, {.waits = frames.has_value(), .is_idle = !frames.has_value()});
  if (lesson) program.lessons().play(*lesson);
  if (!frames) program.bookmarks().load();
  if (options.scene.open) program.files().set_file(std::filesystem::absolute(*options.scene.open));
  if (!options.scene_typed && !frames) program.files().load_last_session();
  if (frames) {
    run_window(program, context->window(), frames, options.trace_state, watch, nullptr);
  } else {
    program.application().show_message(Message::hint(saving_problem()));
    program.application().show_message(Message::warning(settings_problem));
    // Settings that were never saved count as unchanged from the window's start.
    PersistentSettings before = settings_of(program.application(), context->window(), usual_text, kept);
    if (kept.palette) before.palette = kept.palette;
    if (kept.text_scale) before.text_scale = kept.text_scale;
    if (kept.theme) before.theme = kept.theme;
    if (kept.window) before.window = kept.window;
    run_and_save(program, context->window(), options.trace_state, watch,
                 {palettes, deadline, last_scene, last_results});
    save_settings(before, settings_of(program.application(), context->window(), usual_text, before));
  }
  Application& application = program.application();
  if (options.scene.json) {
    application.shown().finish();
    auto json = timing_json(application.times());
    json.update(application.state());
    fmt::print("{}\n", json_text(json));
  } else if (frames) {
    fmt::print("{}", timing_table(application.times()));
  }
  return 0;
}

}  // namespace

void add_view(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* command = root.add_subcommand("view", "Open the window (also without a subcommand)");
  add_program_options(*command, *options);
  command->add_option("file", options->file, "The same as --open FILE")
      ->type_name("FILE")
      ->excludes("--open");
  command
      ->add_option("--frames", options->frames,
                   "Run N frames without vertical sync, print the frame timings and exit")
      ->type_name("N");
  command->add_flag("--paused", options->paused, "Start paused");
  command->add_option("--steps", options->steps, "Life: generations before the first frame")->type_name("N");
  command->add_flag("--no-config", options->no_config,
                    "Neither read nor write settings, recent files, bookmarks and the last scene");
  command->add_option("--lesson", options->lesson, "Play a lesson: a name from lesson --list, or a file")
      ->type_name("NAME|FILE");
  command->add_flag("--trace-state", options->trace_state,
                    "Write the state to standard error, as a JSON line whenever it changes (for tests)");
  command->callback([options, command, &chosen] {
    for (const CLI::Option* option : command->get_options()) {
      const auto about_machine = std::find(kOfTheMachine.begin(), kOfTheMachine.end(), option->get_name());
      if (option->count() > 0 && about_machine == kOfTheMachine.end()) options->scene_typed = true;
    }
    options->size_typed = command->count("--size") > 0;
    if (options->file) options->scene.open = options->file;
    chosen = [options] { return view(*options); };
  });
}

}  // namespace loom::app
