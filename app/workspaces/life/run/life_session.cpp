#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "app/workspaces/life/life_workspace.h"
#include "compute/device/device.h"

namespace loom::app {
namespace {

constexpr TaskTimeout kAtOnce{0};

}  // namespace

LifeSession::LifeSession(const LifeSettings& settings, Edits& edits, Message& message,
                         const ShellServices& services)
    : secondary_panes(services),
      settings_(settings),
      edits_(edits),
      message_(message),
      services_(services),
      requested_backend_(distribute_over(services.backend, services.devices, settings.devices)) {
  pane = std::make_unique<Pane>(settings.config, requested_backend_, settings.start, services.context);
  field_ = std::make_shared<const FractalConfig>(pane->async_engine->config());
  history.follow(pane->async_engine->cells());
}

const TimingConditions& LifeSession::conditions() const {
  const LifeEngine& engine = *pane->async_engine;
  if (!conditions_) {
    conditions_ = conditions_of(engine.config(), settings_.work(), engine.backend_name(),
                                settings_.generations_per_frame);
  } else {
    set_conditions(*conditions_, engine.config(), settings_.work(), engine.backend_name(),
                   settings_.generations_per_frame);
  }
  return *conditions_;
}

// Rebuilt only after a change, so that a frame without changes allocates no memory.
void LifeSession::update_backend() {
  const BackendSelection& first = services_.backend;
  const bool holds = requested_backend_.reason == first.reason &&
                     is_distributed_over(requested_backend_, first, services_.devices, settings_.devices);
  if (!holds) requested_backend_ = distribute_over(first, services_.devices, settings_.devices);
}

void LifeSession::apply(const LifeCommands& commands, const render::Palette& palette, bool clear_step_times) {
  if (!first_action_) first_action_ = services_.undo.action();
  update_backend();
  secondary_panes.request(settings_.secondary_panes);
  for_each_pane([&](Pane& one) {
    one.presenter.set_palette(palette);
    if (clear_step_times) one.clear_step_times();
    if (commands.record_devices) one.devices.reset();
  });
  collect(commands);
  if (commands.measure_maps && pane->async_engine->backend().devices() > 1) {
    message_ = Message::warning("Maps are benchmarked on one device. Set Devices to 1");
  } else if (commands.measure_maps) {
    maps.start(conditions(), pane->async_engine->config(),
               {.backend = pane->async_engine->backend(),
                .start = settings_.start,
                .work = settings_.work(),
                .generations = settings_.generations_per_frame});
  }
}

// Collects the commands for the next request.
void LifeSession::collect(const LifeCommands& commands) {
  const std::uint64_t action = services_.undo.action();
  if (commands.new_field) {
    field_action_ = action;
    steps_ = 0;
  }
  if (selected_ && !is_same_field(*selected_->to.field, settings_.config)) selected_.reset();
  const auto select_new = [&](const CellSource& cells, const char* what) {
    steps_ = 0;  // those that were requested belong to the previous cells
    select({.to = {cells, std::make_shared<const FractalConfig>(settings_.config)},
            .what = what,
            .action = action,
            .state = commands.restore});
  };
  if (commands.restart) select_new(CellSource(settings_.start), "random start");
  if (commands.clear)
    select_new(CellSource(RandomStart{0, 0}),
               commands.edit_label != nullptr ? commands.edit_label : "clear all cells");
  if (commands.restore) select_new(commands.restore->cells, "restored cells");
  if (commands.restore) pane->clear_problem();
  if (commands.go_to.cells.is_known() && is_same_field(*commands.go_to.field, settings_.config))
    select({.to = commands.go_to, .is_recorded = true});
  if (commands.undo_generation) {
    // Repeated requests continue from the last requested state.
    const bool again = selected_ && selected_->is_recorded;
    const CellSource before = (again ? selected_->to.cells : history.now()).previous_generation();
    if (before.is_known()) {
      select({.to = {before, field_}, .is_recorded = true});
    } else {
      message_ =
          Message::warning(history.now().generation() == 0 ? "This is generation 0, the first one"
                                                           : "The history begins with this generation");
    }
  }
  if (!commands.cells.empty()) request_.action = action;
  request_.edits.insert(request_.edits.end(), commands.cells.begin(), commands.cells.end());
  if (commands.edit_label != nullptr) request_.label = commands.edit_label;
  if (commands.cells_to_query) request_.cells_to_query = commands.cells_to_query;
  if (commands.count) pane->census.count_now();
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  steps_ = static_cast<std::uint32_t>(std::min(kMost, std::uint64_t{steps_} + commands.step));
}

// Replaces earlier changes that have not begun.
void LifeSession::select(SelectedCells selected) {
  selected_ = std::move(selected);
  request_.edits.clear();
}

std::optional<CellSnapshot> LifeSession::pending_cells() const {
  if (!selected_ || selected_->is_recorded) return std::nullopt;
  return CellSnapshot{selected_->to.cells, selected_->state ? selected_->state->bits : nullptr};
}

// Cancelling new cells, edits or a copy would lose them; these do not take long.
void LifeSession::interrupt() {
  AsyncEngine<LifeEngine>& async_engine = pane->async_engine;
  if (!async_engine.busy()) return;
  const LifeFrameRequest& request = async_engine.request();
  if (request.build || (!request.replaces_cells() && !request.take_cells)) async_engine.cancel();
  FrameClock unused;
  if (const LifeFrameOutcome* const done = pane->finish(kNoTimeout, unused, true)) take(*done, unused);
}

bool LifeSession::cancel() {
  maps.cancel();
  const bool works = pane->async_engine.busy() && !pane->async_engine.request().build;
  pane->cancel();
  secondary_panes.cancel();
  return works;
}

// Benchmarks use the machine alone. The engine that runs may not hold the states of the selected rule.
bool LifeSession::is_paused() const {
  const bool lacks_states =
      states_of(settings_.work()) > 2 && pane->async_engine->config().method.storage == CellStorage::kBits;
  return maps.busy() || frame_.paused || frame_.paused_by_edit || lacks_states;
}

// In slow motion, true if the next generation is due; otherwise always true.
bool LifeSession::slow_motion_tick() {
  if (settings_.ms_per_generation == 0 || services_.waits) return true;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_tick_ < std::chrono::milliseconds(settings_.ms_per_generation)) return false;
  last_tick_ = now;
  return true;
}

