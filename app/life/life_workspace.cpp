#include "app/life/life_workspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "app/life/panels/caption.h"
#include "app/life/panels/thread_map_panel.h"
#include "app/life/panels/timing_panel.h"
#include "app/life/panes/pane_overlay.h"
#include "app/life/picture/grid_overlay.h"
#include "app/life/scene/fp16_warning.h"
#include "app/life/scene/selected_point.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {
namespace {

/// How long a frame waits for work that goes on beside it.
constexpr std::chrono::duration<double, std::milli> kPatience{2};
constexpr std::chrono::duration<double, std::milli> kForever{1e12};
constexpr std::chrono::duration<double, std::milli> kAtOnce{0};

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
  marked_.reset();
  facts_.emplace(facts());
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
          .comparison = maps_.compare(conditions(), host.config()),
          .measuring = maps_.progress(),
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
          .colours = pane_->legend(),
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
  const LifeFacts& now = *facts_;
  fractal_panel(fractal_panel_, *edit_, now, own_fractal_ ? &*own_fractal_ : nullptr);
  thread_map_panel(*edit_, now);
  workload_panel(workload_panel_, *edit_, now);
  panes_section(*edit_, now);
  view_panel(view_panel_, *edit_);
}

float LifeWorkspace::more_dock_lines() const {
  return panes_figures_lines(beside_.with_cells());
}

void LifeWorkspace::dock(const DockRoom& room) {
  const LifeFacts& now = *facts_;
  marked_ = thread_panel(thread_panel_, *edit_, now, explained_);
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
  const bool bench_shown = settings_.show_bench;
  const bool covered = covers_controls(layout);
  Area picture = layout.picture;
  if (!covered) {
    picture.height -=
        caption(picture, *facts_, pane_->presenter.palette(), hovered_, pane_->probed.value_or(false));
  }
  if (bench_shown) {
    BenchWishes wishes;
    bench_panel(bench_panel_, bench_, covered ? bench_area(layout, ImGui::GetFontSize()) : picture,
                bench_scene(), wishes);
    if (wishes.close) edit_->settings.show_bench = false;
    if (wishes.show) show_case(*wishes.show);
  } else {
    bench_panel_.places.clear();
  }
  return picture;
}

void LifeWorkspace::update(const Area& picture, float scale) {
  Pane& pane = *pane_;
  const std::vector<PanePlace> places = pane_places(picture, beside_.all().size() + 1, ImGui::GetFontSize());
  pane.place(places[0].picture, scale);
  beside_.place(places, scale);
  if (!edit_->settings.show_bench) {
    const auto square = beside_.show_explaining({places, pane.host.config(), settings_.colouring, explained_},
                                                edit_->settings.neighbour);
    if (square) marked_ = square;
    pane_headers(*edit_, *facts_, beside_, places);
    wrong_banner(pane.area(), facts_->wrong);
  }
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
  hovered_.reset();
  // All panes of cells look at the same part of the field: each mouse moves the scene's camera.
  const auto update_mouse = [&](Pane& one) {
    const PictureMouse::Brush brush{.space = pane.space,
                                    .is_alive =
                                        [&](Coord64 cell) {
                                          return rests() ? pane.host.engine().cell(cell).value_or(false)
                                                         : pane.probed.value_or(false);
                                        },
                                    .painted = edit_->commands.cells};
    one.mouse.update(one.area(), scale, pane.camera, edit_->settings.edit_cells ? &brush : nullptr);
    if (const auto& at = one.mouse.hovered()) hovered_ = pane.space.place_at(at->x, at->y);
  };
  update_mouse(pane);
  const ImGuiIO& io = ImGui::GetIO();
  clicked_ = ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !io.WantCaptureMouse &&
             io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] < 9;
  for (PanesBeside::One& one : beside_.all()) {
    if (one.pane) update_mouse(*one.pane);
    const auto point = one.space ? one.space->update() : std::nullopt;
    if (point) {
      hovered_ =
          pane.space.place_at(static_cast<std::int64_t>(point->x), static_cast<std::int64_t>(point->y));
    }
  }
  for (PanesBeside::One& one : beside_.all()) {
    if (one.pane && one.in_step) one.pane->camera = pane.camera;
  }
}

