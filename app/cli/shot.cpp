#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/options/options.h"
#include "app/document/image/image.h"
#include "app/document/scene/scene.h"
#include "app/files/json_reader.h"
#include "app/files/output_file.h"
#include "app/files/state_folder.h"
#include "app/program/program.h"
#include "app/program/workspace_formats.h"
#include "app/shell/frame_times.h"
#include "app/workspaces/life/document/life_state.h"
#include "compute/core/error.h"
#include "render/png.h"

namespace loom::app {
namespace {

struct ShotOptions : ProgramOptions {
  std::string out;
  std::string steps = "100";
  bool no_panels = false;
  bool plain = false;
  std::optional<std::string> bench;
};

/// Frames before the first generation, in which the layout settles and fonts and shaders are loaded.
constexpr int kSettlingFrames = 3;
/// Number of generations that are run one per frame, so that the timing overlay has data.
constexpr std::uint64_t kTimedGenerations = 60;

/// Adds the position of the picture, with all digits.
void add_position(nlohmann::ordered_json& json, const ComplexView& view) {
  const ViewDigits digits = digits_of(decimal_of(view));
  json["center"] = {{"re", digits.re}, {"im", digits.im}};
  json["view_width"] = digits.width;
  if (view.angle != 0) json["angle"] = view.angle;
}

/// The settings, if each typed option has an effect on the shot.
ProgramSettings read_settings(const ShotOptions& options, std::uint32_t most_side) {
  ProgramSettings settings = read_program_settings(options, most_side);
  print_note(settings.note);
  const std::string_view workspace = workspace_formats()[settings.shell.workspace].id;
  const bool has_generations = workspace == LifeState::kId || workspace == SolidState::kId;
  if (options.plain && workspace == BenchmarkState::kId)
    throw InputError("--plain: the Benchmark workspace has no picture; allowed: without --plain");
  // Without an opened scene the theme selects the palette.
  require_effect(*options.scene.command,
                 {{"--steps", has_generations, "with --workspace life or solid"},
                  {"--theme", !options.plain || !settings.opened, "without --plain"}});
  return settings;
}

std::unique_ptr<render::GraphicsContext> open_offscreen(glm::ivec2 size, const ShellSettings& settings) {
  const BackendSelection backend = select_backend(settings.backend, settings.device);
  try {
    return render::make_offscreen(size, backend.device.interop_ordinal());
  } catch (const std::runtime_error& error) {
    throw MachineError(fmt::format("cannot render off screen: {}", error.what()));
  }
}

void play(Program& program, std::uint64_t generations) {
  const auto step = [&](std::uint64_t count) {
    program.life().request([=](LifeEdit& edit) { edit.commands.step = static_cast<std::uint32_t>(count); });
    program.application().frame();
  };
  const std::uint64_t timed = std::min(generations, kTimedGenerations);
  if (generations > timed) step(generations - timed);
  if (generations > timed)
    program.life().request([](LifeEdit& edit) { edit.shell.commands.reset_times = true; });
  for (std::uint64_t i = 0; i < timed; ++i) step(1);
}

/// Runs frames until the picture has full resolution and its time is known.
void compute_dwells(Program& program) {
  Application& application = program.application();
  MandelbrotWorkspace& mandelbrot = program.mandelbrot();
  while (!mandelbrot.is_computed() && application.message().empty()) {
    application.frame();
    // If the window has no room for a pixel of the picture, nothing is computed.
    if (!mandelbrot.settings().volume.shown && !mandelbrot.runner().busy() &&
        !mandelbrot.runner().has_picture())
      break;
  }
  for (std::size_t i = 1; i < kTimedRuns; ++i) application.frame();
  if (mandelbrot.settings().show_model) {
    mandelbrot.request([](MandelbrotEdit& edit) { edit.commands.measure_exhaustive = true; });
    application.frame();
    mandelbrot.request([](MandelbrotEdit& edit) { edit.commands.measure_landscape = true; });
    application.frame();
    mandelbrot.finish();
  }
  for (int i = 0; i < kSettlingFrames; ++i) application.frame();
  // After a search for a plan, the picture is complete some frames later.
  constexpr int kMaxFrames = 200;
  for (int i = 0; i < kMaxFrames && mandelbrot.samples_pending() && application.message().empty(); ++i)
    application.frame();
  application.frame();
}

constexpr const char* kAroundScene = "scene";

/// Shows the Benchmark workspace with a completed sweep.
void measure(Program& program, const std::string& sweep) {
  Application& application = program.application();
  program.benchmark().start(sweep == kAroundScene ? "" : sweep);
  while (program.benchmark().session().is_active()) application.frame();
  application.frame();
}

// Renders without a window, in bands: an image of a billion pixels needs no more memory than its cells.
int plain_shot(const ShotOptions& options) {
  const ProgramSettings settings = read_settings(options, image::kMostSide);
  const glm::ivec2 size = options.picture.extent(image::kMostSide);
  const auto steps = read_whole_number<std::uint32_t>("--steps", options.steps);
  scene::Scene scene = first_scene(settings);
  edit_state<LifeState>(scene).settings.playing = false;
  SolidState& solid = edit_state<SolidState>(scene);
  solid.settings.playing = false;
  if (scene.workspace == SolidState::kId) solid.cells.run(steps, solid.settings.work);
  const BackendSelection backend = select_backend(settings.shell.backend, settings.shell.device);
  const auto whole = scene.shown().renderer(
      {.size = size, .backend = backend, .palette = scene.palette, .custom_palettes = scene.custom_palettes});
  auto* const cells = dynamic_cast<LifeRenderer*>(whole.get());
  if (cells != nullptr && steps > 0) {
    cells->step(steps);
    edit_state<LifeState>(scene).cells = cells->scene_cells();
  }
  const std::uint64_t bytes = image::write_image(options.out, whole->rows(), scene::bytes_of(scene));
  if (options.scene.json) {
    nlohmann::ordered_json json{{"workspace", scene.workspace},
                                {"size", {size.x, size.y}},
                                {"generation", nullptr},
                                {"backend", name_of(backend.device.kind)},
                                {"backend_reason", backend.reason},
                                {"bytes", bytes},
                                {"out", options.out}};
    if (cells != nullptr) json["generation"] = cells->generation();
    if (scene.workspace == MandelbrotState::kId)
      add_position(json, state_of<MandelbrotState>(scene).view.value_or(
                             default_view(size, state_of<MandelbrotState>(scene).settings.config.set)));
    fmt::print("{}\n", json_text(json));
  }
  return 0;
}

// "sierpinski-gasket-level-9.png"
std::string suggested_name(const ShotOptions& options) {
  const auto opened = options.scene.open ? std::filesystem::path(*options.scene.open).stem().string() : "";
  if (!opened.empty()) return new_file_name(opened, ".png");
  if (options.workspace && options.workspace != LifeState::kId)
    return new_file_name(*options.workspace, ".png");
  const Settings settings = options.scene.settings();
  return new_file_name(
      fmt::format("{}-level-{}", plain_file_name(settings.config.fractal.name()), settings.config.level),
      ".png");
}

int window_shot(const ShotOptions& options) {
  ProgramSettings settings = read_settings(options, kMaxImageSide);
  const glm::ivec2 size = options.picture.extent();
  set_ui_pixels(settings.shell, kDefaultUiPixels * options.picture.scale().value_or(1));
  const auto steps = read_whole_number<std::uint32_t>("--steps", options.steps);
  settings.life.playing = false;
  settings.solid.playing = false;
  const std::string_view workspace = workspace_formats()[settings.shell.workspace].id;
  if (options.bench && workspace != BenchmarkState::kId)
    throw InputError("--bench requires the Benchmark workspace; allowed: --workspace benchmark");

  const auto context = open_offscreen(size, settings.shell);
  Program program(settings, *context, {.panels = !options.no_panels, .waits = true, .is_pipelined = false});
  Application& application = program.application();
  for (int i = 0; i < kSettlingFrames; ++i) application.frame();
  if (workspace == LifeState::kId) {
    play(program, steps);
    program.life().request([](LifeEdit& edit) { edit.commands.count = true; });
  } else if (workspace == MandelbrotState::kId) {
    compute_dwells(program);
  } else if (workspace == SolidState::kId) {
    SolidState solid = state_of<SolidState>(program.scenes().describe(StateNeed::kComplete));
    solid.cells.run(steps, solid.settings.work);
    program.solid().restore(std::make_shared<SolidState>(std::move(solid)));
    application.frame();
  } else if (options.bench) {
    measure(program, *options.bench);
  }
  application.frame();
  application.frame();  // the panels show the last frame's statistics
  FirstError failure;
  const bool written = failure.try_run([&] {
    const render::RgbImage image = render::read_framebuffer(context->framebuffer(), size);
    image::StoredRows rows(image);
    image::write_image(options.out, rows, scene::bytes_of(program.scenes().describe(StateNeed::kComplete)));
  });
  if (options.scene.json) {
    auto json = timing_json(application.times());
    json.update(application.state());
    if (workspace == MandelbrotState::kId) add_position(json, program.mandelbrot().view());
    if (written) json["out"] = options.out;
    fmt::print("{}\n", json_text(json));
  }
  failure.rethrow();
  return 0;
}

int shot(ShotOptions options) {
  set_passive_omp_wait();
  disable_state_folders();  // the image must not depend on the user's settings
  if (options.bench && !options.workspace) options.workspace = BenchmarkState::kId;
  const bool suggested = options.out.empty();
  if (suggested) options.out = suggested_name(options);
  check_can_be_written("--out", options.out);
  const int status = options.plain ? plain_shot(options) : window_shot(options);
  if (suggested && !options.scene.json) fmt::print("{}\n", options.out);
  return status;
}

}  // namespace

Action add_shot(CLI::App& command) {
  auto options = std::make_shared<ShotOptions>();
  command.description("Render the window off screen into a PNG");
  add_program_options(command, *options);
  add_output_file(command, "--out", options->out, "The PNG to write (a new one in this folder by default)");
  add_text(command, "--steps", options->steps, "N", "Generations before the image (0 with --open)");
  add_text(command, "--bench", options->bench, "PRESET",
           "Show the Benchmark workspace with this preset of bench measured; scene measures the sweep "
           "around the scene");
  command.add_flag("--no-panels", options->no_panels, "Only the picture with its overlays")
      ->excludes("--bench");
  // A plain image has neither panels nor text.
  command
      .add_flag("--plain", options->plain,
                "Only the picture without overlays; sides up to 32768, requires no OpenGL")
      ->excludes("--bench")
      ->excludes("--no-panels")
      ->excludes("--ui-scale");
  return [options, &command] {
    // A saved scene is shown at its generation.
    if (options->scene.open && command.count("--steps") == 0) options->steps = "0";
    return shot(*options);
  };
}

}  // namespace loom::app
