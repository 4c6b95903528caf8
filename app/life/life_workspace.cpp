#include "app/life/life_workspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/bench/config_json.h"
#include "app/bench/window/bench_state.h"
#include "app/life/panels/caption.h"
#include "app/life/panels/thread_map_panel.h"
#include "app/life/panels/thread_panel.h"
#include "app/life/panels/timing_panel.h"
#include "app/life/picture/grid_overlay.h"
#include "app/life/scene/fp16_warning.h"
#include "app/life/scene/setting_steps.h"
#include "app/life/scene/step_measurement.h"
#include "app/widgets/text.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {
namespace {

/// How long a frame waits for work that goes on beside it.
constexpr std::chrono::duration<double, std::milli> kPatience{2};
constexpr std::chrono::duration<double, std::milli> kForever{1e12};
constexpr std::chrono::duration<double, std::milli> kAtOnce{0};
/// A field of fewer cells is counted for the state as it is written; else the last count has to do.
constexpr std::uint64_t kCountedAtOnce = 1 << 22;

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
      own_fractal_(unless_in_catalog(settings_.config.fractal)),
      pane_(std::make_unique<Pane>(settings_.config, services.backend, settings_.start, services.context)),
      beside_(services),
      target_{settings_.config, services.backend} {
  workload_panel_.rule_text = to_string(settings_.rule);
}

void LifeWorkspace::begin(ShellEdit& shell) {
  edit_.emplace(LifeEdit{settings_, {}, shell});
  if (std::exchange(backend_refused_, false)) {
    const BackendSelection& running = pane_->host.backend();
    shell.settings.backend = running.kind == BackendKind::kCuda ? BackendChoice::kCuda : BackendChoice::kCpu;
    if (running.kind == BackendKind::kCuda) shell.settings.device = running.device;
  }
  if (requested_) std::exchange(requested_, nullptr)(*edit_);
}

std::string_view LifeWorkspace::blocks_hidden() const {
  if (!settings_.block_grid) return "G shows the blocks";
  return block_side(pane_->view(), pane_->space) < kMinGridSpacing ? kBlocksTooSmall : std::string_view();
}

TimingConditions LifeWorkspace::conditions() const {
  const EngineHost& host = pane_->host;
  return conditions_of(host.config(), settings_.work(), host.backend_name(), settings_.generations_per_frame);
}

LifeFacts LifeWorkspace::facts() const {
  const EngineHost& host = pane_->host;
  return {.config = host.config(),
          .backend = host.backend(),
          .cuda = services_.cuda,
          .backend_name = host.backend_name(),
          .space = pane_->space,
          .times = services_.times,
          .generation = pane_->generation_figures(),
          .beside = host.works_beside(),
          .comparison = map_times_.compare(conditions(), host.config()),
          .measuring =
              measuring_.busy() ? Progress{"measuring the maps", measuring_.watch().share()} : Progress{},
          .work = settings_.work(),
          .generations_per_frame = settings_.generations_per_frame,
          .step = pane_->last_step(),
          .threads = pane_->threads,
          .census = population_.counted(),
          .generations = host.generation(),
          .cells = host.cell_count(),
          .bytes_held = host.bytes_held(),
          .largest_level = pane_->largest_level(),
          .wrong = pane_->wrong(),
          .blocks_hidden = blocks_hidden(),
          .frames_per_second = services_.rate.frames_per_second()};
}

BenchScene LifeWorkspace::bench_scene() const {
  return {.config = settings_.config,
          .rule = settings_.rule,
          .start = settings_.start,
          .backend = edit_ ? edit_->shell.settings.backend : BackendChoice::kAuto,
          .device = edit_ ? edit_->shell.settings.device : 0,
          .own_fractal = own_fractal_ ? &*own_fractal_ : nullptr,
          .plays = settings_.playing};
}

void LifeWorkspace::controls() {
  const LifeFacts now = facts();
  fractal_panel(fractal_panel_, *edit_, now, own_fractal_ ? &*own_fractal_ : nullptr);
  thread_map_panel(*edit_, now);
  workload_panel(workload_panel_, *edit_, now);
  panes_section(*edit_, now);
  view_panel(view_panel_, *edit_);
}

float LifeWorkspace::more_dock_lines() const {
  return panes_figures_lines(beside_.all().size());
}

void LifeWorkspace::dock(const DockRoom& room) {
  const LifeFacts now = facts();
  marked_ = thread_panel(*edit_, now, explained_);
  panes_figures(now, beside_);
  if (room.figures) timing_panel(*edit_, now, room);
}

bool LifeWorkspace::covers_controls(const Layout& layout) const {
  return settings_.show_bench && bench_area(layout, ImGui::GetFontSize()).x < layout.picture.x;
}

// Makes a configuration that a sweep measured the scene's.
void LifeWorkspace::show_case(const bench::Case& bench_case) {
  const auto use_backend = [&](const BackendSelection& backend) {
    ShellSettings& shell = edit_->shell.settings;
    shell.backend = backend.kind == BackendKind::kCuda ? BackendChoice::kCuda : BackendChoice::kCpu;
    if (backend.kind == BackendKind::kCuda) shell.device = backend.device;
  };
  if (const auto* const of_maps = std::get_if<bench::MapCase>(&bench_case)) {
    edit_->settings.config = of_maps->config;
    use_backend(of_maps->backend);
  }
  if (const auto* const of_mandelbrot = std::get_if<bench::MandelbrotCase>(&bench_case)) {
    use_backend(of_mandelbrot->backend);
    if (show_mandelbrot_) show_mandelbrot_(of_mandelbrot->config, edit_->shell);
  }
}

Area LifeWorkspace::panels(const Layout& layout) {
  const LifeFacts now = facts();
  const bool bench_shown = settings_.show_bench;
  const bool covered = covers_controls(layout);
  Area picture = layout.picture;
  if (!covered) {
    picture.height -=
        caption(picture, now, pane_->presenter.palette(), hovered(), pane_->probed.value_or(false));
  }
  if (bench_shown) {
    BenchWishes wishes;
    bench_panel(bench_panel_, bench_, covered ? bench_area(layout, ImGui::GetFontSize()) : picture,
                bench_scene(), wishes);
    if (wishes.close) edit_->settings.show_bench = false;
    if (wishes.show) show_case(*wishes.show);
  } else {
    bench_panel_.places.clear();
    places_ = pane_places(picture, beside_.all().size() + 1, ImGui::GetFontSize());
    pane_headers(*edit_, now, beside_, places_);
    wrong_banner(places_[0].picture, now.wrong);
  }
  return picture;
}

void LifeWorkspace::update(const Area& picture, float scale) {
  Pane& pane = *pane_;
  panes_area_ = picture;
  places_ = pane_places(picture, beside_.all().size() + 1, ImGui::GetFontSize());
  pane.place(places_[0].picture, scale);
  select();
  const ViewCommands& wish = edit_->shell.view;
  const double width = pane.camera.picture().width;
  const double height = pane.camera.picture().height;
  if (wish.fit) pane.camera.fit();
  if (wish.zoom != 0) pane.camera.zoom_at(width / 2, height / 2, std::pow(kZoomStep, wish.zoom));
  if (wish.pan_x != 0 || wish.pan_y != 0) {
    pane.camera.pan(-wish.pan_x * kPanStep * width, -wish.pan_y * kPanStep * height);
  }
  if (wish.arm_box_zoom) pane.mouse.arm_box_zoom();
  if (edit_->shell.commands.dismiss) pane.mouse.cancel();
  if (picture.empty()) return;
  const auto is_alive = [&](Coord64 cell) {
    return rests() ? pane.host.engine().cell(cell).value_or(false) : pane.probed.value_or(false);
  };
  // All panes look at the same part of the field: each mouse moves the scene's camera.
  const auto update_mouse = [&](PictureMouse& mouse, const Area& area) {
    mouse.update(area, scale, pane.camera, pane.space, is_alive, edit_->settings.edit_cells,
                 edit_->commands.cells);
  };
  update_mouse(pane.mouse, pane.area());
  const ImGuiIO& io = ImGui::GetIO();
  clicked_ = ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !io.WantCaptureMouse &&
             io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] < 9;
  for (std::size_t i = 0; i < beside_.all().size(); ++i) {
    PanesBeside::One& one = beside_.all()[i];
    if (!one.pane) continue;
    one.pane->place(places_[i + 1].picture, scale);
    update_mouse(one.pane->mouse, one.pane->area());
  }
  for (PanesBeside::One& one : beside_.all()) {
    if (one.pane && one.in_step) one.pane->camera = pane.camera;
  }
}

