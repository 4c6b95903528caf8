#include <fmt/format.h>

#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/bench/file_text.h"
#include "app/cli/command.h"
#include "app/cli/read_number.h"
#include "app/cli/scene_options.h"
#include "app/plot/sketch_file.h"
#include "app/sketch/lens_sketch.h"
#include "app/sketch/space_sketch.h"
#include "app/sketch/steps_sketch.h"
#include "app/sketch/timeline_sketch.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "compute/core/named_choice.h"

namespace loom::app {
namespace {

enum class Show { kCells, kThreads, kMemory, kSteps, kTimeline, kLens };
constexpr std::array kShows = {Show::kCells, Show::kThreads,  Show::kMemory,
                               Show::kSteps, Show::kTimeline, Show::kLens};
std::string_view name_of(Show show) {
  static constexpr std::array<std::string_view, 6> kNames = {"cells", "threads",  "memory",
                                                             "steps", "timeline", "lens"};
  return kNames[static_cast<std::size_t>(show)];
}

struct FigureOptions {
  SceneOptions scene;
  std::string show = "cells";
  std::string steps = "0";
  std::string neighbour = "right";
  std::string text_size = "11";
  std::string out;
};

/// The thread of the point that was named.
std::optional<teach::ThreadRef> chosen_thread(const teach::ThreadSpace& threads, const Settings& settings) {
  if (!settings.pinned) return std::nullopt;
  const auto ref = threads.thread_at(*settings.pinned);
  if (!ref) {
    throw InputError(fmt::format("no thread is launched for point {},{}, a hole; allowed: a cell",
                                 settings.pinned->x, settings.pinned->y));
  }
  return ref;
}

int neighbour_of(const std::string& name) {
  std::string names;
  for (int i = 0; i < 8; ++i) {
    if (sketch::name_of_neighbour(i) == name) return i;
    names += (i > 0 ? ", " : "") + sketch::name_of_neighbour(i);
  }
  throw InputError(fmt::format("unknown neighbour '{}'; allowed: {}", name, names));
}

std::unique_ptr<FractalEngine> scene_engine(const Settings& settings, std::uint64_t steps) {
  auto engine = make_fractal_engine(settings.config, select_backend(settings.backend, settings.device));
  engine->reset(settings.start);
  if (steps > 0) engine->run(static_cast<std::uint32_t>(steps), settings.work());
  return engine;
}

std::vector<std::uint8_t> states_of(const Settings& settings, std::uint64_t steps) {
  const auto engine = scene_engine(settings, steps);
  std::vector<std::uint8_t> alive(static_cast<std::size_t>(engine->cell_count()));
  engine->read_cells(0, alive);
  return alive;
}

sketch::Sketch sketch_of(Show show, const FigureOptions& options, const Settings& settings,
                         std::uint64_t steps) {
  const teach::ThreadSpace threads(settings.config);
  const auto thread = chosen_thread(threads, settings);
  if (show == Show::kSteps) {
    const Coord64 block = thread ? thread->block : Coord64{0, 0};
    return sketch::steps_sketch(threads,
                                {.block = block, .neighbour = neighbour_of(options.neighbour), .width = 100})
        .sketch;
  }
  if (show == Show::kTimeline) {
    return sketch::timeline_sketch(scene_engine(settings, steps)->record_timeline({.rule = settings.rule}),
                                   {});
  }
  if (show == Show::kLens) {
    constexpr std::uint64_t kMostWarps = 1024;
    const teach::ThreadRef of = thread.value_or(teach::ThreadRef{});
    return sketch::lens_sketch(teach::warp_lens(threads, of), teach::launch_traffic(threads, kMostWarps));
  }
  const teach::Space space = show == Show::kCells     ? teach::Space::kCells
                             : show == Show::kThreads ? teach::Space::kThreads
                                                      : teach::Space::kMemory;
  const teach::SpaceLayout layout(threads, space);
  sketch::SpaceWish wish{.colouring = settings.colouring, .thread = thread};
  std::vector<std::uint8_t> alive;
  if (settings.colouring.by == teach::ColourBy::kState && threads.blocked().cells <= sketch::kMostUnits) {
    alive = states_of(settings, steps);
    wish.alive = &alive;
  }
  return sketch::space_sketch(layout, wish);
}

bool is_table(const std::string& file) {
  return file.ends_with(".csv") || file.ends_with(".tex");
}

bool has_tables(Show show) {
  return show == Show::kSteps || show == Show::kTimeline || show == Show::kLens;
}

std::string bytes_of(const sketch::Sketch& sketch, const FigureOptions& options, const std::string& title) {
  if (is_table(options.out)) {
    return options.out.ends_with(".csv") ? plot::tables_as_csv(sketch) : plot::tables_as_latex(sketch);
  }
  const double size = read_real_number("--text-size", options.text_size, 2, 100);
  return plot::draw_sketch(sketch, plot::format_of(options.out), size, title);
}

int run(const FigureOptions& options) {
  const Show show = parse_choice("show", options.show, kShows);
  if (is_table(options.out) && !has_tables(show)) {
    throw InputError(
        fmt::format("{}: {} has no table; allowed: .svg, .pdf, .png", options.out, options.show));
  }
  if (!is_table(options.out)) plot::format_of(options.out);  // a wrong ending is told before the work
  const Settings settings = options.scene.settings();
  const std::uint64_t steps =
      read_whole_number("--steps", options.steps, 0, std::numeric_limits<std::uint32_t>::max());
  const sketch::Sketch sketch = sketch_of(show, options, settings, steps);
  const std::string title = fmt::format("{} of {} level {}, {}", options.show, settings.config.fractal.name(),
                                        settings.config.level, to_string(settings.config.method));
  bench::replace_file(options.out, bytes_of(sketch, options, title));
  if (options.scene.json) {
    nlohmann::ordered_json json{{"out", options.out}, {"show", options.show}, {"title", title}};
    json["tables"] = sketch.tables().size();
    json["shapes"] = sketch.shapes().size();
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}: {}\n", options.out, title);
  }
  return 0;
}

}  // namespace

void add_figure(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<FigureOptions>();
  CLI::App* command = root.add_subcommand("figure",
                                          "Draw what a pane shows, for a page: the cells, threads, memory or "
                                          "timeline of a launch, or a map's steps");
  add_scene_options(*command, options->scene, kPictureScene);
  command->add_option("--show", options->show, "cells, threads, memory, steps, timeline or lens")
      ->type_name("WHAT")
      ->capture_default_str();
  command->add_option("--steps", options->steps, "Generations before the states are shown")
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--neighbour", options->neighbour,
                   "Of steps with the compact map: whose nu; a wrong name lists them")
      ->type_name("SIDE")
      ->capture_default_str();
  command
      ->add_option("--text-size", options->text_size,
                   "Size of the letters in points, 2 to 100; all goes with it")
      ->type_name("PT")
      ->capture_default_str();
  command
      ->add_option("-o,--out", options->out,
                   "Figure to write: .svg, .pdf or .png; of steps, timeline and lens also .csv or .tex, "
                   "their numbers alone")
      ->type_name("FILE")
      ->required();
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace loom::app
