#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/options/options.h"
#include "app/cli/signal_monitor.h"
#include "app/document/scene/scene.h"
#include "app/files/file_kind.h"
#include "app/files/json_reader.h"
#include "app/files/state_folder.h"
#include "app/gui/gui.h"
#include "app/palette/window/palette_editor.h"
#include "app/patterns/pattern.h"
#include "app/program/lesson_check.h"
#include "app/program/program.h"
#include "app/shell/allocator.h"
#include "app/shell/frame_times.h"
#include "app/shell/shell_settings.h"
#include "app/tasks/task.h"
#include "app/workspaces/life/code/map_code_panel.h"
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

/// Tells the user as soon as there is something to lose that it cannot be saved when the window ends.
class SavingCheck {
 public:
  void update(Application& application) {
    if (const auto outcome = task_.poll(); outcome && outcome->result) {
      const auto& [of_scene, of_all] = *outcome->result;
      application.set_scene_problem(of_scene);
      if (!of_all.empty() && of_all != told_)
        application.show_message(Message::warning(of_all + ". Ctrl S saves the scene in another folder"));
      told_ = of_all;
    }
    const auto now = SignalMonitor::Clock::now();
    const UndoHistory& undo = application.undo();
    const auto state = std::pair(undo.size(), undo.scene_state());
    if (state == checked_ || now < due_ || task_.running()) return;
    checked_ = state;
    due_ = now + kBetweenChecks;
    task_.start([](ProgressMonitor&) {
      const auto folder = state_folder();
      return std::pair(folder ? write_problem(*folder) : std::string(), saving_problem());
    });
  }

 private:
  static constexpr std::chrono::seconds kBetweenChecks{5};
  std::pair<std::size_t, std::uint64_t> checked_ = {0, 0};
  SignalMonitor::Clock::time_point due_;
  std::string told_;
  Task<std::pair<std::string, std::string>> task_;  ///< last member: must end first
};

/// State that outlives the window; a run with --frames has none.
struct PersistentState {
  PaletteAutosave& palettes;
  ExitDeadline& deadline;
  SessionFile& last_scene;
  SessionFile& last_results;
  PersistentSettings settings;  ///< of the window when it opened
  float usual_text;             ///< the default font size for the screen
};

void run_window(Program& program, GLFWwindow* window, std::optional<std::uint64_t> frames, bool trace,
                SignalMonitor& watch, const PersistentState* kept) {
  FramePacer pacer;
  SavingCheck saving;
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
      kept->deadline.set_scene(program.scenes().describe(StateNeed::kWithoutEngine));
      scene_due = now + kKnownScene;
    }
    application.frame();
    if (application.title() != title) glfwSetWindowTitle(window, (title = application.title()).c_str());
    // A dragged value is saved when the mouse button is released.
    const bool held = glfwGetMouseButton(window, GLFW_MOUSE_BUTTON_LEFT) == GLFW_PRESS;
    if (kept != nullptr && !held) kept->palettes.save(application.settings().custom_palettes);
    if (std::string problem = kept != nullptr ? kept->palettes.take_problem() : ""; !problem.empty())
      application.show_message(Message::error(std::move(problem)));
    if (kept != nullptr) saving.update(application);
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

// Typed values and those of a scene override saved settings, which they do not change.
void apply_saved(const PersistentSettings& kept, const ViewOptions& options, ProgramSettings& settings) {
  ShellSettings& shell = settings.shell;
  // A palette that no longer exists is replaced by the default.
  const bool there = kept.palette && find_palette(shell.custom_palettes, *kept.palette) != nullptr;
  const bool palette_given = options.scene.palette || settings.opened;
  if (kept.theme && !options.picture.theme)
    palette_given ? void(shell.theme = *kept.theme) : choose_theme(shell, *kept.theme);
  if (there && !palette_given) shell.palette = *kept.palette;
  if (kept.animations) shell.animations = *kept.animations;
  if (kept.show_timing) shell.show_timing = *kept.show_timing;
}

/// The font size in pixels of a saved scale.
float pixels_of(double text_scale, float usual_text) {
  ShellSettings shell;
  set_ui_pixels(shell, std::round(usual_text * static_cast<float>(text_scale)));
  return shell.ui_pixels;
}