// A click pins the point under the cursor, arrow keys walk it, Escape lets go.
void LifeWorkspace::select() {
  LifeSettings& settings = edit_->settings;
  if (!settings.show_thread) settings.pinned.reset();
  const FractalConfig& config = pane_->host.config();
  const std::uint64_t width = config.fractal.width(config.level);
  const std::uint64_t height = config.fractal.height(config.level);
  if (settings.pinned && (settings.pinned->x >= width || settings.pinned->y >= height))
    settings.pinned.reset();
  if (settings.pinned && edit_->shell.commands.dismiss) {
    settings.pinned.reset();
    edit_->shell.commands.dismiss = false;
  }
  if (settings.pinned) {
    ViewCommands& view = edit_->shell.view;
    const auto walk = [](std::uint64_t& at, int by, std::uint64_t end) {
      if (by < 0) at -= std::min<std::uint64_t>(at, static_cast<std::uint64_t>(-by));
      if (by > 0) at = std::min(end - 1, at + static_cast<std::uint64_t>(by));
    };
    walk(settings.pinned->x, std::exchange(view.pan_x, 0), width);
    walk(settings.pinned->y, std::exchange(view.pan_y, 0), height);
  }
  const auto& place = hovered();
  if (settings.show_thread && !settings.edit_cells && clicked_ && place) settings.pinned = place->cell;
  clicked_ = false;
  std::optional<Coord64> point = settings.pinned;
  if (!point && place) point = place->cell;
  if (!settings.show_thread) point.reset();
  explained_.look_at(config, point);
  for (PanesBeside::One& one : beside_.all()) {
    one.explained.look_at(one.in_step ? one.pane->host.config() : config, one.in_step ? point : std::nullopt);
  }
}