// One point is selected in all panes; each explains the thread that its own map launches for it.
void LifeWorkspace::select() {
  const FractalConfig& config = pane_->host.config();
  const std::optional<Coord64> under = hovered_ ? std::optional(hovered_->cell) : std::nullopt;
  // A point may be pinned together with another level, before its engine runs.
  const FractalConfig& wanted = edit_->settings.config;
  const auto point = selected_point(*edit_, wanted, under, std::exchange(clicked_, false));
  explained_.look_at(config, point);
  for (PanesBeside::One& one : beside_.all()) {
    one.explained.look_at(one.in_step ? one.pane->host.config() : config, one.in_step ? point : std::nullopt);
  }
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
  beside_.make_way();
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
  if (commands.put_back) put_back_ = commands.put_back;
  job_.cells.insert(job_.cells.end(), commands.cells.begin(), commands.cells.end());
  if (commands.restart || commands.clear || commands.count || !commands.cells.empty())
    population_.invalidate();
  if (commands.count) population_.hurry();
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  steps_ = static_cast<std::uint32_t>(std::min(kMost, std::uint64_t{steps_} + commands.step));
  if (commands.measure_maps) {
    maps_.start(conditions(), pane_->host.config(),
                {.backend = pane_->host.backend(),
                 .start = settings_.start,
                 .work = settings_.work(),
                 .generations = settings_.generations_per_frame});
  }
  if (edit_->shell.commands.cancel) cancel();
}

void LifeWorkspace::cancel() {
  maps_.cancel();
  if (pane_->host.busy()) pane_->host.cancel();
  beside_.cancel();
}

// What is measured has the machine to itself.
bool LifeWorkspace::held() const {
  return maps_.busy() || bench_.holds_scene();
}

