#include "app/life/panes/pane_figures.h"

#include <fmt/format.h>

#include <string>

#include "app/files/new_file.h"
#include "app/life/picture/seen_part.h"
#include "app/text/format.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

using plot::PaneFigure;

/// A few milliseconds.
constexpr std::uint64_t kMostCopied = 1 << 23;

std::optional<PaneFigure> figure_of(PaneShows shows) {
  switch (shows) {
    case PaneShows::kCells:
      return PaneFigure::kCells;
    case PaneShows::kThreads:
      return PaneFigure::kThreads;
    case PaneShows::kMemory:
      return PaneFigure::kMemory;
    case PaneShows::kSteps:
      return PaneFigure::kSteps;
    case PaneShows::kTimeline:
      return PaneFigure::kTimeline;
    case PaneShows::kLens:
      return PaneFigure::kLens;
    case PaneShows::kUnfold:
      return std::nullopt;
  }
  return std::nullopt;
}

/// "threads-sierpinski-gasket-9-lambda-16".
std::string file_name(PaneFigure figure, const FractalConfig& config) {
  return plain_file_name(fmt::format("{}-{}-{}-{}-{}", name_of(figure), config.fractal.name(), config.level,
                                     name_of(config.method.map), config.block));
}

std::string why_not(const PanesBeside::One& one) {
  if (!figure_of(one.wish.shows)) return "Animations cannot be exported. Export the cells or the threads";
  if (!one.problem.empty()) return one.problem;
  if (one.wish.shows == PaneShows::kCells && !one.in_step) return "The pane is being built";
  if (one.timeline && !one.timeline->view().recorded()) return "Nothing was captured yet";
  return {};
}

void add_states(FigureJob& job, const FractalEngine& engine) {
  if (job.colouring.by != teach::ColourBy::kState) return;
  if (engine.cell_count() > kMostCopied) {
    throw InputError(
        fmt::format("{} cells are too many to draw by state; allowed: at most {}, or another colouring",
                    format_count(engine.cell_count()), format_count(kMostCopied)));
  }
  job.alive.emplace(static_cast<std::size_t>(engine.cell_count()));
  engine.read_cells(0, *job.alive);
}

void add_thread(FigureJob& job, const Explained& explained) {
  const bool of_this = explained.thread() && explained.space()->config() == job.config;
  if (of_this) job.thread = explained.thread()->place.ref;
}

}  // namespace

std::vector<FigureSource> figure_sources(const FigureScene& scene) {
  const FractalConfig& config = scene.scene.host.config();
  std::vector<FigureSource> sources;
  sources.push_back({"active pane: cells", PaneFigure::kCells, file_name(PaneFigure::kCells, config), {}});
  std::size_t number = 2;
  for (const PanesBeside::One& one : scene.beside.all()) {
    const PaneFigure figure = figure_of(one.wish.shows).value_or(PaneFigure::kCells);
    const FractalConfig& own = one.in_step ? one.pane->host.config() : config;
    sources.push_back({fmt::format("pane {}: {}", number++, name_of(one.wish.shows)), figure,
                       file_name(figure, own), why_not(one)});
  }
  return sources;
}

FigureJob figure_job(const FigureScene& scene, std::size_t source) {
  const FractalConfig& config = scene.scene.host.config();
  FigureJob job{.what = PaneFigure::kCells,
                .config = config,
                .colouring = scene.colouring,
                .neighbour = scene.neighbour};
  const auto of_cells = [&](const Pane& pane, const Explained& explained) {
    job.config = pane.host.config();
    const BlockedFractal& blocked = pane.space.blocked();
    job.part = seen_part(pane.camera, blocked.width, blocked.height);
    const bool of_another = job.colouring.by == teach::ColourBy::kWorker && job.config != config;
    if (of_another) job.colouring.by = teach::ColourBy::kState;  // as the pane shows it
    add_states(job, pane.host.engine());
    add_thread(job, explained);
  };
  if (source == 0 || source > scene.beside.all().size()) {
    of_cells(scene.scene, scene.explained);
    return job;
  }
  const PanesBeside::One& one = scene.beside.all()[source - 1];
  if (const std::string problem = why_not(one); !problem.empty()) throw InputError(problem);
  job.what = *figure_of(one.wish.shows);
  if (one.pane) {
    of_cells(*one.pane, one.explained);
    return job;
  }
  if (one.space) {
    job.part = one.space->seen();
    add_states(job, scene.scene.host.engine());
  }
  if (one.timeline) {
    job.timeline = one.timeline->view().timeline();
    job.config = *one.timeline->config();
  }
  add_thread(job, scene.explained);
  return job;
}

}  // namespace loom::app