// Of whichever pane the cursor is over.
const std::optional<Place>& LifeWorkspace::hovered() const {
  for (const PanesBeside::One& one : beside_.all()) {
    if (one.pane && one.pane->mouse.hovered()) return one.pane->mouse.hovered();
  }
  return pane_->mouse.hovered();
}

// A wish is validated here; whether memory has room for it shows when it is built.
void LifeWorkspace::want(const FractalConfig& config) {
  const BackendSelection& backend = services_.backend;
  if (config == target_.config && backend.same_device(target_.backend)) return;
  try {
    validate(config);
  } catch (const InputError& error) {
    take_back_wish(error.what());
    return;
  }
  target_ = {config, backend};
  build_pending_ = true;
  if (pane_->host.busy()) pane_->host.cancel();  // whatever it is, it is not what is wished for now
  beside_.cancel();
}

void LifeWorkspace::take_back_wish(const std::string& why) {
  const EngineHost& host = pane_->host;
  message_ = why;
  backend_refused_ = !services_.backend.same_device(host.backend());
  target_ = {host.config(), host.backend()};
  build_pending_ = false;
  settings_.config = host.config();
}

void LifeWorkspace::apply() {
  const LifeSettings& wanted = edit_->settings;
  const LifeCommands& commands = edit_->commands;
  const bool other_work = wanted.workload != settings_.workload || wanted.reduction != settings_.reduction;
  const bool other_pace = wanted.generations_per_frame != settings_.generations_per_frame;
  settings_ = wanted;
  // Not before begin() has told the shell that its backend could not be taken.
  if (!backend_refused_) want(settings_.config);
  if (commands.chosen_level) {
    message_ = fmt::format("{} starts at level {}, the highest that runs at once anywhere; > goes deeper",
                           settings_.config.fractal.name(), *commands.chosen_level);
  }
  if (other_work || other_pace || edit_->shell.commands.reset_times) pane_->forget_steps();
  beside_.want(settings_.beside);
  pane_->presenter.set_palette(edit_->shell.settings.palette);
  for (PanesBeside::One& one : beside_.all()) {
    if (!one.pane) continue;
    one.pane->presenter.set_palette(edit_->shell.settings.palette);
    if (other_work || other_pace || edit_->shell.commands.reset_times) one.pane->forget_steps();
  }
  if (commands.restart) {
    job_.restart = settings_.start;
    job_.clear = false;
    job_.cells.clear();
  }
  if (commands.clear) {
    job_.clear = true;
    job_.restart.reset();
    job_.cells.clear();
  }
  job_.cells.insert(job_.cells.end(), commands.cells.begin(), commands.cells.end());
  if (commands.restart || commands.clear || commands.count || !commands.cells.empty())
    population_.invalidate();
  if (commands.count) population_.hurry();
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  steps_ = static_cast<std::uint32_t>(std::min(kMost, std::uint64_t{steps_} + commands.step));
  if (commands.measure_maps) measure_maps();
  if (edit_->shell.commands.cancel) cancel();
}

