// The picture of the Life workspace: view, mouse, panes and overlays.

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/vector_relational.hpp>
#include <utility>

#include "app/explain/memory.h"
#include "app/gui/theme.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/picture.h"
#include "app/workspaces/life/life_workspace.h"
#include "app/workspaces/life/panels/life_panels.h"
#include "app/workspaces/life/panes/panes.h"
#include "app/workspaces/life/picture/life_picture.h"
#include "app/workspaces/life/scene/life_stats.h"

namespace loom::app {

void LifeWorkspace::update(const Area& picture, float scale) {
  Pane& pane = *run_.pane;
  // In font sizes: metrics and race have a column for each map.
  constexpr float kMetricsWidth = 39;
  constexpr float kRaceWidth = 44;
  const auto& secondary = run_.secondary_panes.all();
  const auto shown_last = [&](PaneContent content) {
    return !secondary.empty() && secondary.back().spec.shows == content;
  };
  const float last = shown_last(PaneContent::kMapMetrics) ? kMetricsWidth
                     : shown_last(PaneContent::kRace)     ? kRaceWidth
                                                          : 0;
  layout_panes(picture, secondary.size() + 1, ImGui::GetFontSize(), scoreboard_height(run_.secondary_panes),
               places_, last);
  const std::vector<PaneArea>& areas = places_;
  const auto frame_seconds = static_cast<double>(std::min(ImGui::GetIO().DeltaTime, 0.1f));
  const bool morphs = edit_->shell.settings.animations && !services_.waits && !show_me_.is_open() &&
                      !settings_.show_code && run_.secondary_panes.cell_pane_count() == 0;
  map_morph_.follow(pane.async_engine->config(), morphs, frame_seconds);
  pane.place(areas[0].picture, scale);
  area_ = pane.area();
  scale_ = pane.view().scale;
  using CellShape = render::Camera::CellShape;
  pane.camera.set_shape(edit_->settings.square_points ? CellShape::kSquare : CellShape::kAuto);
  const render::Camera looked_at = pane.camera;
  run_.secondary_panes.place(areas, scale);
  if (!covers_panes()) {
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
    legend(legend_, pane.view(), pane.space, *stats_, pane.presenter.palette());
  }
  pin_cursor();
  select();
  move_cursor();
  thread_path_.follow(explanation_, edit_->settings.pinned.has_value(),
                      edit_->settings.show_thread && edit_->shell.settings.animations && !services_.waits,
                      frame_seconds);
  figure_dialog();
  draw_dialog();
  if (PaletteEditor& palette = view_panel_.palette; palette.active())
    palette.show(edit_->shell, edit_->shell.settings.palette, nullptr);
  const ViewCommands& commands = edit_->shell.view;
  const glm::dvec2 picture_size(pane.camera.picture());
  const auto& look = edit_->commands.look_at;
  if (look) look_at(pane.camera, *look);
  if (commands.fit) pane.camera.fit();
  if (commands.zoom != 0) {
    const auto& at = cursor_.shown();
    const glm::dvec2 fixed = at ? pane.camera.pixel_at(glm::dvec2(at->x, at->y) + 0.5) : picture_size / 2.0;
    pane.camera.zoom_at(fixed, std::pow(kZoomStep, commands.zoom));
  }
  if (const glm::dvec2 part = pan_fraction(commands); part != glm::dvec2(0))
    pane.camera.pan(-part * picture_size);
  if (commands.arm_box_zoom) pane.mouse.arm_box_zoom();
  if (edit_->shell.commands.dismiss) pane.mouse.cancel();
  if (picture.empty()) return;
  hovered_.reset();
  // All panes of cells show the same part of the field: each mouse moves the scene's camera.
  const auto update_mouse = [&](Pane& one) {
    const PictureMouse::Brush brush{
        .space = pane.space,
        .state_of = [&](Coord64 cell) -> std::uint8_t {
          return run_.is_idle() ? pane.async_engine.engine().cell(cell).value_or(0) : pane.probed.value_or(0);
        },
        .state = edit_->settings.painted_state(),
        .painted = edit_->commands.cells};
    const bool paints = edit_->settings.edit_cells && !editor_.has_ghost();
    one.mouse.update(one.area(), scale, pane.camera, paints ? &brush : nullptr);
    if (const auto drag = one.mouse.selecting()) editor_.drag(drag->from, drag->to);
    if (const auto& at = one.mouse.hovered()) {
      hovered_ = pane.space.place_at(at->x, at->y);
      editor_.hover(at);
    }
  };
  run_.for_each_pane(update_mouse);
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) pressed_ = !io.WantCaptureMouse;
  clicked_ = ImGui::IsMouseReleased(ImGuiMouseButton_Left) && std::exchange(pressed_, false) &&
             !io.WantCaptureMouse && !io.KeyCtrl && io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] < 9;
  // With a pattern to be placed, a click places it and pins nothing.
  if (clicked_ && editor_.has_ghost() && pane.mouse.hovered()) {
    editor_.place();
    clicked_ = false;
  }
  for (SecondaryPanes::SecondaryPane& one : run_.secondary_panes.all()) {
    const auto point = one.content ? one.content->update() : std::nullopt;
    if (point) {
      hovered_ =
          pane.space.place_at(static_cast<std::int64_t>(point->x), static_cast<std::int64_t>(point->y));
    }
  }
  if (const auto& cell = strips_.hovered())
    hovered_ = pane.space.place_at(static_cast<std::int64_t>(cell->x), static_cast<std::int64_t>(cell->y));
  if (const auto cell = settings_.show_code ? code_.hovered() : std::nullopt)
    hovered_ = pane.space.place_at(static_cast<std::int64_t>(cell->x), static_cast<std::int64_t>(cell->y));
  hover_cursor();
  for (SecondaryPanes::SecondaryPane& one : run_.secondary_panes.all()) {
    if (one.runs()) one.pane->camera = pane.camera;
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
    if (one.runs() && !one.spec.backend) take(*one.pane);
  }
  take(*run_.pane);
  return times;
}

