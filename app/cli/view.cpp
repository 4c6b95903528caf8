#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/mandelbrot_scene_options.h"
#include "app/cli/passive_waiting.h"
#include "app/cli/picture_options.h"
#include "app/cli/read_number.h"
#include "app/cli/scene_options.h"
#include "app/life/scene/setting_steps.h"
#include "app/shell/application.h"
#include "app/shell/frame_pacer.h"
#include "app/shell/state_json.h"
#include "compute/core/error.h"
#include "render/gl/debug.h"

namespace loom::app {
namespace {

struct ViewOptions {
  SceneOptions scene;
  PictureOptions picture;
  MandelbrotSceneOptions explorer;
  std::optional<std::string> frames;
  bool paused = false;
  bool trace_state = false;
};

std::unique_ptr<render::GraphicsContext> open_window(render::Extent size, bool vertical_sync) {
  try {
    return render::make_window({.size = size, .vertical_sync = vertical_sync});
  } catch (const std::runtime_error& error) {
    throw MachineError(
        fmt::format("{}; without a display, fractal-loom shot renders the program into a PNG", error.what()));
  }
}

float text_size(const PictureOptions& options, GLFWwindow* window) {
  float content_scale = 1;
  glfwGetWindowContentScale(window, &content_scale, nullptr);
  // Where the framebuffer is finer than the window's units, the display's scale is in ImGui's units already.
  int width = 1;
  int framebuffer_width = 1;
  glfwGetWindowSize(window, &width, nullptr);
  glfwGetFramebufferSize(window, &framebuffer_width, nullptr);
  if (framebuffer_width != width) content_scale = 1;
  return std::round(kDefaultUiPixels * options.scale().value_or(std::clamp(content_scale, 1.0f, 3.0f)));
}

/// Writes the state to standard error whenever it differs from the last, one JSON object a line, and whatever
/// OpenGL complains about.
class StateTrace {
 public:
  void update(const Application& application) {
    for (const std::string& message : render::take_gl_messages()) fmt::print(stderr, "OpenGL: {}\n", message);
    auto state = state_json(application);
    // While it plays, these differ in every frame.
    if (application.settings().playing) {
      for (const char* key : {"generation", "population", "hash"}) state.erase(key);
    }
    std::string line = state.dump();
    if (line == last_) return;
    fmt::print(stderr, "{}\n", line);
    std::fflush(stderr);
    last_ = std::move(line);
  }

 private:
  std::string last_;
};

void run_window(Application& application, GLFWwindow* window, std::optional<std::uint64_t> frames,
                bool trace) {
  FramePacer pacer;
  StateTrace state;
  for (std::uint64_t frame = 0; !frames || frame < *frames; ++frame) {
    frames ? glfwPollEvents() : pacer.wait_events();
    if (glfwWindowShouldClose(window) == GLFW_TRUE || application.quit()) return;
    application.frame();
    if (trace) state.update(application);
  }
}

int view(const ViewOptions& options) {
  wait_passively();
  Settings settings = options.scene.settings();
  choose_palette(settings, options.scene.palette);
  const render::Extent size = options.picture.extent();
  options.picture.scale();
  std::optional<std::uint64_t> frames;
  if (options.frames) {
    frames = read_whole_number("--frames", *options.frames, 1, std::numeric_limits<std::uint32_t>::max());
  }
  settings.playing = !options.paused;
  options.explorer.apply(settings);

  const auto context = open_window(size, !frames.has_value());
  settings.view.ui_pixels = text_size(options.picture, context->window());
  Application application(settings, *context, true, options.explorer.first_view());
  run_window(application, context->window(), frames, options.trace_state);
  if (options.scene.json) {
    auto json = timing_json(application);
    json.update(state_json(application));
    fmt::print("{}\n", json.dump(2));
  } else if (frames) {
    fmt::print("{}", timing_table(application));
  }
  return 0;
}

}  // namespace

void add_view(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* command = root.add_subcommand("view", "Open the window (also without a subcommand)");
  add_scene_options(*command, options->scene, kPictureScene);
  add_picture_options(*command, options->picture);
  add_mandelbrot_scene_options(*command, options->explorer);
  command
      ->add_option("--frames", options->frames,
                   "Run so many frames without vertical sync, print the timing figures and exit")
      ->type_name("N");
  command->add_flag("--paused", options->paused, "Start paused");
  command->add_flag("--trace-state", options->trace_state,
                    "Write the state to standard error, a JSON line whenever it changes (for tests)");
  command->callback([options, &chosen] { chosen = [options] { return view(*options); }; });
}

}  // namespace loom::app