void LifeWorkspace::cancel() {
  if (measuring_.busy()) measuring_.watch().cancel();
  if (pane_->host.busy()) pane_->host.cancel();
  beside_.cancel();
}

// What is measured has the machine to itself.
bool LifeWorkspace::held() const {
  return measuring_.busy() || bench_.holds_scene();
}

void LifeWorkspace::take(const LifeDone& done, FrameClock& clock) {
  Pane& pane = *pane_;
  if (done.of_build) {
    clock.leave_out();  // the frame that built an engine says nothing about the engine
    if (done.built) {
      image_.reset();  // it was the old engine's
      pane.engine_changed();
      population_.invalidate();
      probed_cell_.reset();
      if (!build_pending_) settings_.config = pane.host.config();
    } else if (!build_pending_ && (done.cancelled || !done.problem.empty())) {
      take_back_wish(done.cancelled ? fmt::format("cancelled: {} at level {} goes on",
                                                  pane.host.config().fractal.name(), pane.host.config().level)
                                    : done.problem);
    }
    return;
  }
  if (!done.problem.empty()) message_ = done.problem;
  const FrameReport& frame = done.frame;
  if (!done.beside) {
    if (frame.step.generations > 0) clock.part(Stage::kStep, frame.step.milliseconds);
    if (done.resolved) clock.part(Stage::kResolve, frame.resolve.milliseconds);
  }
  if (frame.step.generations > 0) {
    pane.add_step(frame.step);
    const StageFigures figures = pane.generation_figures();
    if (!held()) map_times_.record(conditions(), {pane.host.config().method, figures.median});
  }
  if (done.resolved) image_ = frame.image;
  if (probed_cell_) pane.probed = frame.probed;
  if (done.threads) pane.threads = done.threads;
  if (done.census) population_.take(*done.census, done.census_ms);
  if (done.cancelled) beside_.out_of_step();
  if (done.cancelled && !build_pending_) {
    settings_.playing = false;
    pane.set_stale();
    message_ = fmt::format("cancelled and paused at generation {}", pane.host.generation());
  }
}

