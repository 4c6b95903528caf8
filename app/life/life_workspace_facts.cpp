// What the Life workspace's panels are told.

#include <algorithm>

#include "app/life/life_workspace.h"
#include "app/life/picture/age_overlay.h"
#include "app/life/picture/grid_overlay.h"
#include "app/teach/bit_words.h"

namespace loom::app {
namespace {

// Cells are shared out in some panes and not in others: then only those have colours.
const teach::ColourLegend* legend_beside(const Pane& scene, const PanesBeside& beside) {
  if (scene.legend() != nullptr) return nullptr;
  for (const PanesBeside::One& one : beside.all()) {
    if (one.pane && one.in_step && one.pane->legend() != nullptr) return one.pane->legend();
  }
  return nullptr;
}

}  // namespace

// A recording holds for the method that it is of.
teach::Colouring LifeWorkspace::colouring() const {
  teach::Colouring by = settings_.colouring;
  by.workers = run_.beside.workers({run_.pane->host.config(), run_.pane->host.backend_name()});
  if (by.by == teach::ColourBy::kWorker && !by.workers) by.by = teach::ColourBy::kState;
  return by;
}

// The choice of what colours stand for is one that there is, or will be once what was asked for is recorded.
void LifeWorkspace::check_colouring() {
  teach::Colouring& chosen = edit_->settings.colouring;
  chosen.workers = run_.beside.workers({run_.pane->host.config(), run_.pane->host.backend_name()});
  const auto& wishes = edit_->settings.beside;
  const bool first_frame = run_.beside.all().empty();
  const bool comes =
      run_.beside.wants_timeline() || (first_frame && std::ranges::any_of(wishes, [](const PaneWish& wish) {
                                         return wish.shows == PaneShows::kTimeline;
                                       }));
  if (chosen.by != teach::ColourBy::kWorker || chosen.workers || comes) return;
  chosen.by = teach::ColourBy::kState;
  message_ = Message::warning(
      "Colour by is reset to state: the captured launch used another method. Press Q to capture this one");
}

std::string_view LifeWorkspace::blocks_hidden() const {
  if (!teach::has_blocks(run_.pane->host.config())) return "bit-packed cells have no tiles";
  if (!settings_.block_grid) return "G shows the tiles";
  return block_side(run_.pane->view(), run_.pane->space) < kMinGridSpacing ? kBlocksTooSmall
                                                                           : std::string_view();
}

bool LifeWorkspace::ages_shown() const {
  return settings_.show_ages && run_.pane->host.cell_count() <= CellAges::kMostCells &&
         cell_side(run_.pane->view()) >= kLeastAgeSide;
}

std::string_view LifeWorkspace::ages_hidden() const {
  if (!settings_.show_ages) return {};
  if (run_.pane->host.cell_count() > CellAges::kMostCells)
    return "Not shown at this level: ages are kept for at most 32 768 cells";
  if (cell_side(run_.pane->view()) < kLeastAgeSide)
    return "Not shown at this zoom: a cell is smaller than 2 pixels";
  if (run_.ages.stride() > 1)
    return "Several generations per frame: cells born and dead within a frame are not shown";
  return {};
}

LifeFacts LifeWorkspace::facts() const {
  const EngineHost& host = run_.pane->host;
  return {.config = host.config(),
          .backend = host.backend(),
          .devices = services_.devices,
          .cuda = services_.cuda,
          .backend_name = host.backend_name(),
          .space = run_.pane->space,
          .times = services_.times,
          .generation = run_.pane->generation_figures(),
          .beside = host.works_beside(),
          .comparison = run_.maps.compare(run_.conditions(), host.config()),
          .measuring = run_.maps.progress(),
          .work = settings_.work(),
          .generations_per_frame = settings_.generations_per_frame,
          .step = run_.pane->last_step(),
          .threads = run_.pane->threads,
          .census = run_.population.counted(),
          .course = &run_.course,
          .generations = host.generation(),
          .cells = host.cell_count(),
          .past_bytes = run_.past.chronicle().bytes(),
          .past_budget = run_.past.chronicle().budget(),
          .bytes_held = host.bytes_held(),
          .largest_level = run_.pane->largest_level(),
          .wrong = run_.pane->wrong(),
          .in_bits = run_.pane->in_bits(),
          .colours = run_.pane->legend(),
          .colours_beside = legend_beside(*run_.pane, run_.beside),
          .stretched = run_.pane->camera.cells_per_pixel_x() / run_.pane->camera.cells_per_pixel_y(),
          .ages_hidden = ages_hidden(),
          .ages_shown = ages_shown(),
          .blocks_hidden = blocks_hidden(),
          .frames_per_second = services_.rate.frames_per_second()};
}

}  // namespace loom::app