void LifeSession::record_undo(const char* what, const RecordedCells& before, const CellSource& after,
                              std::uint64_t action) {
  if (!first_action_ || action <= *first_action_) return;
  const CellSource::Ref old(before.cells);
  const CellSource::Ref changed(after);
  const auto go_to = [](const CellSource::Ref& cells, const std::shared_ptr<const FractalConfig>& field) {
    return [cells, field](LifeEdit& of_frame) {
      of_frame.commands.go_to = {cells.lock(), field};
      of_frame.settings.playing = false;
    };
  };
  const auto holds = [old, changed] { return old.lock().is_known() && changed.lock().is_known(); };
  edits_.record({.what = what, .holds = holds, .cells = true}, go_to(old, before.field),
                go_to(changed, field_), action);
}

void LifeSession::record_history(const LifeFrameOutcome& done) {
  const LifeFrameRequest& request = done.request;
  const LifeFrameResult& result = done.result;
  const LifeEngine& engine = *pane->async_engine;
  const bool recorded = request.is_recorded;
  const RecordedCells before{recorded ? request.cells : history.now(), field_};
  if (result.built && result.new_field) field_ = std::make_shared<const FractalConfig>(engine.config());
  history.follow(engine.cells());
  for (const CellSnapshot& one : result.snapshots) history.keep(one);
  if (result.cells) history.keep({history.now(), result.cells});
  if (request.build) {
    if (result.built && result.new_field && !recorded && request.action != 0)
      record_undo("level", before, history.now(), request.action);
  } else if (!recorded || result.worked) {
    const std::uint64_t generations = result.frame.step.generations;
    const bool edited = result.edited != before.cells;
    // Only the first single write after life is an undo step.
    const bool wrote = before.cells.times() > 0 && before.cells.work().workload == Workload::kSingleWrite;
    if (edited) {
      record_undo(request.label != nullptr ? request.label : "painted cells", before, result.edited,
                  request.action);
    } else if (generations > 0 && request.work.workload == Workload::kSingleWrite && !wrote) {
      record_undo("single write", before, history.now(), services_.undo.action());
    }
  }
  if (result.new_field && result.built && copied_cells_) {
    copied_cells_.reset();  // they belong to the previous field
    cells_requested_ = true;
  }
  if (!result.cells) return;
  history.record_copy(engine.cell_count());
  if (!std::exchange(cells_requested_, false)) return;
  const CellSource& now = history.now();
  const bool recomputes = now.is_plain() && is_cheap_to_recompute(now.generation(), engine.cell_count());
  copied_cells_ = recomputes ? now : CellSource(result.cells, engine.generation());
}

void LifeSession::take_build(const LifeFrameOutcome& done) {
  const LifeEngine& engine = *pane->async_engine;
  if (done.result.built) {
    if (done.result.new_field) cycle_detector.forget();
    if (selected_ && selected_->to.cells == engine.cells()) {
      if (selected_->state) look_at(pane->camera, selected_->state->view);
      selected_.reset();
    }
    probed_cell_.reset();
  } else if (done.failed() && !problem().empty()) {
    message_ = done.cancelled
                   ? Message::warning(fmt::format("cancelled: {} at level {} continues",
                                                  engine.config().fractal.name(), engine.config().level))
                   : Message::error(done.problem);
    selected_.reset();
  }
}