void LifeWorkspace::start_job(FrameClock& clock) {
  Pane& pane = *pane_;
  const bool plays = settings_.playing && !held();
  job_.generations = plays ? settings_.generations_per_frame : std::exchange(steps_, 0);
  job_.work = settings_.work();
  const bool changes = job_.generations > 0 || job_.restart || job_.clear || !job_.cells.empty();
  if (changes) pane.set_stale();
  if (pane.stale() || pane.view_changed()) pane.ask_for_picture(job_);
  const auto& place = hovered();
  const std::optional<Coord64> under = place && place->is_cell ? std::optional(place->cell) : std::nullopt;
  if (under && (changes || under != probed_cell_)) job_.probe = under;
  probed_cell_ = under;
  if (!under) pane.probed.reset();
  job_.count_cells = population_.due(pane.host.generation() + job_.generations, plays);
  // Once a method, when its first picture stands.
  job_.count_threads = !pane.threads && pane.pictured();
  beside_.run(job_, clock);
  if (job_.empty()) return;
  const auto done = pane.host.run(job_);
  job_.reset();
  if (done) take(*done, clock);
}

void LifeWorkspace::compute(FrameClock& clock) {
  EngineHost& host = pane_->host;
  const auto patience = services_.waits ? kForever : kPatience;
  if (const auto done = host.finish(patience)) take(*done, clock);
  beside_.finish(services_.waits ? kForever : kAtOnce, clock);
  while (rests() && build_pending_) {
    build_pending_ = false;
    auto done = host.build(target_.config, target_.backend, settings_.start);
    if (!done && services_.waits) done = host.finish(kForever);
    if (done) take(*done, clock);
  }
  if (rests() && !build_pending_) beside_.follow(host, clock);
  if (services_.waits) beside_.finish(kForever, clock);
  if (rests() && !image_) start_job(clock);
  if (services_.waits) {
    if (const auto done = host.finish(kForever)) take(*done, clock);
    beside_.finish(kForever, clock);
  }
  beside_.compare(host, population_.counted());
  measure(clock);
  clock.lap(Stage::kOther);
}

void LifeWorkspace::show(FrameClock& clock) {
  const auto transfer = [&](Pane& pane, std::optional<ImageView>& image) {
    if (!image) return;
    pane.take_picture(*std::exchange(image, std::nullopt));
    if (const auto copied = pane.presenter.take_copy_milliseconds())
      clock.beside(Stage::kGpuTransfer, *copied);
    clock.lap(Stage::kTransfer);
  };
  transfer(*pane_, image_);
  for (PanesBeside::One& one : beside_.all()) {
    if (one.image) transfer(*one.pane, one.image);
  }
  pane_->draw(clock);
  for (PanesBeside::One& one : beside_.all()) {
    if (one.pane && one.in_step) one.pane->draw(clock);
  }
  clock.lap(Stage::kDraw);
  // The next job of those beside the frames need not wait for the next frame.
  if (pane_->host.works_beside() && rests() && !build_pending_ && !services_.waits) start_job(clock);
}

void LifeWorkspace::finish() {
  if (pane_->host.busy()) {
    FrameClock unused;
    if (const auto done = pane_->host.finish(kForever)) take(*done, unused);
  }
  FrameClock unused;
  beside_.finish(kForever, unused);
  if (measuring_.busy()) measuring_.wait();
}

void LifeWorkspace::measure_maps() {
  if (measuring_.busy()) return;
  measured_conditions_ = conditions();
  const StepConditions conditions{.backend = pane_->host.backend(),
                                  .start = settings_.start,
                                  .work = settings_.work(),
                                  .generations = settings_.generations_per_frame};
  measured_.clear();
  measuring_.start([this, conditions, configs = methods_to_compare(pane_->host.config())](Watch& watch) {
    measured_ = measure_steps(configs, conditions, watch);
  });
}