// The cell that the panes of a comparison mark: the selected one, otherwise that under the cursor.
std::optional<Coord64> LifeWorkspace::compared_cell() const {
  if (explanation_.point()) return explanation_.point();
  return hovered_ ? std::optional(hovered_->cell) : std::nullopt;
}

// Enter pins the point at the cursor, or flips its cell in edit mode. While there is a pattern to be placed,
// Enter places it.
void LifeWorkspace::pin_cursor() {
  LifeSettings& settings = edit_->settings;
  const bool confirmed = edit_->commands.pattern_key == PatternKey::kPlace && !editor_.has_ghost();
  if (!confirmed || !edit_->shell.view.cursor || !cursor_.unit()) return;
  edit_->commands.pattern_key = PatternKey::kNone;
  if (!settings.edit_cells) {
    settings.show_thread = true;
    settings.pinned = cursor_.unit();
  } else if (hovered_ && hovered_->is_cell && run_.is_idle()) {
    const std::uint8_t state = settings.painted_state();
    const bool erases = run_.pane->async_engine.engine().cell(hovered_->cell) == state;
    edit_->commands.cells.push_back({hovered_->cell, erases ? std::uint8_t{0} : state});
  }
}

// Arrow keys move the cursor by a cell, or by a pixel if that covers more, and with Shift by a tile. The view
// follows.
void LifeWorkspace::move_cursor() {
  ViewCommands& view = edit_->shell.view;
  if (!view.cursor || !cursor_.unit() || show_me_.is_open() || settings_.show_code) return;
  Pane& pane = *run_.pane;
  const TiledFractal& tiled = pane.space.tiled();
  const Coord64 end{tiled.width, tiled.height};
  const glm::u64vec2 step(glm::max(pane.camera.cells_per_pixel(), 1.0));
  Coord64 to = edit_->settings.pinned.value_or(*cursor_.unit());
  to = moved_within(to, std::exchange(view.pan, {}), {step.x, step.y}, end);
  to = moved_within(to, std::exchange(view.large_pan, {}), {tiled.rho_x, tiled.rho_y}, end);
  if (to == *cursor_.unit()) return;
  cursor_.move_to(to);
  const glm::dvec2 picture(pane.camera.picture());
  const glm::dvec2 pixel = pane.camera.pixel_at(glm::dvec2(to.x, to.y) + 0.5);
  const bool seen =
      glm::all(glm::greaterThanEqual(pixel, glm::dvec2(0))) && glm::all(glm::lessThan(pixel, picture));
  if (!seen) pane.camera.pan(glm::clamp(pixel, 0.1 * picture, 0.9 * picture) - pixel);
}

