#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/command.h"
#include "app/cli/options/options.h"
#include "app/cli/options/scene_options.h"
#include "app/explain/diagram/diagrams.h"
#include "app/explain/fragments.h"
#include "app/files/file_kind.h"
#include "app/files/json_reader.h"
#include "app/files/output_file.h"
#include "app/plot/pane_figure.h"
#include "app/program/lesson_check.h"
#include "app/workspaces/life/document/life_state.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"

namespace loom::app {
namespace {

using plot::PaneFigure;

struct FigureOptions {
  SceneOptions scene;
  std::string show = "cells";
  std::string steps = "0";
  std::string neighbour = "right";
  std::string text_size = "11";
  std::string out;
};

/// The thread of the point named on the command line or pinned in the scene, if there is one.
std::optional<explain::ThreadRef> selected_thread(const explain::ThreadSpace& threads,
                                                  const Settings& settings, bool named) {
  if (!settings.pinned) return std::nullopt;
  const auto ref = threads.thread_at(*settings.pinned);
  if (!ref && named) {
    throw InputError(fmt::format("no thread is launched for point {},{}, a hole; allowed: a cell",
                                 settings.pinned->x, settings.pinned->y));
  }
  return ref;
}

int neighbour_of(const std::string& name) {
  std::string names;
  for (int i = 0; i < 8; ++i) {
    if (diagram::neighbour_name(i) == name) return i;
    names += (i > 0 ? ", " : "") + diagram::neighbour_name(i);
  }
  throw InputError(fmt::format("unknown neighbour '{}'; allowed: {}", name, names));
}

/// The settings, and the start of the cells that are drawn.
struct DrawnScene {
  Settings settings;
  CellSource cells;
};

/// The scene of --open, or the one given by the options.
DrawnScene selected_scene(const SceneOptions& options) {
  if (const auto opened = open_scene(options)) {
    const LifeState& life = state_of<LifeState>(*opened);
    return {options.settings_over(life.settings), life.cells};
  }
  const Settings settings = options.settings();
  return {settings, CellSource(settings.start)};
}

bool is_space(PaneFigure show) {
  return show == PaneFigure::kCells || show == PaneFigure::kThreads || show == PaneFigure::kMemory;
}

/// Throws InputError for a typed option without effect on this figure.
void require_effect_on(PaneFigure show, const Settings& settings, const FigureOptions& options) {
  const bool steps = show == PaneFigure::kSteps || show == PaneFigure::kFragments;
  const bool shows_states = is_space(show) && settings.colouring.by == explain::ColourBy::kState;
  const std::string extension = lower_extension(options.out);
  const bool table = extension == ".csv" || extension == ".tex";
  require_effect(
      *options.scene.command,
      {{"--colour-by", is_space(show), "with --show cells, threads or memory"},
       {"--steps --seed --density --workload --reduction", shows_states,
        "with --show cells, threads or memory and --colour-by state"},
       {"--rule", shows_states || (steps && settings.config.method.counting == Counting::kTensor),
        "with --show cells, threads or memory and --colour-by state, or steps and --counting tensor"},
       {"--halo", show == PaneFigure::kTimeline || show == PaneFigure::kMemoryAccess,
        "with --show timeline or lens"},
       {"--thread", show != PaneFigure::kTimeline, "without --show timeline"},
       {"--neighbour", steps && settings.config.method.map == MapKind::kCompact,
        "with --show steps --map compact"},
       {"--text-size", !table, "with .svg, .pdf or .png"}});
}

std::unique_ptr<FractalEngine> scene_engine(const DrawnScene& subject, std::uint32_t steps) {
  const Settings& settings = subject.settings;
  auto engine = make_fractal_engine(settings.config, select_backend(settings.backend, settings.device));
  CellSource made;
  make_cells(*engine, made, subject.cells);
  if (steps > 0) engine->run(steps, settings.work());
  return engine;
}

std::vector<std::uint8_t> states_of(const DrawnScene& scene, std::uint32_t steps) {
  const auto engine = scene_engine(scene, steps);
  std::vector<std::uint8_t> alive(static_cast<std::size_t>(engine->cell_count()));
  engine->read_cells(0, alive);
  return alive;
}

diagram::Diagram diagram_of(PaneFigure show, const FigureOptions& options, const DrawnScene& scene,
                            std::uint32_t steps) {
  const Settings& settings = scene.settings;
  const explain::ThreadSpace threads(settings.config);
  plot::FigureJob job{.what = show,
                      .config = settings.config,
                      .colouring = settings.colouring,
                      .thread = selected_thread(threads, settings, options.scene.thread.has_value()),
                      .neighbour = neighbour_of(options.neighbour),
                      .counted_radius = explain::band_radius(threads, settings.rule)};
  const bool of_units = is_space(show);
  const explain::ColourBy by = settings.colouring.by;
  if (show == PaneFigure::kTimeline || (of_units && by == explain::ColourBy::kWorker)) {
    job.timeline = std::make_shared<const Timeline>(
        scene_engine(scene, steps)->record_timeline({.rule = settings.rule}));
    job.colouring.workers = explain::ThreadBlockWorkers::of(settings.config, *job.timeline);
  }
  if (of_units && by == explain::ColourBy::kState && threads.tiled().cells <= diagram::kMaxUnits)
    job.alive = states_of(scene, steps);
  return plot::pane_diagram(job);
}

int run(const FigureOptions& options) {
  const PaneFigure show = parse_choice("show", options.show, plot::kPaneFigures);
  plot::check_extension(show, options.out);  // reports a wrong extension before the work
  const double text_size = read_real_number("--text-size", options.text_size, 2, 100);
  check_can_be_written("--out", options.out);
  const DrawnScene scene = selected_scene(options.scene);
  require_effect_on(show, scene.settings, options);
  const auto steps = read_whole_number<std::uint32_t>("--steps", options.steps);
  const diagram::Diagram diagram = diagram_of(show, options, scene, steps);
  const std::string title = plot::title_of(show, scene.settings.config);
  write_file(options.out, plot::bytes_of(diagram, options.out, text_size, title));
  if (options.scene.json) {
    nlohmann::ordered_json json{{"out", options.out}, {"show", options.show}, {"title", title}};
    json["tables"] = diagram.tables().size();
    json["shapes"] = diagram.shapes().size();
    fmt::print("{}\n", json_text(json));
  } else {
    fmt::print("{}: {}\n", options.out, title);
  }
  return 0;
}

}  // namespace

Action add_figure(CLI::App& command) {
  auto options = std::make_shared<FigureOptions>();
  command.description(
      "Draw the content of a pane for print: cells, threads, memory or "
      "timeline of a launch, or the steps of a map");
  add_scene_options(command, options->scene, kFigureOptions);
  add_text(command, "--show", options->show, "WHAT",
           "cells, threads, memory, steps, fragments, timeline or lens");
  add_text(command, "--steps", options->steps, "N", "Generations before states are shown");
  add_text(command, "--neighbour", options->neighbour, "SIDE",
           "For steps of the compact map: the neighbour whose nu is shown; an unknown name prints the list");
  add_text(command, "--text-size", options->text_size, "PT",
           "Text size in points, 2 to 100; the drawing scales with it");
  add_output_file(command, "-o,--out", options->out,
                  "Output file: .svg, .pdf or .png; for steps, timeline and lens also .csv or .tex with the "
                  "numbers only")
      .required();
  return [options] { return run(*options); };
}

}  // namespace loom::app