void LifeSession::finish(TaskTimeout timeout, FrameClock& clock) {
  if (const LifeFrameOutcome* const done = pane->finish(timeout, clock, true)) take(*done, clock);
  secondary_panes.finish(timeout == kNoTimeout ? kNoTimeout : kAtOnce, clock);
}

void LifeSession::take(const LifeFrameOutcome& done, FrameClock& clock) {
  Pane& scene = *pane;
  const LifeEngine& engine = *scene.async_engine;
  const LifeFrameResult& result = done.result;
  record_history(done);
  if (done.request.build) return take_build(done);
  if (!done.problem.empty()) message_ = Message::error(done.problem);
  if (done.failed()) cells_requested_ = false;
  if (done.request.cells_to_query) queried_cells_ = result.queried_cells;
  if (result.frame.step.generations > 0 && !is_paused()) {
    maps.record(conditions(), {engine.config().method, scene.generation_stats().median});
  }
  if (probed_cell_) scene.probed = result.frame.probed;
  if (result.census) cycle_detector.add(*result.census, settings_.work());
  if (result.timeline || !result.timeline_problem.empty()) {
    clock.discard_sample();  // includes the recording
    secondary_panes.take_timeline({engine.config(), engine.backend_name()}, result);
  }
  if (done.cancelled && scene.was_cancelled())
    message_ = Message::warning(fmt::format("cancelled and paused at generation {}", engine.generation()));
}

void LifeSession::start_frame(FrameKind kind, FrameClock& clock) {
  Pane& scene = *pane;
  if (selected_ && kind == FrameKind::kFull) {
    // A field that could not be built has been reported.
    const bool fits = is_same_field(*selected_->to.field, scene.async_engine->config());
    if (fits && selected_->state) look_at(scene.camera, selected_->state->view);
    if (fits || selected_->to.cells.is_start()) make_selected(request_);
    selected_.reset();
  }
  const bool recorded = request_.is_recorded;
  const bool plays =
      settings_.playing && !is_paused() && kind != FrameKind::kViewOnly && !recorded && slow_motion_tick();
  const bool slow = settings_.ms_per_generation > 0;
  const bool still = request_.cells_to_query || frame_.paused_by_edit;
  const bool steps = steps_ > 0 && kind == FrameKind::kFull;  // before a scene that plays goes on
  request_.generations = still   ? 0
                         : steps ? std::exchange(steps_, 0)
                         : plays ? (slow ? 1 : settings_.generations_per_frame)
                                 : 0;
  if (recorded) request_.generations = 0;
  request_.work = settings_.work();
  const std::uint64_t count = pane->async_engine->cell_count();
  const bool copies = kind == FrameKind::kFull && !services_.waits && !recorded;
  request_.take_cells =
      (cells_requested_ && kind != FrameKind::kViewOnly) ||
      (plays ? history.should_save_now(count, step_ms()) : copies && history.should_copy(count));
  request_.begins_anew = request_.take_cells && history.overflows();
  const bool returns = request_.cells.is_known() && !request_.cells.is_start();
  if (request_.replaces_cells()) returns ? cycle_detector.jump() : cycle_detector.forget();
  request_.save_before =
      request_.replaces_cells() && !recorded && history.should_save_before(count, step_ms());
  scene.complete(request_);
  const std::optional<Coord64>& hovered_cell = frame_.hovered_cell;
  if (hovered_cell && (request_.changes() || hovered_cell != probed_cell_)) request_.probe = hovered_cell;
  probed_cell_ = hovered_cell;
  if (!hovered_cell) scene.probed.reset();
  request_.count_cells = scene.census.due(scene.async_engine->generation() + request_.generations, plays);
  request_.record = secondary_panes.needs_timeline();
  request_.is_pipelined = kind == FrameKind::kPipelined;
  // Devices begin first, so that they work while the CPU does its part.
  const bool works_ahead = scene.async_engine->backend().device.works_ahead;
  const CellSource before = scene.async_engine->cells();
  if (works_ahead) scene.begin(request_);
  secondary_panes.begin(request_, before, scene.async_engine.engine_on_device(), clock);
  if (!works_ahead) scene.begin(request_);
  request_.reset();
  if (kind != FrameKind::kPipelined) finish(kAtOnce, clock);
}

// What runs for another engine than the selected one is cancelled; a build of the selected one goes on.
void LifeSession::cancel_superseded() {
  if (!needs_engine() || pane->builds(settings_.config, requested_backend_)) return;
  for_each_pane([](Pane& one) { one.yield(); });
}