// The cursor is where the mouse is until keys move it; then its point is hovered instead of the mouse's.
void LifeWorkspace::hover_cursor() {
  if (!edit_->shell.view.cursor || show_me_.is_open() || settings_.show_code) return cursor_.hide();
  const Pane& pane = *run_.pane;
  const glm::dvec2 last(pane.space.tiled().width - 1, pane.space.tiled().height - 1);
  const glm::u64vec2 middle(
      glm::clamp(pane.camera.field_at(glm::dvec2(pane.camera.picture()) / 2.0), glm::dvec2(0), last));
  cursor_.begin(hovered_ ? std::optional(hovered_->cell) : std::nullopt, {middle.x, middle.y});
  const auto at = cursor_.shown();
  if (!at) return;
  const Coord<std::int64_t> cell{static_cast<std::int64_t>(at->x), static_cast<std::int64_t>(at->y)};
  hovered_ = pane.space.place_at(cell.x, cell.y);
  editor_.hover(cell);
}

// One point is selected in all panes; each explains the thread that its own map launches for it.
void LifeWorkspace::select() {
  const FractalConfig& config = run_.pane->async_engine->config();
  const std::optional<Coord64> hovered_cell = hovered_ ? std::optional(hovered_->cell) : std::nullopt;
  // A point may be pinned together with another level, before its engine runs.
  const FractalConfig& wanted = edit_->settings.config;
  const TiledFractal& tiled = run_.pane->space.tiled();
  const auto point = selected_point(*edit_, wanted, {tiled.rho_x, tiled.rho_y}, hovered_cell,
                                    std::exchange(clicked_, false));
  explanation_.look_at(config, point);
  for (SecondaryPanes::SecondaryPane& one : run_.secondary_panes.all()) {
    one.explanation.look_at(one.runs() ? one.pane->async_engine->config() : config,
                            one.runs() ? point : std::nullopt);
  }
}

void LifeWorkspace::show(FrameClock& clock, ImDrawList& overlay_list) {
  const explain::Colouring by = colouring();
  run_.pane->draw(clock);
  run_.pane->colour(by, services_.waits);
  for (SecondaryPanes::SecondaryPane& one : run_.secondary_panes.all()) {
    if (one.runs()) {
      one.pane->draw(clock);
      one.pane->colour(by, services_.waits);
    }
    if (one.content)
      one.content->paint(run_.pane->async_engine->config(), by, run_.states, run_.pane->presenter.palette(),
                         services_.waits);
  }
  clock.lap(Stage::kDraw);
  overlays(overlay_list);
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

// From pane to pane; the explanation may date from before the engine was replaced in this frame.
void LifeWorkspace::draw_thread_path(ImDrawList& list) const {
  const bool of_this =
      explanation_.thread() && explanation_.space()->config() == run_.pane->async_engine->config();
  if (!of_this) return;
  const auto find = [&](explain::Space space) {
    for (const SecondaryPanes::SecondaryPane& one : run_.secondary_panes.all()) {
      const auto at = one.content ? one.content->marked_at(space, explanation_) : std::nullopt;
      if (at && one.content->area().contains(*at)) return at;
    }
    return std::optional<glm::vec2>();
  };
  const PictureView view = run_.pane->view();
  const Coord64 point = *explanation_.point();
  const glm::vec2 cell = view.screen(glm::dvec2(point.x, point.y) + 0.5);
  thread_path_.draw(list, find(explain::Space::kThreads),
                    view.area.contains(cell) ? std::optional(cell) : std::nullopt,
                    find(explain::Space::kMemory));
}

void LifeWorkspace::overlays(ImDrawList& list) {
  if (covers_panes()) return;
  const bool compares = run_.secondary_panes.cell_pane_count() > 0;
  const std::optional<Coord64> cursor = cursor_.shown();
  draw_pane_overlay(
      list, *run_.pane,
      {settings_, hovered_, explanation_, highlighted_, {}, &editor_, &run_.ages, compares, cursor});
  map_morph_.draw(list, run_.pane->view(), run_.pane->space,
                  theme::surroundings(run_.pane->presenter.palette().outside));
  for (const SecondaryPanes::SecondaryPane& one : run_.secondary_panes.all()) {
    if (one.content) one.content->draw(list, explanation_);
    if (!one.runs()) continue;
    draw_pane_overlay(list, *one.pane,
                      {settings_, hovered_, one.explanation, highlighted_, one.agreement.first, &editor_,
                       &run_.ages, compares, cursor});
  }
  if (!is_hidden(Control::kLambda)) draw_thread_path(list);
  if (nothing_in_view())
    picture_hint(list, run_.pane->area(), "The fractal is outside the view. Press F to fit it");
}

}  // namespace loom::app
