#include "app/workspaces/life/panes/pane_figures.h"

#include <fmt/format.h>

#include <string>

#include "app/files/new_file.h"
#include "app/text/format.h"
#include "app/workspaces/life/picture/visible_part.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

using plot::PaneFigure;

/// Takes a few milliseconds.
constexpr std::uint64_t kMaxCopiedCells = 1 << 23;

std::optional<PaneFigure> figure_of(PaneContent shows) {
  switch (shows) {
    case PaneContent::kCells:
      return PaneFigure::kCells;
    case PaneContent::kThreads:
      return PaneFigure::kThreads;
    case PaneContent::kMemory:
      return PaneFigure::kMemory;
    case PaneContent::kSteps:
      return PaneFigure::kSteps;
    case PaneContent::kTimeline:
      return PaneFigure::kTimeline;
    case PaneContent::kMemoryAccess:
      return PaneFigure::kMemoryAccess;
    case PaneContent::kLambdaAnimation:
    case PaneContent::kRace:
    case PaneContent::kMapMetrics:
      return std::nullopt;
  }
  return std::nullopt;
}

/// "threads-sierpinski-gasket-9-lambda-16".
std::string file_name(PaneFigure figure, const FractalConfig& config) {
  return plain_file_name(fmt::format("{}-{}-{}-{}-{}", name_of(figure), config.fractal.name(), config.level,
                                     name_of(config.method.map), config.tile_size));
}

std::string disabled_reason(const SecondaryPanes::SecondaryPane& one) {
  if (one.spec.shows == PaneContent::kMapMetrics || one.spec.shows == PaneContent::kRace)
    return one.content->figure_problem();
  if (!figure_of(one.spec.shows)) return "Animations cannot be exported. Export the cells or the threads";
  if (!one.problem.empty()) return one.problem;
  if (one.spec.shows == PaneContent::kCells && !one.in_sync) return "The pane is being built";
  return one.content ? one.content->figure_problem() : std::string();
}

void add_states(FigureJob& job, const FractalEngine& engine) {
  if (job.colouring.by != explain::ColourBy::kState) return;
  if (engine.cell_count() > kMaxCopiedCells) {
    throw InputError(
        fmt::format("{} cells are too many to draw by state; allowed: at most {}, or another colouring",
                    format_count(engine.cell_count()), format_count(kMaxCopiedCells)));
  }
  job.alive.emplace(static_cast<std::size_t>(engine.cell_count()));
  engine.read_cells(0, *job.alive);
}

void add_thread(FigureJob& job, const ThreadExplanation& explanation) {
  const bool of_this = explanation.thread() && explanation.space()->config() == job.config;
  if (of_this) job.thread = explanation.thread()->place.ref;
}

}  // namespace

std::vector<FigureSource> figure_sources(const FigureScene& scene) {
  const FractalConfig& config = scene.scene.async_engine->config();
  std::vector<FigureSource> sources;
  sources.push_back({"active pane: cells", PaneFigure::kCells, file_name(PaneFigure::kCells, config), {}});
  std::size_t number = 2;
  for (const SecondaryPanes::SecondaryPane& one : scene.secondary_panes.all()) {
    const PaneFigure figure = figure_of(one.spec.shows).value_or(PaneFigure::kCells);
    const FractalConfig& own = one.in_sync ? one.pane->async_engine->config() : config;
    sources.push_back({fmt::format("pane {}: {}", number++, name_of(one.spec.shows)), figure,
                       file_name(figure, own), disabled_reason(one)});
  }
  return sources;
}

FigureJob figure_job(const FigureScene& scene, std::size_t source) {
  const FractalConfig& config = scene.scene.async_engine->config();
  FigureJob job{.what = PaneFigure::kCells,
                .config = config,
                .colouring = scene.colouring,
                .neighbour = scene.neighbour};
  const auto of_cells = [&](const Pane& pane, const ThreadExplanation& explanation) {
    job.config = pane.async_engine->config();
    const TiledFractal& tiled = pane.space.tiled();
    job.part = visible_part(pane.camera, tiled.width, tiled.height);
    const bool of_another = job.colouring.by == explain::ColourBy::kWorker && job.config != config;
    if (of_another) job.colouring.by = explain::ColourBy::kState;  // as in the pane
    add_states(job, pane.async_engine.engine());
    add_thread(job, explanation);
  };
  if (source == 0 || source > scene.secondary_panes.all().size()) {
    of_cells(scene.scene, scene.explanation);
    return job;
  }
  const SecondaryPanes::SecondaryPane& one = scene.secondary_panes.all()[source - 1];
  if (const std::string problem = disabled_reason(one); !problem.empty()) throw InputError(problem);
  job.what = *figure_of(one.spec.shows);
  if (one.pane) {
    of_cells(*one.pane, one.explanation);
    return job;
  }
  if (one.content && one.content->add_to_figure(job)) add_states(job, scene.scene.async_engine.engine());
  add_thread(job, scene.explanation);
  return job;
}

}  // namespace loom::app
