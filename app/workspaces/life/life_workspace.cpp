#include "app/workspaces/life/life_workspace.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/bench/window/bench_results.h"
#include "app/explain/bit_storage_text.h"
#include "app/widgets/picture_hint.h"
#include "app/workspaces/life/panels/caption.h"
#include "app/workspaces/life/panels/thread_map_panel.h"
#include "app/workspaces/life/panels/timing_panel.h"
#include "app/workspaces/life/panes/pane_figures.h"
#include "app/workspaces/life/panes/pane_overlay.h"
#include "app/workspaces/life/picture/visible_part.h"
#include "app/workspaces/life/scene/life_device_settings.h"
#include "app/workspaces/life/scene/life_setting_changes.h"
#include "app/workspaces/life/scene/selected_point.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

std::optional<NbbFractal> unless_in_catalog(const NbbFractal& fractal) {
  const auto& all = catalog();
  if (std::find(all.begin(), all.end(), fractal) != all.end()) return std::nullopt;
  return fractal;
}

}  // namespace

LifeWorkspace::LifeWorkspace(LifeSettings settings, const ShellServices& services)
    : services_(services),
      keys_(life_shortcuts()),
      settings_(std::move(settings)),
      custom_fractal_(unless_in_catalog(settings_.config.fractal)),
      run_(settings_, message_, services) {
  workload_panel_.rule_text = to_string(settings_.rule);
  run_.set_undo_callback([this](const EditHistory::UndoableEdit& change, std::uint64_t action) {
    const auto go_to = [this](StateId state_id) {
      queue_undo([state_id](LifeEdit& edit) {
        edit.commands.go_to = state_id;
        edit.settings.playing = false;
      });
    };
    if (action <= first_action_) return;
    const auto holds = [this, change] {
      return run_.history.cell_history().exists(change.before) ||
             run_.history.cell_history().exists(change.after);
    };
    services_.undo.record({.what = change.what,
                           .back = [=] { go_to(change.before); },
                           .again = [=] { go_to(change.after); },
                           .holds = holds,
                           .cells = true},
                          action);
  });
}

void LifeWorkspace::record_settings(const LifeSettings& before, const LifeSettings& after) {
  const std::string_view what = changed_setting(before, after);
  if (what.empty()) return;
  const auto put = [this](const std::shared_ptr<const LifeSettings>& settings) {
    return [this, settings] {
      queue_undo([settings](LifeEdit& edit) {
        edit.settings = with_settings(edit.settings, *settings);
        edit.commands.undone = true;
      });
    };
  };
  services_.undo.record({.what = std::string(what),
                         .modifies_scene = what != "Benchmark panel",
                         .back = put(std::make_shared<const LifeSettings>(before)),
                         .again = put(std::make_shared<const LifeSettings>(after))},
                        services_.undo.action());
}

void LifeWorkspace::record_view(const std::optional<render::Camera::View>& before,
                                const std::optional<render::Camera::View>& after) {
  const auto put = [this](const std::optional<render::Camera::View>& view) {
    return [this, view] {
      queue_undo([view](LifeEdit& edit) {
        edit.commands.look_at = view;
        edit.commands.undone = true;
      });
    };
  };
  services_.undo.record({.what = "view", .view = true, .back = put(before), .again = put(after)},
                        services_.undo.action());
}

