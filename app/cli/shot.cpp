#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/mandelbrot_scene_options.h"
#include "app/cli/passive_waiting.h"
#include "app/cli/picture_options.h"
#include "app/cli/read_number.h"
#include "app/cli/scene_options.h"
#include "app/files/output_file.h"
#include "app/life/scene/setting_steps.h"
#include "app/shell/application.h"
#include "app/shell/state_json.h"
#include "compute/core/error.h"
#include "render/png.h"

namespace loom::app {
namespace {

struct ShotOptions {
  SceneOptions scene;
  PictureOptions picture;
  std::string out;
  std::string steps = "100";
  MandelbrotSceneOptions explorer;
  bool no_panels = false;
  std::optional<std::string> bench;
};

/// Frames without a generation before the first: the layout settles, the font and shaders are loaded.
constexpr int kSettlingFrames = 3;
/// Generations that are played one a frame, so that the timing overlay has something to show.
constexpr std::uint64_t kTimedGenerations = 60;

std::unique_ptr<render::GraphicsContext> open_offscreen(render::Extent size, const Settings& settings) {
  const BackendSelection backend = select_backend(settings.backend, settings.device);
  const int device = backend.kind == BackendKind::kCuda ? backend.device : -1;
  try {
    return render::make_offscreen(size, device);
  } catch (const std::runtime_error& error) {
    throw MachineError(fmt::format("no off-screen picture: {}", error.what()));
  }
}

void play(Application& application, std::uint64_t generations) {
  const auto step = [&](std::uint64_t count) {
    application.request([=](Edit& edit) { edit.commands.step = static_cast<std::uint32_t>(count); });
    application.frame();
  };
  const std::uint64_t timed = std::min(generations, kTimedGenerations);
  if (generations > timed) step(generations - timed);
  if (generations > timed) application.request([](Edit& edit) { edit.commands.reset_times = true; });
  for (std::uint64_t i = 0; i < timed; ++i) step(1);
}

/// Until the picture stands at full resolution, and its time is known.
void explore(Application& application) {
  const DwellRunner& runner = application.mandelbrot().runner();
  while (!runner.report() && application.message().empty()) application.frame();
  for (std::size_t i = 1; i < kRunsAtRest; ++i) application.frame();
  if (application.settings().explorer.show_model) {
    application.request([](Edit& edit) {
      edit.commands.explorer.measure_exhaustive = true;
      edit.commands.explorer.measure_landscape = true;
    });
    application.frame();
    while (application.mandelbrot().landscape().running()) application.frame();
  }
  for (int i = 0; i < kSettlingFrames; ++i) application.frame();
}

constexpr const char* kAroundScene = "scene";

/// Shows the Bench panel with a sweep measured to its end.
void measure(Application& application, const std::string& sweep) {
  application.request([](Edit& edit) { edit.settings.view.show_bench = true; });
  application.frame();  // the panel finds its size
  application.start_bench(sweep == kAroundScene ? "" : sweep);
  while (application.bench().under_way()) application.frame();
  application.frame();
}

int shot(const ShotOptions& options) {
  wait_passively();
  check_can_be_written("--out", options.out);
  Settings settings = options.scene.settings();
  choose_palette(settings, options.scene.palette);
  const render::Extent size = options.picture.extent();
  set_ui_pixels(settings.view, kDefaultUiPixels * options.picture.scale().value_or(1));
  const std::uint64_t steps =
      read_whole_number("--steps", options.steps, 0, std::numeric_limits<std::uint32_t>::max());
  settings.playing = false;
  options.explorer.apply(settings);

  const auto context = open_offscreen(size, settings);
  Application application(settings, *context, !options.no_panels, options.explorer.first_view());
  for (int i = 0; i < kSettlingFrames; ++i) application.frame();
  settings.workspace == Workspace::kLife ? play(application, steps) : explore(application);
  if (options.bench) measure(application, *options.bench);
  application.request([](Edit& edit) { edit.commands.count = true; });
  application.frame();
  application.frame();  // the panels show the last frame's figures
  render::write_png(options.out, render::read_framebuffer(context->framebuffer(), size));
  if (options.scene.json) {
    auto json = timing_json(application);
    json.update(state_json(application));
    json["out"] = options.out;
    fmt::print("{}\n", json.dump(2));
  }
  return 0;
}

}  // namespace

void add_shot(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<ShotOptions>();
  CLI::App* command = root.add_subcommand("shot", "Render the program off screen into a PNG");
  add_scene_options(*command, options->scene, kPictureScene);
  add_picture_options(*command, options->picture);
  add_mandelbrot_scene_options(*command, options->explorer);
  command->add_option("--out", options->out, "The PNG to write")->type_name("FILE")->required();
  command->add_option("--steps", options->steps, "Generations before the picture")
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option(
          "--bench", options->bench,
          "Show the Bench panel with this preset of bench measured, or with scene, the sweep around it")
      ->type_name("PRESET");
  command->add_flag("--no-panels", options->no_panels, "The picture alone")->excludes("--bench");
  command->callback([options, &chosen] { chosen = [options] { return shot(*options); }; });
}

}  // namespace loom::app