// A slice of a sweep is no part of the scene's frame, which is left out of the figures.
void LifeWorkspace::measure(FrameClock& clock) {
  if (measuring_.busy()) {
    clock.leave_out();
    try {
      if (measuring_.wait_for(services_.waits ? kForever : std::chrono::duration<double, std::milli>{0}))
        map_times_.record_together(*measured_conditions_, std::move(measured_));
    } catch (const Cancelled&) {
      message_ = "measuring was cancelled; the figures before it stay";
    } catch (const DeviceFault&) {
      throw;
    } catch (const MachineError& error) {
      message_ = error.what();
    }
  }
  if (!settings_.show_bench && bench_.running()) bench_.runner()->pause();
  if (!bench_.under_way()) return;
  bench_.advance();
  clock.leave_out();
}

void LifeWorkspace::draw_over(ImDrawList& list, const Pane& pane, const Explained& explained,
                              const std::optional<Coord64>& differs) const {
  const Area& area = pane.area();
  if (area.empty()) return;
  list.PushClipRect({area.x, area.y}, {area.x + area.width, area.y + area.height});
  const PictureView view = pane.view();
  const MapKind map = pane.host.config().method.map;
  if (settings_.cell_grid) draw_cell_grid(list, view, pane.space);
  if (settings_.block_grid) draw_block_grid(list, view, pane.space, map);
  if (const auto& place = hovered()) {
    const auto here = pane.space.place_at(static_cast<std::int64_t>(place->cell.x),
                                          static_cast<std::int64_t>(place->cell.y));
    if (here) draw_hovered(list, view, pane.space, *here, map);
  }
  if (explained.thread()) draw_warp(list, view, *explained.space(), *explained.thread());
  if (explained.point()) draw_ring(list, view, *explained.point());
  if (marked_) draw_square(list, view, *marked_);
  if (differs) draw_ring(list, view, *differs);
  pane.mouse.draw(list);
  list.PopClipRect();
}

// What no picture covers: between panes, and where a pane has none.
void LifeWorkspace::fill_gaps(ImDrawList& list) const {
  if (places_.size() < 2) return;
  const ImU32 ground = ImGui::GetColorU32(ImGuiCol_WindowBg);
  const auto fill = [&](float x, float y, float right, float bottom) {
    if (right > x && bottom > y) list.AddRectFilled({x, y}, {right, bottom}, ground);
  };
  const Area& first = places_.front().header;
  const float right = panes_area_.x + panes_area_.width;
  const float bottom = panes_area_.y + panes_area_.height;
  for (const PanePlace& place : places_) {
    const Area& picture = place.picture;
    fill(picture.x + picture.width, place.header.y, std::min(picture.x + picture.width + 2, right), bottom);
    fill(first.x, picture.y + picture.height, right, std::min(picture.y + picture.height + 2, bottom));
  }
  const Area& last = places_.back().picture;
  fill(last.x + last.width, places_.back().header.y, right, bottom);
  fill(first.x, last.y + last.height, right, bottom);
  for (std::size_t i = 0; i < beside_.all().size() && i + 1 < places_.size(); ++i) {
    const PanesBeside::One& one = beside_.all()[i];
    const Area& picture = places_[i + 1].picture;
    if (!one.pane || !one.in_step || !one.pane->pictured())
      fill(picture.x, picture.y, picture.x + picture.width, picture.y + picture.height);
  }
}

void LifeWorkspace::overlays(ImDrawList& list) {
  if (settings_.show_bench) return;
  fill_gaps(list);
  draw_over(list, *pane_, explained_, {});
  for (const PanesBeside::One& one : beside_.all()) {
    if (one.pane && one.in_step) draw_over(list, *one.pane, one.explained, one.agreement.first);
  }
}

WorkspaceStatus LifeWorkspace::status() const {
  const EngineHost& host = pane_->host;
  Progress progress = host.busy() ? host.progress() : beside_.progress();
  if (measuring_.busy()) progress = {"measuring the maps", measuring_.watch().share()};
  return {host.backend(), host.backend_name(), pane_->presenter.path(), std::move(progress)};
}

std::string LifeWorkspace::unsaved() const {
  return bench_.unsaved_text();
}