void LifeWorkspace::begin(ShellEdit& shell) {
  // The object is kept, so that its members keep their memory.
  if (!edit_ || &edit_->shell != &shell) edit_.emplace(LifeEdit{settings_, {}, shell});
  edit_->settings = settings_;
  edit_->commands = {};
  if (run_.take_backend_refused()) {
    const BackendSelection& running = run_.pane->async_engine.backend();
    shell.settings.backend = running.kind == BackendKind::kCuda ? BackendChoice::kCuda : BackendChoice::kCpu;
    if (running.kind == BackendKind::kCuda) shell.settings.device = running.device;
  }
  run_.set_action(services_.undo.action());
  if (first_frame_) first_action_ = services_.undo.action();
  if (opened_) {
    edit_->settings = opened_->settings;
    edit_->commands.put_back =
        std::make_shared<const SavedField>(SavedField{.fractal = opened_->settings.config.fractal,
                                                      .level = opened_->settings.config.level,
                                                      .cells = opened_->cells,
                                                      .view = opened_->view});
    opened_.reset();
  }
  // Changes that were requested since the last frame.
  if (requested_) std::exchange(requested_, nullptr)(*edit_);
  for (const auto& change : queued_undo_) change(*edit_);
  queued_undo_.clear();
  std::optional<CellEditor::QueriedCells> queried_cells;
  if (auto states = run_.take_queried_cells())
    queried_cells = {.failed = !*states, .states = std::move(*states)};
  editor_.begin(run_.pane->async_engine.config(), queried_cells);
  // While the Benchmark panel is shown, it reports the result itself.
  if (!settings_.show_bench) {
    const bool writes = bench_.file_busy();
    take_file_result(bench_panel_, bench_);
    const SaveField& field = bench_panel_.results;
    if (writes && !bench_.file_busy())
      message_ = field.problem.empty() ? Message::success(field.saved) : Message::error(field.problem);
  }
  if (Message one = editor_.take_message(); !one.empty()) message_ = std::move(one);
  check_colouring();
  highlighted_.reset();
  stats_.emplace(stats());
}

bool LifeWorkspace::press(const KeyPress& press) {
  // Escape first cancels the pattern to be placed, or the selection.
  if (press.key == GLFW_KEY_ESCAPE && editor_.cancel()) return true;
  return keys_.press(press, *edit_);
}

BenchScene LifeWorkspace::bench_scene() const {
  return {.config = settings_.config,
          .rule = settings_.rule,
          .start = settings_.start,
          .backend = edit_ ? edit_->shell.settings.backend : BackendChoice::kAuto,
          .device = edit_ ? edit_->shell.settings.device : 0,
          .custom_fractal = custom_fractal_ ? &*custom_fractal_ : nullptr,
          .plays = settings_.playing};
}

void LifeWorkspace::controls() {
  const LifeStats& now = *stats_;
  fractal_panel(fractal_panel_, *edit_, now, custom_fractal_ ? &*custom_fractal_ : nullptr);
  thread_map_panel(thread_map_panel_, *edit_, now);
  workload_panel(workload_panel_, *edit_, now);
  panes_section(*edit_, now);
  view_panel(view_panel_, *edit_, now);
}

float LifeWorkspace::more_dock_lines() const {
  const Pane* const shared = pane_with_devices(*run_.pane, run_.secondary_panes);
  return panes_stats_lines(run_.secondary_panes.cell_pane_count()) +
         devices_panel_lines(shared != nullptr ? shared->async_engine.backend().devices() : 1);
}

void LifeWorkspace::dock(const DockSpace& room) {
  const LifeStats& now = *stats_;
  highlighted_ = thread_panel(thread_panel_, *edit_, now, explanation_);
  panes_stats(now, run_.secondary_panes);
  if (const Pane* const shared = pane_with_devices(*run_.pane, run_.secondary_panes))
    devices_panel(devices_panel_, *edit_, *shared);
  if (room.metrics) timing_panel(*edit_, now, room);
}

bool LifeWorkspace::covers_controls(const Layout& layout) const {
  return settings_.show_bench && bench_area(layout, ImGui::GetFontSize()).corner.x < layout.picture.corner.x;
}