/// The settings of the window. `window_size`: used if its present size is unknown or not the normal one.
/// `window`: null if the display is lost.
PersistentSettings settings_of(const ShellSettings& shell, GLFWwindow* window, float usual_text,
                               const std::optional<glm::ivec2>& window_size) {
  const float pixels = shell.outside_lecture ? shell.outside_lecture->ui_pixels : shell.ui_pixels;
  PersistentSettings kept{.palette = own_palette(shell),
                          .text_scale = static_cast<double>(pixels / usual_text),
                          .theme = shell.theme,
                          .animations = shell.animations,
                          .window = window_size,
                          .show_timing = shell.outside_lecture
                                             ? shell.outside_lecture->show_timing
                                             : shell.chosen_timing.value_or(shell.show_timing)};
  if (window == nullptr) return kept;
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

/// Saves the user's state when the window ends. Returns what is lost, and why; empty if nothing is. `window`
/// as in settings_of(). `uses_engines`: false after a failure of a device or of memory.
std::string save_state(Program& program, GLFWwindow* window, const SignalMonitor& watch,
                       const PersistentState& kept, bool uses_engines) {
  std::string lost;
  const auto add = [&](const char* what, const std::string& why) {
    if (!why.empty()) lost += fmt::format("{}{} ({})", lost.empty() ? "" : ", ", what, why);
  };
  Application& application = program.application();
  const ShellSettings& shell = application.settings();
  const auto now = settings_of(shell, window, kept.usual_text, kept.settings.window);
  if (!program.files().has_restored()) kept.last_scene.keep_earlier();
  const bool saves_scene = !program.files().keeps_last_session();
  if (saves_scene)  // bounds the time for saving after a signal
    kept.deadline.set_scene(program.scenes().describe(StateNeed::kWithoutEngine));
  // A user who quits in the window was asked about them.
  const bool is_decided = uses_engines && !watch.pending_since();
  add("files in progress", is_decided ? std::string() : application.unfinished());
  add("custom palettes", kept.palettes.finish(shell.custom_palettes));
  add("benchmark results", program.benchmark().session().save(kept.last_results));
  add("bookmarks", program.bookmarks().finish());
  add("lesson progress", program.lessons().finish());
  add("settings", save_settings(kept.settings, now));
  if (saves_scene)
    application.set_scene_problem(Program::save_session_scene(
        kept.last_scene,
        program.scenes().describe(uses_engines ? StateNeed::kComplete : StateNeed::kWithoutEngine)));
  kept.deadline.set_scene(std::nullopt);
  if (application.scene_unsaved()) add("the scene", application.scene_problem());
  return lost.empty() ? lost : "lost when the window ended: " + lost;
}

// Runs the window. If the display is lost or an error ends the window, the user's state is saved without
// asking. Returns what is lost.
std::string run_and_save(Program& program, GLFWwindow* window, bool trace, SignalMonitor& watch,
                         const PersistentState& kept) {
  const auto save_at_failure = [&](GLFWwindow* on_display, bool uses_engines) {
    const std::string lost = save_state(program, on_display, watch, kept, uses_engines);
    if (!lost.empty()) print_error(fmt::format("fractal-loom: {}\n", lost));
  };
  struct LostDisplay {
    explicit LostDisplay(std::function<void()> save) { render::on_display_lost(std::move(save)); }
    ~LostDisplay() { render::on_display_lost({}); }
  } const lost_display([&] {
    kept.deadline.start();
    save_at_failure(nullptr, true);
  });
  for (;;) {
    try {
      run_window(program, window, std::nullopt, trace, watch, &kept);
    } catch (...) {
      save_at_failure(window, false);
      throw;
    }
    const bool was_asked = !program.application().scene_problem().empty();
    std::string lost = save_state(program, window, watch, kept, true);
    // A scene that turns out not to be saved only now may still be saved elsewhere.
    if (program.application().quit() || was_asked || watch.pending_since()) return lost;
  }
}

// Computes `steps` generations in the background, as for an opened scene.
void begin_after(ProgramSettings& settings, const std::string& steps) {
  if (settings.opened)
    throw InputError(
        "--steps and --open exclude each other because the file contains the cells; allowed: one of them");
  scene::Scene scene = first_scene(settings);
  const auto generations = read_whole_number<std::uint32_t>("--steps", steps);
  CellSource& cells = edit_state<LifeState>(scene).cells;
  cells.run(generations, cells.work());
  SolidState& solid = edit_state<SolidState>(scene);
  solid.cells.run(generations, solid.settings.work);
  settings.opened = std::move(scene);
}

/// Gives the file to the option that takes its kind. Returns whether the window opens it instead, as a
/// dropped file. Throws InputError if it cannot be read.
bool is_for_window(const std::string& file, ViewOptions& options) {
  SceneOptions& scene = options.scene;
  using Option = std::pair<std::optional<std::string>*, const char*>;
  const std::map<FileKind, Option> options_of = {
      {FileKind::kScene, {&scene.open, "--open"}},
      {FileKind::kImage, {&scene.open, "--open"}},
      {FileKind::kPosition, {&scene.open, "--open"}},
      {FileKind::kFractal, {&scene.fractal_file, "--fractal-file"}},
      {FileKind::kSolidFractal, {&scene.fractal_file, "--fractal-file"}},
      {FileKind::kPalette, {&scene.palette, "--palette"}},
      {FileKind::kLesson, {&options.lesson, "--lesson"}},
      {FileKind::kExercise, {&scene.exercise, "--exercise"}}};
  const FileKind kind = kind_of_file(file);
  const auto found = options_of.find(kind);
  if (found == options_of.end()) {
    kind == FileKind::kPattern ? void(patterns::read_pattern_file(file))
                               : void(MapCodePanel::read_code(file));
    return true;
  }
  const auto& [option, name] = found->second;
  if (*option)
    throw InputError(fmt::format("{} and {} exclude each other; allowed: one of them", file, name));
  *option = file;
  return false;
}

int view(ViewOptions options) {
  const bool drops = options.file && is_for_window(*options.file, options);
  set_passive_omp_wait();
  tune_allocator();
  if (options.no_config) disable_state_folders();
  ProgramSettings settings = read_program_settings(options);
  std::optional<std::uint64_t> frames;
  if (options.frames) {
    frames = read_whole_number<std::uint32_t>("--frames", *options.frames, 1);
  }
  if (settings.opened ? options.paused : true) {
    settings.life.playing = !options.paused;
    settings.solid.playing = !options.paused;
  }
  const bool samples_given = settings.opened || typed_value(options.mandelbrot.fields, "points");
  if (!samples_given && !frames) settings.mandelbrot.samples_per_axis = kSamplesByTime;
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
  palettes.exclude(settings.shell.custom_palettes);
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
  ExitDeadline deadline(
      watch, [&](const scene::Scene& scene) { return Program::save_session_scene(last_scene, scene); });
  Program program(settings, *context, {.waits = frames.has_value(), .is_idle = !frames.has_value()});
  if (lesson) program.lessons().play(*lesson);
  if (!frames) program.bookmarks().load();
  if (options.scene.open && !settings.position)
    program.files().set_file(std::filesystem::absolute(*options.scene.open));
  if (drops) program.files().on_file_dropped(*options.file);
  program.application().show_message(Message::warning(settings.note));
  if (!options.scene_typed && !frames) program.files().load_last_session();
  std::string lost;
  if (frames) {
    run_window(program, context->window(), frames, options.trace_state, watch, nullptr);
  } else {
    program.application().show_message(Message::hint(saving_problem()));
    program.application().show_message(Message::warning(settings_problem));
    const PersistentState state{
        palettes,
        deadline,
        last_scene,
        last_results,
        settings_of(program.application().settings(), context->window(), usual_text, kept.window),
        usual_text};
    lost = run_and_save(program, context->window(), options.trace_state, watch, state);
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
  if (!lost.empty()) throw MachineError(lost);
  return 0;
}

}  // namespace

Action add_view(CLI::App& command) {
  auto options = std::make_shared<ViewOptions>();
  command.description("Open the window (also without a subcommand)");
  add_program_options(command, *options);
  add_text(command, "file", options->file, "FILE",
           "The file to open: as --open; a fractal, palette, lesson or exercise as its option; a pattern or "
           "the code of a map as if dropped on the window")
      .excludes("--open");
  add_text(command, "--frames", options->frames, "N",
           "Run N frames without vertical sync, print the frame timings and exit");
  command.add_flag("--paused", options->paused, "Start paused");
  add_text(command, "--steps", options->steps, "N", "Life, 3-D: generations before the first frame");
  command.add_flag("--no-config", options->no_config,
                   "Neither read nor write settings, recent files, bookmarks and the last scene");
  add_text(command, "--lesson", options->lesson, "NAME|FILE",
           "Play a lesson: a name from lesson --list, or a file");
  command.add_flag("--trace-state", options->trace_state,
                   "Write the state to standard error, as a JSON line whenever it changes (for tests)");
  return [options, &command] {
    for (const CLI::Option* option : command.get_options()) {
      const auto about_machine = std::find(kOfTheMachine.begin(), kOfTheMachine.end(), option->get_name());
      if (option->count() > 0 && about_machine == kOfTheMachine.end()) options->scene_typed = true;
    }
    options->size_typed = command.count("--size") > 0;
    return view(*options);
  };
}

}  // namespace loom::app