void LifeWorkspace::take(const LifeDone& done, FrameClock& clock) {
  Pane& pane = *pane_;
  if (done.of_build) {
    clock.leave_out();  // the frame that built an engine says nothing about the engine
    if (done.built) {
      pane.engine_changed();
      states_.invalidate();
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
  pane.take(done, clock);
  if (done.frame.step.generations > 0 && !held()) {
    maps_.record(conditions(), {pane.host.config().method, pane.generation_figures().median});
  }
  if (probed_cell_) pane.probed = done.frame.probed;
  if (done.census) population_.take(*done.census, done.census_ms);
  if (done.timeline || !done.no_timeline.empty()) {
    clock.leave_out();  // the frame that records says nothing about frames
    beside_.take_timeline(pane.host.config(), done);
  }
  if (done.cancelled || !done.problem.empty()) beside_.out_of_step();
  if (done.cancelled && !build_pending_) {
    settings_.playing = false;
    pane.set_stale();
    message_ = fmt::format("cancelled and paused at generation {}", pane.host.generation());
  }
}

void LifeWorkspace::start_job(JobKind kind, FrameClock& clock) {
  Pane& pane = *pane_;
  const bool plays = settings_.playing && !held() && kind != JobKind::kView;
  job_.generations = plays                     ? settings_.generations_per_frame
                     : kind == JobKind::kWhole ? std::exchange(steps_, 0)
                                               : 0;
  job_.work = settings_.work();
  const bool changes = job_.generations > 0 || job_.restart || job_.clear || !job_.cells.empty();
  if (changes) pane.set_stale();
  if (changes) states_.invalidate();
  if (pane.stale() || pane.view_changed()) pane.ask_for_picture(job_);
  const std::optional<Coord64> under =
      hovered_ && hovered_->is_cell ? std::optional(hovered_->cell) : std::nullopt;
  if (under && (changes || under != probed_cell_)) job_.probe = under;
  probed_cell_ = under;
  if (!under) pane.probed.reset();
  job_.count_cells = population_.due(pane.host.generation() + job_.generations, plays);
  // Once a method, when its first picture stands.
  job_.count_threads = !pane.threads && pane.pictured();
  job_.record = beside_.wants_timeline();
  // Devices first: they go on while the CPU does what is left to it.
  EngineHost::Turn turn{.ahead = kind == JobKind::kAhead, .after = nullptr};
  const bool on_device = pane.host.backend().kind == BackendKind::kCuda;
  if (on_device && !job_.empty()) pane.host.begin(job_, turn);
  if (on_device) turn.after = &pane.host;
  beside_.begin(job_, turn, clock);
  if (!on_device && !job_.empty()) pane.host.begin(job_, turn);
  job_.reset();
  ahead_ = turn.ahead;
  if (ahead_) return;
  if (const auto done = pane.host.finish(kAtOnce)) take(*done, clock);
  beside_.finish(kAtOnce, clock);
}

void LifeWorkspace::compute(FrameClock& clock) {
  EngineHost& host = pane_->host;
  const auto patience = services_.waits ? kForever : kPatience;
  const bool ahead = std::exchange(ahead_, false);
  if (ahead) clock.lap(Stage::kOther);
  if (const auto done = host.finish(patience)) take(*done, clock);
  beside_.finish(services_.waits ? kForever : kAtOnce, clock);
  if (ahead) clock.lap(Stage::kWait);
  while (rests() && build_pending_) {
    build_pending_ = false;
    auto done = host.build(target_.config, target_.backend, settings_.start);
    if (!done && services_.waits) done = host.finish(kForever);
    if (done) take(*done, clock);
  }
  if (put_back_ && rests() && !build_pending_) put_back();
  if (rests() && !build_pending_) beside_.follow(host, clock);
  if (services_.waits) beside_.finish(kForever, clock);
  if (rests() && ahead && pane_->has_image() && pane_->view_changed()) {
    // The view has moved since the picture was begun: what is drawn over it would not lie on it.
    pane_->drop_image();
    beside_.drop_images();
    start_job(JobKind::kView, clock);
  }
  if (rests() && !pane_->has_image()) start_job(JobKind::kWhole, clock);
  if (services_.waits) {
    if (const auto done = host.finish(kForever)) take(*done, clock);
    beside_.finish(kForever, clock);
  }
  beside_.compare(host, population_.counted());
  read_states();
  measure(clock);
  clock.lap(Stage::kOther);
  // Before anything is drawn: a transfer through interop waits for what OpenGL was asked for until then.
  pane_->transfer(clock);
  for (PanesBeside::One& one : beside_.all()) {
    if (one.pane) one.pane->transfer(clock);
  }
}

void LifeWorkspace::put_back() {
  const auto saved = std::exchange(put_back_, nullptr);
  if (!saved->fits(pane_->host.config())) return;  // what they go into could not be built
  pane_->host.put_cells(saved->cells, saved->generation);
  pane_->camera = saved->camera;
  pane_->set_stale();
  population_.invalidate();
  beside_.out_of_step();
}

void LifeWorkspace::show(FrameClock& clock) {
  pane_->draw(clock);
  pane_->colour(settings_.colouring, services_.waits);
  for (PanesBeside::One& one : beside_.all()) {
    if (one.pane && one.in_step) {
      one.pane->draw(clock);
      one.pane->colour(settings_.colouring, services_.waits);
    }
    if (one.space) {
      one.space->follow(pane_->host.config(), settings_.colouring, states_);
      one.space->paint(services_.waits);
    }
  }
  clock.lap(Stage::kDraw);
}

// The next job of those beside the frames need not wait for the next frame; nor need a device's, while the
// frame is presented.
void LifeWorkspace::begin_next(FrameClock& clock) {
  if (!rests() || build_pending_) return;
  if (pane_->host.works_beside() && !services_.waits) start_job(JobKind::kWhole, clock);
  if (pane_->host.can_work_ahead() && services_.ahead && settings_.playing && !held()) {
    start_job(JobKind::kAhead, clock);
  }
  clock.lap(Stage::kOther);
}

void LifeWorkspace::finish() {
  FrameClock unused;
  if (const auto done = pane_->host.finish(kForever)) take(*done, unused);
  beside_.finish(kForever, unused);
  maps_.wait();
}

// For the colours of threads and memory: where there are few cells, all of them.
void LifeWorkspace::read_states() {
  if (settings_.colouring.by != teach::ColourBy::kState || !beside_.shows_threads_or_memory()) {
    states_.forget();
  } else if (rests()) {
    states_.read(pane_->host.engine());
  }
}

// What is measured is no part of the scene's frame, which is left out of the figures.
void LifeWorkspace::measure(FrameClock& clock) {
  if (maps_.busy()) clock.leave_out();
  if (std::string problem = maps_.take(services_.waits); !problem.empty()) message_ = std::move(problem);
  if (!settings_.show_bench && bench_.running()) bench_.runner()->pause();
  if (!bench_.under_way()) return;
  bench_.advance();
  clock.leave_out();
}

void LifeWorkspace::overlays(ImDrawList& list) {
  if (settings_.show_bench) return;
  draw_pane_overlay(list, *pane_, {settings_, hovered_, explained_, marked_});
  for (const PanesBeside::One& one : beside_.all()) {
    if (one.space) one.space->draw(list, explained_);
    if (!one.pane || !one.in_step) continue;
    draw_pane_overlay(list, *one.pane, {settings_, hovered_, one.explained, marked_, one.agreement.first});
  }
}

WorkspaceStatus LifeWorkspace::status() const {
  const EngineHost& host = pane_->host;
  Progress progress = host.busy() ? host.progress() : beside_.progress();
  if (maps_.busy()) progress = maps_.progress();
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

}  // namespace loom::app