void LifeWorkspace::start_bench(const std::string& preset) {
  settings_.show_bench = true;
  load_sweep(bench_panel_, bench_, preset, bench_scene());
  if (!bench_.form.ready()) throw InputError(bench_.form.first_problem());
  start_sweep(bench_panel_, bench_, bench_scene());
}

void LifeWorkspace::add_state(nlohmann::ordered_json& json) {
  const EngineHost& host = pane_->host;
  const FractalConfig& config = host.config();
  add_config(json, bench::names_of(config));
  json["backend"] = name_of(host.backend().kind);
  json["backend_reason"] = host.backend().reason;
  json["device"] = host.backend_name();
  json["picture_path"] = pane_->presenter.path();
  json["workload"] = name_of(settings_.workload);
  json["reduction"] = name_of(settings_.reduction);
  json["sum"] = nullptr;
  if (settings_.workload == Workload::kReduction && pane_->last_step()) json["sum"] = pane_->last_step()->sum;
  json["rule"] = to_string(settings_.rule);
  json["seed"] = settings_.start.seed;
  json["density"] = settings_.start.density;
  json["generation"] = host.generation();
  json["generations_per_frame"] = settings_.generations_per_frame;
  json["playing"] = settings_.playing;
  json["cells"] = host.cell_count();
  json["population"] = nullptr;
  json["hash"] = nullptr;
  std::optional<Census> census;
  if (population_.counted() && population_.counted()->generation == host.generation())
    census = population_.counted()->census;
  if (rests() && host.cell_count() <= kCountedAtOnce) census = host.engine().census();
  if (census) {
    json["population"] = census->population;
    json["hash"] = fmt::format("{:016x}", census->hash);
  }
  json["cells_per_pixel"] = {pane_->camera.cells_per_pixel_x(), pane_->camera.cells_per_pixel_y()};
  json["view_origin"] = {pane_->camera.field_x(0), pane_->camera.field_y(0)};
  json["picture"] = numbers_of(pane_->area());
  json["rule_field"] = numbers_of(workload_panel_.rule_field);
  json["rule_text"] = workload_panel_.rule_text;
  PictureMouse::Gesture gesture = pane_->mouse.gesture();
  for (const PanesBeside::One& one : beside_.all()) {
    if (one.pane && one.pane->mouse.gesture() != PictureMouse::Gesture::kNone)
      gesture = one.pane->mouse.gesture();
  }
  json["gesture"] = name_of(gesture);
  json["hovered_cell"] = nullptr;
  if (const auto& place = hovered()) json["hovered_cell"] = {place->cell.x, place->cell.y};
  json["edit_cells"] = settings_.edit_cells;
  json["measured_together"] = map_times_.compare(conditions(), config).together;
  json["bench"] = bench_state(bench_panel_, bench_, settings_.show_bench);
  json["wrong"] = pane_->wrong();
  json["show_thread"] = settings_.show_thread;
  json["pinned"] = nullptr;
  if (settings_.pinned) json["pinned"] = {settings_.pinned->x, settings_.pinned->y};
  json["thread"] = explained_.thread() ? explained_.thread()->sentence : explained_.why_not();
  json["panes_beside"] = nlohmann::ordered_json::array();
  for (const PanesBeside::One& one : beside_.all()) {
    nlohmann::ordered_json pane{{"problem", one.problem}, {"in_step", one.in_step}};
    if (one.in_step) {
      add_config(pane, bench::names_of(one.pane->host.config()));
      pane["backend"] = name_of(one.pane->host.backend().kind);
      pane["generation"] = one.pane->host.generation();
      pane["picture"] = numbers_of(one.pane->area());
    }
    pane["equal"] = one.agreement.known ? nlohmann::ordered_json(one.agreement.equal) : nullptr;
    pane["cells_that_differ"] = one.agreement.count ? nlohmann::ordered_json(*one.agreement.count) : nullptr;
    json["panes_beside"].push_back(std::move(pane));
  }
}

}  // namespace loom::app
