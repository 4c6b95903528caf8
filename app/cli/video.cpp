#include "app/document/video/video.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/options/options.h"
#include "app/cli/signal_monitor.h"
#include "app/explain/show_me.h"
#include "app/files/json_reader.h"
#include "app/files/output_file.h"
#include "app/program/program.h"
#include "app/program/workspace_formats.h"
#include "app/tasks/task.h"
#include "app/text/text.h"
#include "app/workspaces/life/document/life_state.h"
#include "app/workspaces/mandelbrot/document/mandelbrot_state.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

struct VideoOptions : ProgramOptions {
  std::string out;
  std::string frames_per_second = "30";
  std::string seconds = "10";
  std::string at_once = "1";
  std::string steps = "0";
  std::vector<std::string> to;
  bool force = false;
  bool show_me = false;
  bool seconds_given = false;
  OptionList of_life;
  OptionList of_mandelbrot;
};

std::vector<scene::Json> keyframes_of(const VideoOptions& options, const ProgramSettings& settings,
                                      glm::ivec2 size) {
  std::vector<scene::Json> keyframes;
  const auto add = [&](const ComplexView& view) {
    keyframes.push_back(to_json(MandelbrotPlace{.view = view}));
  };
  const ComplexView first = settings.first_view.value_or(default_view(size, settings.mandelbrot.config.set));
  if (!options.to.empty()) add(first);
  for (const std::string& text : options.to) {
    const auto parts = split_words(text, ",");
    const bool decimal = parts.size() == 3 && std::ranges::all_of(parts, is_decimal);
    try {
      // Deeper than --view reads.
      constexpr int kLeastPower = -13;
      const auto is_deep = [&](const Decimal& width) {
        return width.rounded().mantissa > 0 && width.power() < kLeastPower &&
               width.power() >= kLeastWidthPower;
      };
      const bool deep = decimal && is_deep(Decimal(std::string(parts[2])));
      add(turned(deep ? typed_view({std::string(parts[0]), std::string(parts[1]), std::string(parts[2])})
                      : read_view("--to", {text}, fmt::format("1e{}", kLeastWidthPower)),
                 first.angle));
    } catch (const InputError& error) {
      const std::string words = error.what();
      throw InputError("--to" + words.substr(words.find(':')));
    }
  }
  return keyframes;
}