// Applies a configuration that a sweep measured to the scene.
void LifeWorkspace::show_case(const bench::Case& bench_case) {
  const auto use_backend = [&](const BackendSelection& backend) {
    ShellSettings& shell = edit_->shell.settings;
    shell.backend = backend.kind == BackendKind::kCuda ? BackendChoice::kCuda : BackendChoice::kCpu;
    if (backend.kind == BackendKind::kCuda) shell.device = backend.device;
  };
  if (const auto* const of_maps = std::get_if<bench::MapCase>(&bench_case)) {
    edit_->settings.config = of_maps->config;
    edit_->settings.devices = std::max(1u, static_cast<std::uint32_t>(of_maps->device_list.size()));
    use_backend(of_maps->backend);
  }
  if (const auto* const of_mandelbrot = std::get_if<bench::MandelbrotCase>(&bench_case)) {
    use_backend(of_mandelbrot->backend);
    if (show_mandelbrot_) show_mandelbrot_(of_mandelbrot->config, edit_->shell);
  }
}

Area LifeWorkspace::panels(const Layout& layout) {
  const bool bench_shown = settings_.show_bench;
  const bool covered = covers_controls(layout);
  Area picture = layout.picture;
  if (!covered) {
    picture.size.y -= caption(picture, *stats_, run_.pane->presenter.palette(), hovered_,
                              run_.pane->probed.value_or(false));
    // The edit bar appears after the drag that selects, so that the picture does not move during it.
    const bool selects =
        run_.pane->mouse.gesture() == PictureMouse::Gesture::kSelect ||
        std::ranges::any_of(run_.secondary_panes.all(), [](const SecondaryPanes::SecondaryPane& one) {
          return one.pane && one.pane->mouse.gesture() == PictureMouse::Gesture::kSelect;
        });
    if (!bench_shown && (!selects || !edit_bar_.empty()))
      picture.size.y -= edit_bar(picture, editor_, *edit_, *stats_, edit_bar_);
  }
  if (bench_shown) {
    BenchRequests requests;
    bench_panel(bench_panel_, bench_, covered ? bench_area(layout, ImGui::GetFontSize()) : picture,
                bench_scene(), requests);
    if (requests.close) edit_->settings.show_bench = false;
    if (requests.show) show_case(*requests.show);
  } else {
    bench_panel_.areas.clear();
  }
  return picture;
}

void LifeWorkspace::update(const Area& picture, float scale) {
  Pane& pane = *run_.pane;
  layout_panes(picture, run_.secondary_panes.all().size() + 1, ImGui::GetFontSize(), places_);
  const std::vector<PaneArea>& areas = places_;
  pane.place(areas[0].picture, scale);
  using CellShape = render::Camera::CellShape;
  pane.camera.set_shape(edit_->settings.square_points ? CellShape::kSquare : CellShape::kAuto);
  const render::Camera looked_at = pane.camera;
  run_.secondary_panes.place(areas, scale);
  if (!edit_->settings.show_bench) {
    const auto square = run_.secondary_panes.show_explaining(
        {areas, pane.async_engine.config(), pane.async_engine.backend_name(), colouring(), explanation_,
         pane.devices ? &*pane.devices : nullptr, pane.async_engine.backend().devices() > 1},
        edit_->settings.neighbour, edit_->commands.record_devices);
    if (square) highlighted_ = square;
    pane_headers(pane_headers_, *edit_, *stats_, run_.secondary_panes, areas);
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
    const auto point = one.space ? one.space->update() : std::nullopt;
    if (point) {
      hovered_ =
          pane.space.place_at(static_cast<std::int64_t>(point->x), static_cast<std::int64_t>(point->y));
    }
  }
  for (SecondaryPanes::SecondaryPane& one : run_.secondary_panes.all()) {
    if (one.pane && one.in_sync) one.pane->camera = pane.camera;
  }
  if (pane.camera != looked_at && !look) record_view(view_of(looked_at), view_of(pane.camera));
}

