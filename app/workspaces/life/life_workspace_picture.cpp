// The picture of the Life workspace: view, mouse, panes and overlays.

#include <algorithm>
#include <cmath>

#include "app/explain/bit_storage_text.h"
#include "app/widgets/picture_hint.h"
#include "app/workspaces/life/life_workspace.h"
#include "app/workspaces/life/panels/caption.h"
#include "app/workspaces/life/panels/scoreboard.h"
#include "app/workspaces/life/panes/pane_overlay.h"
#include "app/workspaces/life/picture/visible_part.h"
#include "app/workspaces/life/scene/selected_point.h"

namespace loom::app {

void LifeWorkspace::update(const Area& picture, float scale) {
  Pane& pane = *run_.pane;
  // Metrics have a column for each map.
  constexpr float kMetricsWidth = 3.2f;
  const auto& secondary = run_.secondary_panes.all();
  const bool has_metrics = !secondary.empty() && secondary.back().spec.shows == PaneContent::kMapMetrics;
  layout_panes(picture, secondary.size() + 1, ImGui::GetFontSize(), scoreboard_height(run_.secondary_panes),
               places_, has_metrics ? kMetricsWidth : 1);
  const std::vector<PaneArea>& areas = places_;
  pane.place(areas[0].picture, scale);
  using CellShape = render::Camera::CellShape;
  pane.camera.set_shape(edit_->settings.square_points ? CellShape::kSquare : CellShape::kAuto);
  const render::Camera looked_at = pane.camera;
  run_.secondary_panes.place(areas, scale);
  if (!edit_->settings.show_bench && !edit_->settings.show_code && !show_me_.is_open()) {
    const explain::MapStepTimes times = step_times();
    PaneResponse response{edit_->settings.neighbour, edit_->commands.record_devices};
    run_.secondary_panes.show_contents({{pane.async_engine->config(), pane.async_engine->backend_name()},
                                        colouring(),
                                        explanation_,
                                        pane.devices ? &*pane.devices : nullptr,
                                        pane.async_engine->backend().devices() > 1,
                                        stats_->work,
                                        pane.async_engine->backend(),
                                        times},
                                       response);
    if (response.square) highlighted_ = response.square;
    pane_headers(pane_headers_, *edit_, *stats_, run_.secondary_panes, areas);
    scoreboard(*stats_, run_.secondary_panes, areas, strips_, compared_cell());
    inexact_result_banner(pane.area(), stats_->wrong);
  }
  select();
  figure_dialog();
  draw_dialog();
  if (PaletteEditor& palette = view_panel_.palette; palette.active())
    palette.show(edit_->shell, edit_->shell.settings.palette, nullptr);
  const ViewCommands& commands = edit_->shell.view;
  const glm::dvec2 picture_size(pane.camera.picture());
  const auto& look = edit_->commands.look_at;
  if (look) look_at(pane.camera, *look);
  if (commands.fit) pane.camera.fit();
  if (commands.zoom != 0) pane.camera.zoom_at(picture_size / 2.0, std::pow(kZoomStep, commands.zoom));
  if (commands.pan != glm::ivec2(0)) pane.camera.pan(-glm::dvec2(commands.pan) * kPanStep * picture_size);
  if (commands.arm_box_zoom) pane.mouse.arm_box_zoom();
  if (edit_->shell.commands.dismiss) pane.mouse.cancel();
  if (picture.empty()) return;
  hovered_.reset();
  // All panes of cells show the same part of the field: each mouse moves the scene's camera.
  const auto update_mouse = [&](Pane& one) {
    const PictureMouse::Brush brush{.space = pane.space,
                                    .is_alive =
                                        [&](Coord64 cell) {
                                          return run_.is_idle()
                                                     ? pane.async_engine.engine().cell(cell).value_or(false)
                                                     : pane.probed.value_or(false);
                                        },
                                    .painted = edit_->commands.cells};
    const bool paints = edit_->settings.edit_cells && !editor_.has_ghost();
    one.mouse.update(one.area(), scale, pane.camera, paints ? &brush : nullptr);
    if (const auto drag = one.mouse.selecting()) editor_.drag(drag->from, drag->to);
    if (const auto& at = one.mouse.hovered()) {
      hovered_ = pane.space.place_at(at->x, at->y);
      editor_.hover(at);
    }
  };
  update_mouse(pane);
  const ImGuiIO& io = ImGui::GetIO();
  clicked_ = ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !io.WantCaptureMouse && !io.KeyCtrl &&
             io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] < 9;
  // With a pattern to be placed, a click places it and pins nothing.
  if (clicked_ && editor_.has_ghost() && pane.mouse.hovered()) {
    editor_.place();
    clicked_ = false;
  }
  for (SecondaryPanes::SecondaryPane& one : run_.secondary_panes.all()) {
    if (one.pane) update_mouse(*one.pane);
    const auto point = one.content ? one.content->update() : std::nullopt;
    if (point) {
      hovered_ =
          pane.space.place_at(static_cast<std::int64_t>(point->x), static_cast<std::int64_t>(point->y));
    }
  }
  if (const auto& cell = strips_.hovered())
    hovered_ = pane.space.place_at(static_cast<std::int64_t>(cell->x), static_cast<std::int64_t>(cell->y));
  for (SecondaryPanes::SecondaryPane& one : run_.secondary_panes.all()) {
    if (one.pane && one.in_sync) one.pane->camera = pane.camera;
  }
  if (pane.camera != looked_at && !look) record_view(view_of(looked_at), view_of(pane.camera));
}

