// Collects the information for the Life workspace's panels.

#include <algorithm>

#include "app/explain/bit_storage_text.h"
#include "app/workspaces/life/life_workspace.h"
#include "app/workspaces/life/picture/age_overlay.h"
#include "app/workspaces/life/picture/grid_overlay.h"

namespace loom::app {
namespace {

// If only secondary panes distribute their cells, only they have colours by device.
const explain::ColourLegend* secondary_legend(const Pane& scene, const SecondaryPanes& secondary_panes) {
  if (scene.legend() != nullptr) return nullptr;
  for (const SecondaryPanes::SecondaryPane& one : secondary_panes.all()) {
    if (one.pane && one.in_sync && one.pane->legend() != nullptr) return one.pane->legend();
  }
  return nullptr;
}

}  // namespace

// A recording is valid only for the recorded method.
explain::Colouring LifeWorkspace::colouring() const {
  explain::Colouring by = settings_.colouring;
  by.workers = run_.secondary_panes.workers(
      {run_.pane->async_engine->config(), run_.pane->async_engine->backend_name()});
  if (by.by == explain::ColourBy::kWorker && !by.workers) by.by = explain::ColourBy::kState;
  return by;
}

// Resets colours by worker without a recording, unless a requested recording is still to come.
void LifeWorkspace::check_colouring() {
  explain::Colouring& chosen = edit_->settings.colouring;
  chosen.workers = run_.secondary_panes.workers(
      {run_.pane->async_engine->config(), run_.pane->async_engine->backend_name()});
  const auto& panes = edit_->settings.secondary_panes;
  const bool first_frame = run_.secondary_panes.all().empty();
  const bool comes = run_.secondary_panes.needs_timeline() ||
                     (first_frame && std::ranges::any_of(panes, [](const PaneSpec& spec) {
                        return spec.shows == PaneContent::kTimeline;
                      }));
  if (chosen.by != explain::ColourBy::kWorker || chosen.workers || comes) return;
  chosen.by = explain::ColourBy::kState;
  message_ = Message::warning(
      "Colour by is reset to state: the captured launch used another method. Press Q to capture this one");
}

std::string_view LifeWorkspace::tiles_hidden_reason() const {
  if (!explain::has_tiles(run_.pane->async_engine->config())) return "bit-packed cells have no tiles";
  if (!settings_.tile_grid) return "G shows the tiles";
  return tile_side(run_.pane->view(), run_.pane->space) < kMinGridSpacing ? kTilesTooSmall
                                                                          : std::string_view();
}

bool LifeWorkspace::ages_shown() const {
  return settings_.show_ages && run_.pane->async_engine->cell_count() <= CellAges::kMaxCells &&
         cell_side(run_.pane->view()) >= kMinAgeCellSide;
}

std::string_view LifeWorkspace::ages_hidden_reason() const {
  if (!settings_.show_ages) return {};
  if (run_.pane->async_engine->cell_count() > CellAges::kMaxCells)
    return "Not shown at this level: ages are kept for at most 32 768 cells";
  if (cell_side(run_.pane->view()) < kMinAgeCellSide)
    return "Not shown at this zoom: a cell is smaller than 2 pixels";
  if (run_.ages.stride() > 1)
    return "Several generations per frame: cells born and dead within a frame are not shown";
  return {};
}

LifeStats LifeWorkspace::stats() const {
  const AsyncEngine<LifeEngine>& async_engine = run_.pane->async_engine;
  const glm::dvec2 cells_per_pixel = run_.pane->camera.cells_per_pixel();
  return {.config = async_engine->config(),
          .backend = async_engine->backend(),
          .devices = services_.devices,
          .cuda = services_.cuda,
          .backend_name = async_engine->backend_name(),
          .space = run_.pane->space,
          .times = services_.times,
          .generation = run_.pane->generation_stats(),
          .steps_in_background = async_engine.in_background(),
          .comparison = run_.maps.compare(run_.conditions(), async_engine->config()),
          .measuring = run_.maps.progress(),
          .work = settings_.work(),
          .generations_per_frame = settings_.generations_per_frame,
          .step = run_.pane->last_step(),
          .threads = run_.pane->threads,
          .census = run_.census_schedule.counted(),
          .cycle_detector = &run_.cycle_detector,
          .generations = async_engine->generation(),
          .cells = async_engine->cell_count(),
          .history_bytes = run_.history.cell_history().bytes(),
          .history_budget = run_.history.cell_history().budget(),
          .allocated_bytes = async_engine->allocated_bytes(),
          .largest_level = run_.pane->largest_level(),
          .wrong = run_.pane->wrong(),
          .in_bits = run_.pane->in_bits(),
          .colours = run_.pane->legend(),
          .secondary_colours = secondary_legend(*run_.pane, run_.secondary_panes),
          .stretched = cells_per_pixel.x / cells_per_pixel.y,
          .ages_hidden_reason = ages_hidden_reason(),
          .ages_shown = ages_shown(),
          .tiles_hidden_reason = tiles_hidden_reason(),
          .frames_per_second = services_.rate.frames_per_second()};
}

}  // namespace loom::app