// One point is selected in all panes; each explains the thread that its own map launches for it.
void LifeWorkspace::select() {
  const FractalConfig& config = run_.pane->async_engine.config();
  const std::optional<Coord64> hovered_cell = hovered_ ? std::optional(hovered_->cell) : std::nullopt;
  // A point may be pinned together with another level, before its engine runs.
  const FractalConfig& wanted = edit_->settings.config;
  const auto point = selected_point(*edit_, wanted, hovered_cell, std::exchange(clicked_, false));
  explanation_.look_at(config, point);
  for (SecondaryPanes::SecondaryPane& one : run_.secondary_panes.all()) {
    one.explanation.look_at(one.in_sync ? one.pane->async_engine.config() : config,
                            one.in_sync ? point : std::nullopt);
  }
}

// Checks the settings only if one that affects the number of devices has changed.
void LifeWorkspace::choose_devices() {
  LifeSettings& wanted = edit_->settings;
  const bool same =
      !first_frame_ && wanted.devices == settings_.devices && wanted.config == settings_.config &&
      wanted.secondary_panes == settings_.secondary_panes && wanted.colouring.by == settings_.colouring.by &&
      services_.devices.size() == known_devices_;
  known_devices_ = services_.devices.size();
  if (same) return;
  std::string told = clamp_devices(wanted, services_.devices.size(), services_.backend.kind);
  if (!told.empty()) message_ = Message::warning(std::move(told));
}

// Validates the edit; whether it fits into memory is checked when the engine is built.
void LifeWorkspace::apply() {
  pattern_commands_.apply(*edit_, editor_, run_.pane->async_engine);
  choose_devices();
  const LifeSettings& wanted = edit_->settings;
  const LifeCommands& commands = edit_->commands;
  const ShellEdit& shell = edit_->shell;
  const bool other_steps = wanted.workload != settings_.workload || wanted.reduction != settings_.reduction ||
                           wanted.generations_per_frame != settings_.generations_per_frame;
  if (!commands.undone && !first_frame_) record_settings(settings_, wanted);
  first_frame_ = false;
  settings_ = wanted;
  custom_fractal();
  if (commands.why_not != nullptr) message_ = Message::hint(commands.why_not);
  if (commands.chosen_level) {
    message_ = Message::success(
        fmt::format("Opened {} at level {}, which runs in real time on any machine. Press > for more.",
                    settings_.config.fractal.name(), *commands.chosen_level));
  }
  run_.apply(commands, palette_or_first(shell.settings.custom_palettes, shell.settings.palette),
             other_steps || shell.commands.reset_times);
  if (shell.commands.cancel) cancel();
}

// A fractal that is not in the catalogue stays in the list after it was shown.
void LifeWorkspace::custom_fractal() {
  const NbbFractal& fractal = settings_.config.fractal;
  if (custom_fractal_ == fractal) return;
  if (auto own = unless_in_catalog(fractal)) custom_fractal_ = std::move(own);
}

void LifeWorkspace::cancel() {
  run_.cancel();
}

LifeFrameInput LifeWorkspace::frame() const {
  return {.hovered_cell = hovered_ && hovered_->is_cell ? std::optional(hovered_->cell) : std::nullopt,
          .paused_by_bench = bench_.pauses_scene(),
          .paused_by_edit = editor_.busy()};
}

void LifeWorkspace::compute(FrameClock& clock) {
  run_.compute(frame(), clock, [this] {
    if (figure_request_) write_figure();
  });
  measure(clock);
  clock.lap(Stage::kOther);
  run_.transfer(clock);
}

void LifeWorkspace::figure_dialog() {
  if (edit_->commands.save_figure) save_figure_.open(*edit_->commands.save_figure);
  if (!save_figure_.active()) return;
  const explain::Colouring by = colouring();
  const auto sources =
      figure_sources({*run_.pane, run_.secondary_panes, explanation_, by, settings_.neighbour});
  if (auto request = save_figure_.show(sources)) figure_request_ = std::move(request);
}

void LifeWorkspace::draw_dialog() {
  if (edit_->commands.draw_fractal) draw_.open(edit_->settings.config.fractal);
  if (!draw_.active()) return;
  if (const auto drawn = draw_.show(edit_->settings.square_points, edit_->settings.rule)) use(*drawn, *edit_);
}