// Benchmarked times if there are some, otherwise those of the panes.
explain::MapStepTimes LifeWorkspace::step_times() const {
  const MapComparison& known = stats_->comparison;
  explain::MapStepTimes times{.benchmarked = known.benchmarked, .on_gpu = !stats_->backend.device.on_host};
  for (std::size_t map = 0; map < known.maps.size(); ++map) {
    if (known.maps[map]) times.ms[map] = known.maps[map]->milliseconds;
  }
  if (known.benchmarked) return times;
  const auto take = [&](const Pane& pane) {
    const StageStats step = pane.generation_stats();
    if (step.samples > 0)
      times.ms[static_cast<std::size_t>(pane.async_engine->config().method.map)] = step.median;
  };
  for (const SecondaryPanes::SecondaryPane& one : run_.secondary_panes.all()) {
    if (one.in_sync && !one.spec.backend) take(*one.pane);
  }
  take(*run_.pane);
  return times;
}

// The cell that the panes of a comparison mark: the selected one, otherwise that under the cursor.
std::optional<Coord64> LifeWorkspace::compared_cell() const {
  if (explanation_.point()) return explanation_.point();
  return hovered_ ? std::optional(hovered_->cell) : std::nullopt;
}

// One point is selected in all panes; each explains the thread that its own map launches for it.
void LifeWorkspace::select() {
  const FractalConfig& config = run_.pane->async_engine->config();
  const std::optional<Coord64> hovered_cell = hovered_ ? std::optional(hovered_->cell) : std::nullopt;
  // A point may be pinned together with another level, before its engine runs.
  const FractalConfig& wanted = edit_->settings.config;
  const auto point = selected_point(*edit_, wanted, hovered_cell, std::exchange(clicked_, false));
  explanation_.look_at(config, point);
  for (SecondaryPanes::SecondaryPane& one : run_.secondary_panes.all()) {
    one.explanation.look_at(one.in_sync ? one.pane->async_engine->config() : config,
                            one.in_sync ? point : std::nullopt);
  }
}

void LifeWorkspace::show(FrameClock& clock) {
  const explain::Colouring by = colouring();
  run_.pane->draw(clock);
  run_.pane->colour(by, services_.waits);
  for (SecondaryPanes::SecondaryPane& one : run_.secondary_panes.all()) {
    if (one.pane && one.in_sync) {
      one.pane->draw(clock);
      one.pane->colour(by, services_.waits);
    }
    if (one.content) one.content->paint(run_.pane->async_engine->config(), by, run_.states, services_.waits);
  }
  clock.lap(Stage::kDraw);
}

// Cells are content, alive or dead. Tiles are content if the overlay or the colours show them, including
// empty tiles.
bool LifeWorkspace::nothing_in_view() const {
  const FractalConfig& config = run_.pane->async_engine->config();
  const bool coloured = settings_.colouring.by != explain::ColourBy::kState &&
                        settings_.colouring.by != explain::ColourBy::kDevice &&
                        run_.pane->legend() != nullptr;
  const bool blocks = explain::has_tiles(config) && (settings_.tile_grid || coloured);
  const int smallest = !blocks                                      ? 0
                       : config.method.map == MapKind::kBoundingBox ? config.level
                                                                    : run_.pane->space.tiled().tile_level;
  return !run_.pane->area().empty() && !has_replicas(config.fractal, config.level, smallest, part());
}

void LifeWorkspace::overlays(ImDrawList& list) {
  if (settings_.show_bench || settings_.show_code || show_me_.is_open()) return;
  const bool compares = run_.secondary_panes.cell_pane_count() > 0;
  draw_pane_overlay(list, *run_.pane,
                    {settings_, hovered_, explanation_, highlighted_, {}, &editor_, &run_.ages, compares});
  for (const SecondaryPanes::SecondaryPane& one : run_.secondary_panes.all()) {
    if (one.content) one.content->draw(list, explanation_);
    if (!one.pane || !one.in_sync) continue;
    draw_pane_overlay(list, *one.pane,
                      {settings_, hovered_, one.explanation, highlighted_, one.agreement.first, &editor_,
                       &run_.ages, compares});
  }
  if (nothing_in_view())
    picture_hint(list, run_.pane->area(), "The fractal is outside the view. Press F to fit it");
}

}  // namespace loom::app