void LifeSession::build(FrameClock& clock) {
  const LifeEngine& engine = *pane->async_engine;
  LifeFrameRequest request{.build = LifeBuild{.config = settings_.config, .backend = requested_backend_},
                           .action = field_action_};
  if (!is_same_field(settings_.config, engine.config())) {
    request.cells = CellSource(settings_.start).begun_after(history.now());
    if (selected_) make_selected(request);
    request.save_before = field_action_ != 0 && history.should_save_before(engine.cell_count(), step_ms());
  }
  pane->begin(request);
  finish(services_.waits ? kNoTimeout : kAtOnce, clock);
}

void LifeSession::compute(const LifeFrameInput& frame, FrameClock& clock,
                          const std::function<void()>& at_rest) {
  frame_ = frame;
  AsyncEngine<LifeEngine>& async_engine = pane->async_engine;
  const auto timeout = services_.waits ? kNoTimeout : kFrameWait;
  if (problem().empty()) pane->clear_problem();  // it may be tried again once it is selected again
  cancel_superseded();
  finish(timeout, clock);
  if (is_idle() && needs_engine()) build(clock);
  while (is_idle()) {
    secondary_panes.follow(async_engine, clock);
    if (!services_.waits || !secondary_panes.busy()) break;
    secondary_panes.finish(kNoTimeout, clock);
  }
  if (is_idle()) at_rest();
  if (is_idle() && async_engine.request().is_pipelined && pane->has_image() && pane->view_changed()) {
    // The view has changed since the image was requested: overlays would not match it.
    for_each_pane([](Pane& one) { one.drop_image(); });
    start_frame(FrameKind::kViewOnly, clock);
  }
  if (is_idle() && !pane->has_image()) start_frame(FrameKind::kFull, clock);
  if (services_.waits) finish(kNoTimeout, clock);
  secondary_panes.compare(*pane);
  read_states();
  if (maps.busy()) clock.discard_sample();
  if (Message one = maps.take(services_.waits); !one.empty()) message_ = std::move(one);
}

// Background work and device work can begin before the next frame. On a GPU the work must follow this frame's
// drawing, because it maps the textures: started earlier, it would delay the frame.
void LifeSession::begin_next(FrameClock& clock) {
  if (!is_idle() || needs_engine()) return;
  const AsyncEngine<LifeEngine>& async_engine = pane->async_engine;
  if (async_engine.in_background() && !services_.waits) start_frame(FrameKind::kFull, clock);
  const bool plays = settings_.playing && !is_paused();
  const bool slow = settings_.ms_per_generation > 0;  // slow motion leaves enough time
  if (async_engine->works_ahead() && !async_engine.in_background() && services_.is_pipelined && plays &&
      !slow && !selected_ && steps_ == 0)
    start_frame(FrameKind::kPipelined, clock);
  clock.lap(Stage::kOther);
}

// Adds what makes the selected cells to a request.
void LifeSession::make_selected(LifeFrameRequest& request) {
  const LifeEngine& engine = *pane->async_engine;
  CellSource& cells = selected_->to.cells;
  if (!selected_->is_recorded) {
    request.cells = cells = cells.begun_after(history.now());
    if (selected_->state && selected_->state->bits) request.near = {cells, selected_->state->bits};
    request.label = selected_->what;
    request.action = selected_->action;
    return;
  }
  if (cells == history.now()) return;
  request.cells = cells;
  request.is_recorded = true;
  if (const CellSnapshot* const near = history.nearest(cells)) request.near = *near;
  request.keep = history.kept_of(generations_to_make(history.now(), cells, &request.near),
                                 engine.cell_count(), engine.states(), step_ms());
}

void LifeSession::advance_hidden() {
  FrameClock unused;
  finish(kAtOnce, unused);
  if (!cells_requested_ || !is_idle()) return;
  pane->begin({.work = settings_.work(), .take_cells = true});
  finish(kAtOnce, unused);
}

void LifeSession::finish() {
  FrameClock unused;
  finish(kNoTimeout, unused);
  if (Message one = maps.take(true); !one.empty()) message_ = std::move(one);
}

// Reads all states of small fields, for ages and for the colours of threads and memory.
void LifeSession::read_states() {
  if (!settings_.show_ages) {
    ages.forget();
  } else if (is_idle()) {
    ages.follow(pane->async_engine.engine(), pane->async_engine->cells());
  }
  if (settings_.colouring.by != explain::ColourBy::kState || !secondary_panes.shows_threads_or_memory()) {
    states.forget();
  } else if (is_idle()) {
    states.read(pane->async_engine.engine(), pane->async_engine->cells());
  }
}

}  // namespace loom::app