void LifeWorkspace::use(const FractalFile& file, LifeEdit& edit) {
  LifeSettings& settings = edit.settings;
  if (file.rule) settings.from_file = file;
  if (file.fractal != settings.config.fractal)
    edit.commands.chosen_level = set_fractal(settings.config, file.fractal);
  if (file.rule) settings.rule = *file.rule;
}

void LifeWorkspace::write_figure() {
  const auto request = std::exchange(figure_request_, std::nullopt);
  const explain::Colouring by = colouring();
  try {
    save_figure_.write(*request,
                       figure_job({*run_.pane, run_.secondary_panes, explanation_, by, settings_.neighbour},
                                  request->source));
  } catch (const InputError& error) {
    save_figure_.show_problem(error.what());
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
    if (one.space) {
      one.space->follow(run_.pane->async_engine.config(), by, run_.states);
      one.space->paint(services_.waits);
    }
  }
  clock.lap(Stage::kDraw);
}

void LifeWorkspace::finish() {
  run_.finish();
}

// Benchmark work does not belong to the scene's frame, so the metrics skip the frame.
void LifeWorkspace::measure(FrameClock& clock) {
  if (!settings_.show_bench && bench_.running()) bench_.runner()->pause();
  if (!bench_.is_active()) return;
  bench_.advance();
  clock.discard_sample();
}

// Cells are content, alive or dead. Tiles are content if the overlay or the colours show them, including
// empty tiles.
bool LifeWorkspace::nothing_in_view() const {
  const FractalConfig& config = run_.pane->async_engine.config();
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
  if (settings_.show_bench) return;
  draw_pane_overlay(list, *run_.pane,
                    {settings_, hovered_, explanation_, highlighted_, {}, &editor_, &run_.ages});
  for (const SecondaryPanes::SecondaryPane& one : run_.secondary_panes.all()) {
    if (one.space) one.space->draw(list, explanation_);
    if (!one.pane || !one.in_sync) continue;
    draw_pane_overlay(
        list, *one.pane,
        {settings_, hovered_, one.explanation, highlighted_, one.agreement.first, &editor_, &run_.ages});
  }
  if (nothing_in_view())
    picture_hint(list, run_.pane->area(), "The fractal is outside the view. Press F to fit it");
}

WorkspaceStatus LifeWorkspace::status() const {
  const AsyncEngine& async_engine = run_.pane->async_engine;
  Progress progress = async_engine.busy() ? async_engine.progress() : run_.secondary_panes.progress();
  if (run_.maps.busy()) progress = run_.maps.progress();
  return {async_engine.backend(), async_engine.backend_name(), run_.pane->presenter.path(),
          std::move(progress)};
}

bool LifeWorkspace::is_animating() const {
  return settings_.playing || bench_.is_active() || run_.secondary_panes.is_animating();
}

std::string LifeWorkspace::unsaved() const {
  return bench_.unsaved_text();
}

// A sweep that continued would have results that the file lacks.
std::optional<SaveRequest> LifeWorkspace::save_unsaved() {
  if (bench_.running()) bench_.runner()->pause();
  const SaveField& field = bench_panel_.results;
  return SaveRequest{.title = "Save benchmark results",
                     .nothing = "No results files in this folder",
                     .name = std::filesystem::path(field.file).filename().string(),
                     .extension = ".json",
                     .save = [this](const std::filesystem::path& file) {
                       bench_.save_results(file, true);
                       bench_panel_.results = {file.string(), {}, {}, false};
                     }};
}

void LifeWorkspace::start_bench(const std::string& preset) {
  settings_.show_bench = true;
  load_sweep(bench_panel_, bench_, preset, bench_scene());
  if (!bench_.form.ready()) throw InputError(bench_.form.first_problem());
  start_sweep(bench_panel_, bench_, bench_scene());
}

}  // namespace loom::app