int make(const VideoOptions& options) {
  set_passive_omp_wait();
  const ProgramSettings settings = read_program_settings(options, video::kMostSide);
  print_note(settings.note);
  const bool of_life = workspace_formats()[settings.shell.workspace].id == LifeState::kId;
  const bool of_solid = workspace_formats()[settings.shell.workspace].id == SolidState::kId;
  const bool of_cells = of_life || of_solid;
  if (!of_cells && workspace_formats()[settings.shell.workspace].id != MandelbrotState::kId)
    throw InputError(
        "the Benchmark workspace has no picture; allowed: --workspace life, mandelbrot or solid");
  if (options.show_me) {
    require_only(*options.scene.command, "--show-me",
                 "--fractal --fractal-file --open --workspace --size --fps --seconds --out --force --backend "
                 "--device --json");
  }
  reject_options(of_cells ? options.of_mandelbrot : options.of_life, of_cells ? "mandelbrot" : "life");
  video::VideoSpec spec{.file = options.out, .scene = first_scene(settings)};
  spec.format.size = options.picture.extent(video::kMostSide);
  spec.format.frames_per_second =
      read_whole_number<int>("--fps", options.frames_per_second, 1, video::kMaxFramesPerSecond);
  if (options.show_me && !of_life)
    throw InputError("--show-me explains the maps of life; allowed: --workspace life");
  const double seconds = options.show_me && !options.seconds_given
                             ? explain::ShowMe::kSeconds
                             : read_real_number("--seconds", options.seconds, 0, 1e6);
  spec.frames = static_cast<int>(std::clamp(std::lround(seconds * spec.format.frames_per_second), 1L,
                                            static_cast<long>(video::kMaxFrames) + 1));
  spec.generations = read_whole_number<std::uint32_t>("--at-once", options.at_once);
  const auto steps = read_whole_number<std::uint32_t>("--steps", options.steps);
  spec.keyframes = keyframes_of(options, settings, spec.format.size);
  video::check(spec);
  check_may_replace(spec.file, options.force);
  check_can_be_written("--out", spec.file);
  spec.backend = select_backend(settings.shell.backend, settings.shell.device);
  if (steps > 0 && of_life) {
    CellSource& cells = edit_state<LifeState>(spec.scene).cells;
    if (cells.bits())
      throw InputError("--steps and --open exclude each other for a video; allowed: one of them");
    cells.run(steps, cells.work());
  }

  if (of_solid) {
    SolidState& solid = edit_state<SolidState>(spec.scene);
    solid.cells.run(steps, solid.settings.work);
  }

  const SignalMonitor interrupt;
  ProgressLine line;
  Worker worker;
  std::string made;
  worker.start([&](ProgressMonitor& watch) {
    made = options.show_me ? video::write_show_me(spec, settings.life.config.fractal, &watch)
                           : video::write_video(spec, &watch);
  });
  try {
    while (!worker.wait_for(std::chrono::milliseconds(100))) {
      if (interrupt.interrupted()) worker.watch().cancel();
      line.show(fmt::format("video: {:.0f} %", worker.watch().share() * 100));
    }
  } catch (const OperationCancelled&) {
    return SignalMonitor::status_of(*interrupt.interrupted());
  }
  line.show("");
  if (options.scene.json) {
    nlohmann::ordered_json json{{"frames", spec.frames},
                                {"fps", spec.format.frames_per_second},
                                {"size", {spec.format.size.x, spec.format.size.y}},
                                {"made_by", video::encoder_name(spec.file)},
                                {"said", made},
                                {"out", options.out}};
    fmt::print("{}\n", json_text(json));
  } else if (!made.empty()) {
    fmt::print("{}\n", made);
  }
  return 0;
}

}  // namespace

Action add_video(CLI::App& command) {
  auto options = std::make_shared<VideoOptions>();
  command.description("Export a video: generations of life, or a flight through the Mandelbrot set");
  // Options without overlays, which a video does not contain.
  options->of_life = options_added_by(
      command,
      [&] {
        add_scene_options(command, options->scene, kVideoOptions);
        add_life_view_options(command, options->life_view);
        add_text(command, "--at-once", options->at_once, "N", "Life: generations per frame");
        add_text(command, "--steps", options->steps, "N", "Life: generations before the first frame");
      },
      {"--open", "--backend", "--device", "--devices", "--palette", "--json"});
  options->of_mandelbrot = options_added_by(
      command,
      [&] {
        add_workspace_option(command, *options);
        add_mandelbrot_scene_options(command, options->mandelbrot);
        add_text(command, "--to", options->to, "RE,IM,WIDTH",
                 "Mandelbrot: fly from --view to this view, RE,IM,WIDTH; repeat for more stops");
      },
      {"--workspace"});
  add_picture_options(command, options->picture);
  add_output_file(command, "--out", options->out,
                  "Output file: .mp4, .mkv, .webm or .gif (requires ffmpeg), or .png for numbered images")
      .required();
  add_text(command, "--fps", options->frames_per_second, "N", "Frames per second, 1 to 120");
  add_text(command, "--seconds", options->seconds, "S", "Length in seconds");
  command.add_flag("--force", options->force, "Replace an existing file");
  command.add_flag("--show-me", options->show_me,
                   "Life: the animation of the maps of the fractal, instead of generations; one minute, or "
                   "--seconds");
  return [options, &command] {
    options->seconds_given = command.count("--seconds") > 0;
    return make(*options);
  };
}

}  // namespace loom::app
