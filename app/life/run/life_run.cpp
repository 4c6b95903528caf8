#include "app/life/run/life_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "compute/backend/device_list.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

/// How long a frame waits for work that goes on beside it.
constexpr std::chrono::duration<double, std::milli> kPatience{2};
constexpr std::chrono::duration<double, std::milli> kForever{1e12};
constexpr std::chrono::duration<double, std::milli> kAtOnce{0};

}  // namespace

LifeRun::LifeRun(LifeSettings& settings, Message& message, const ShellServices& services)
    : pane(std::make_unique<Pane>(settings.config,
                                  shared_out(services.backend, services.devices, settings.devices),
                                  settings.start, services.context)),
      beside(services),
      settings_(settings),
      message_(message),
      services_(services),
      wanted_backend_(shared_out(services.backend, services.devices, settings.devices)),
      target_{settings.config, wanted_backend_} {
  past.begin(pane->host, settings.start);
}

const TimingConditions& LifeRun::conditions() const {
  const EngineHost& host = pane->host;
  const FractalConfig& config = host.config();
  if (!conditions_) {
    conditions_ =
        conditions_of(config, settings_.work(), host.backend_name(), settings_.generations_per_frame);
  } else {
    set_conditions(*conditions_, config, settings_.work(), host.backend_name(),
                   settings_.generations_per_frame);
  }
  return *conditions_;
}

// Made anew where something of it is another: a frame in which nothing changes allocates nothing.
const BackendSelection& LifeRun::wanted_backend() {
  const BackendSelection& first = services_.backend;
  const bool holds = wanted_backend_.reason == first.reason &&
                     is_shared_out(wanted_backend_, first, services_.devices, settings_.devices);
  if (!holds) wanted_backend_ = shared_out(first, services_.devices, settings_.devices);
  return wanted_backend_;
}

void LifeRun::want(const FractalConfig& config) {
  const BackendSelection& backend = wanted_backend();
  if (config == target_.config && backend.same_device(target_.backend)) return;
  try {
    validate(config);
  } catch (const InputError& error) {
    take_back_wish(Message::error(error.what()));
    return;
  }
  target_ = {config, backend};
  build_pending_ = true;
  build_action_ = action_;
  if (pane->host.busy()) pane->host.cancel();  // whatever it is, it is not what is wished for now
  beside.make_way();
}

void LifeRun::take_back_wish(Message why) {
  const EngineHost& host = pane->host;
  message_ = std::move(why);
  const BackendSelection& runs = host.backend();
  backend_refused_ = services_.backend.kind != runs.kind || services_.backend.device != runs.device;
  target_ = {host.config(), runs};
  build_pending_ = false;
  settings_.config = host.config();
  settings_.devices = static_cast<std::uint32_t>(runs.devices());
  past.forget_wish();
  put_back_.reset();
}

void LifeRun::apply(const LifeCommands& commands, const render::Palette& palette, bool forget_steps) {
  // Not before the shell was told that its backend could not be taken.
  if (!backend_refused_) want(settings_.config);
  if (forget_steps) pane->forget_steps();
  beside.want(settings_.beside);
  pane->presenter.set_palette(palette);
  for (PanesBeside::One& one : beside.all()) {
    if (!one.pane) continue;
    one.pane->presenter.set_palette(palette);
    if (forget_steps) one.pane->forget_steps();
  }
  collect(commands);
  if (commands.measure_maps && pane->host.backend().devices() > 1) {
    message_ = Message::warning("Maps are benchmarked on one device. Set Devices to 1");
  } else if (commands.measure_maps) {
    maps.start(conditions(), pane->host.config(),
               {.backend = pane->host.backend(),
                .start = settings_.start,
                .work = settings_.work(),
                .generations = settings_.generations_per_frame});
  }
}

// What is asked for comes together for the next job.
void LifeRun::collect(const LifeCommands& commands) {
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
  if (commands.put_back) {
    put_back_ = commands.put_back;
    put_back_action_ = action_;
  }
  if (commands.go_to) past.want(*commands.go_to);
  if (commands.step_back && !past.want_step_back()) {
    message_ = Message::warning(past.chronicle().generation_of(past.chronicle().now()) == 0
                                    ? "This is generation 0, the first one"
                                    : "The history begins with this generation");
  }
  const bool changes_cells =
      commands.restart || commands.clear || !commands.cells.empty() || commands.put_back;
  if (changes_cells) {
    job_.action = action_;
    job_.keep_before = past.should_keep_before(pane->host.cell_count(), step_ms());
  }
  job_.cells.insert(job_.cells.end(), commands.cells.begin(), commands.cells.end());
  if (commands.cells_are != nullptr) job_.cells_are = commands.cells_are;
  if (commands.look) job_.look = commands.look;
  if (changes_cells) course.forget();
  if (commands.restart || commands.clear || commands.count || !commands.cells.empty())
    population.invalidate();
  if (commands.count) population.hurry();
  if (commands.record_devices) {
    pane->devices.reset();
    for (PanesBeside::One& one : beside.all()) {
      if (one.pane) one.pane->devices.reset();
    }
  }
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  steps_ = static_cast<std::uint32_t>(std::min(kMost, std::uint64_t{steps_} + commands.step));
}

void LifeRun::cancel() {
  maps.cancel();
  if (pane->host.busy()) pane->host.cancel();
  beside.cancel();
}

// What is measured has the machine to itself.
bool LifeRun::held() const {
  return maps.busy() || frame_.bench_holds || frame_.edit_holds;
}

double LifeRun::step_ms() const {
  return pane->generation_figures().median;
}

// In slow motion, whether the next generation is due.
bool LifeRun::beat() {
  if (settings_.ms_per_generation == 0 || services_.waits) return true;
  const auto now = std::chrono::steady_clock::now();
  if (now - beat_ < std::chrono::milliseconds(settings_.ms_per_generation)) return false;
  beat_ = now;
  return true;
}

void LifeRun::follow_past(const LifeDone& done) {
  const bool user_built = done.of_build && build_action_ != 0;
  if (const auto change = past.take(done, pane->host); change && tell_ && (user_built || !done.of_build)) {
    const bool written = !done.of_build && done.edits.empty() && !done.restart && !done.clear && !done.replay;
    tell_(*change, done.of_build ? build_action_ : written ? action_ : done.action);
  }
  if (done.built && done.new_field && taken_cells_) {
    taken_cells_.reset();  // they are of another field now
    wants_cells_ = true;
  }
  if (done.goes_to) population.invalidate();
  if (done.goes_to || done.replay) course.forget();
  if (done.replay) beside.out_of_step();
  if (!done.cells) return;
  past.noted_copy(pane->host.cell_count());
  if (std::exchange(keeps_cells_, false)) return;
  wants_cells_ = false;
  const auto grown = past.chronicle().grown();
  const bool grows = grown && is_quickly_grown(grown->generation, pane->host.cell_count());
  taken_cells_ = grows ? *grown : FieldCells{.generation = pane->host.generation(), .bits = done.cells};
}

void LifeRun::take(const LifeDone& done, FrameClock& clock) {
  Pane& scene = *pane;
  follow_past(done);
  if (done.of_build) {
    clock.leave_out();  // the frame that built an engine says nothing about the engine
    if (done.built) {
      scene.engine_changed();
      states.invalidate();
      ages.invalidate();
      population.invalidate();
      if (done.new_field) forget_field();
      probed_cell_.reset();
      if (!build_pending_) {
        settings_.config = scene.host.config();
        settings_.devices = static_cast<std::uint32_t>(scene.host.backend().devices());
      }
    } else if (!build_pending_ && (done.cancelled || !done.problem.empty())) {
      take_back_wish(done.cancelled ? Message::warning(fmt::format("cancelled: {} at level {} continues",
                                                                   scene.host.config().fractal.name(),
                                                                   scene.host.config().level))
                                    : Message::error(done.problem));
    }
    return;
  }
  if (!done.problem.empty()) {
    message_ = Message::error(done.problem);
    scene.set_stale();
    wants_cells_ = false;
  }
  if (std::exchange(looks_, false)) looked_ = done.looked;
  scene.take(done, clock, true);
  if (done.frame.step.generations > 0 && !held()) {
    maps.record(conditions(), {scene.host.config().method, scene.generation_figures().median});
  }
  if (probed_cell_) scene.probed = done.frame.probed;
  if (done.census) {
    population.take(*done.census, done.census_ms);
    course.add(*done.census, settings_.work());
  }
  if (done.devices) clock.leave_out();  // the frame that records says nothing about frames
  if (done.timeline || !done.no_timeline.empty()) {
    clock.leave_out();  // the frame that records says nothing about frames
    beside.take_timeline({scene.host.config(), scene.host.backend_name()}, done);
  }
  if (done.cancelled || !done.problem.empty()) beside.out_of_step();
  if (done.cancelled) wants_cells_ = false;
  if (done.cancelled && !build_pending_) {
    settings_.playing = false;
    scene.set_stale();
    message_ =
        Message::warning(fmt::format("cancelled and paused at generation {}", scene.host.generation()));
  }
}

// A way back that was prepared, and not begun before another field was chosen, is of the one before.
void LifeRun::forget_field() {
  course.forget();
  if (job_.goes_to) job_.cells.clear();
  job_.goes_to.reset();
  job_.replay.reset();
}

void LifeRun::start_job(JobKind kind, FrameClock& clock) {
  Pane& scene = *pane;
  const bool plays = settings_.playing && !held() && kind != JobKind::kView && !job_.goes_to && beat();
  const bool slow = settings_.ms_per_generation > 0;
  const bool still = job_.look || frame_.edit_holds;
  job_.generations = still                     ? 0
                     : plays                   ? (slow ? 1 : settings_.generations_per_frame)
                     : kind == JobKind::kWhole ? std::exchange(steps_, 0)
                                               : 0;
  if (job_.goes_to) job_.generations = 0;
  job_.work = settings_.work();
  const std::uint64_t count = pane->host.cell_count();
  const bool copies = kind == JobKind::kWhole && !services_.waits && !job_.goes_to;
  keeps_cells_ =
      !wants_cells_ && (plays ? past.should_keep_now(count, step_ms()) : copies && past.should_copy(count));
  job_.take_cells = keeps_cells_ || (wants_cells_ && kind != JobKind::kView);
  const bool changes =
      job_.replay || job_.generations > 0 || job_.restart || job_.clear || !job_.cells.empty();
  if (changes) scene.set_stale();
  if (changes) {
    states.invalidate();
    ages.invalidate();
  }
  if (scene.stale() || scene.view_changed()) scene.ask_for_picture(job_);
  const std::optional<Coord64>& under = frame_.under;
  if (under && (changes || under != probed_cell_)) job_.probe = under;
  probed_cell_ = under;
  if (!under) scene.probed.reset();
  job_.count_cells = population.due(scene.host.generation() + job_.generations, plays);
  // Once a method, when its first picture stands.
  job_.count_threads = !scene.threads && scene.pictured();
  job_.record_devices = scene.wants_devices();
  job_.record = beside.wants_timeline();
  looks_ = looks_ || job_.look;
  // Devices first: they go on while the CPU does what is left to it.
  EngineHost::Turn turn{.ahead = kind == JobKind::kAhead, .after = nullptr};
  const bool on_device = scene.host.backend().kind == BackendKind::kCuda;
  if (on_device && !job_.empty()) scene.begin(job_, turn);
  if (on_device) turn.after = &scene.host;
  beside.begin(job_, turn, clock);
  if (!on_device && !job_.empty()) scene.begin(job_, turn);
  job_.reset();
  ahead_ = turn.ahead;
  if (ahead_) return;
  if (const auto done = scene.host.finish(kAtOnce)) take(*done, clock);
  beside.finish(kAtOnce, clock);
}

void LifeRun::compute(const LifeFrame& frame, FrameClock& clock, const std::function<void()>& at_rest) {
  frame_ = frame;
  EngineHost& host = pane->host;
  const auto patience = services_.waits ? kForever : kPatience;
  const bool ahead = std::exchange(ahead_, false);
  if (ahead) clock.lap(Stage::kOther);
  if (const auto done = host.finish(patience)) take(*done, clock);
  beside.finish(services_.waits ? kForever : kAtOnce, clock);
  if (ahead) clock.lap(Stage::kWait);
  while (rests() && build_pending_) {
    build_pending_ = false;
    RandomStart start = settings_.start;
    // Cells that are put into it come next: of a large field a random start takes as long as they do.
    if (put_back_ && put_back_->fits(target_.config)) start.density = 0;
    auto done = host.build(target_.config, target_.backend, start,
                           build_action_ != 0 && past.should_keep_before(host.cell_count(), step_ms()));
    if (!done && services_.waits) done = host.finish(kForever);
    if (done) take(*done, clock);
  }
  if (put_back_ && rests() && !build_pending_) put_back();
  if (past.wants() && !put_back_ && rests() && !build_pending_) {
    if (std::string problem = past.prepare(job_, host, step_ms()); !problem.empty())
      message_ = Message::error(std::move(problem));
  }
  while (rests() && !build_pending_) {
    beside.follow(host, clock);
    if (!services_.waits || !beside.busy()) break;
    beside.finish(kForever, clock);
  }
  if (rests()) at_rest();
  if (rests() && ahead && pane->has_image() && pane->view_changed()) {
    // The view has moved since the picture was begun: what is drawn over it would not lie on it.
    pane->drop_image();
    beside.drop_images();
    start_job(JobKind::kView, clock);
  }
  if (rests() && !pane->has_image()) start_job(JobKind::kWhole, clock);
  if (services_.waits) {
    if (const auto done = host.finish(kForever)) take(*done, clock);
    beside.finish(kForever, clock);
  }
  beside.compare(host, population.counted());
  read_states();
  if (maps.busy()) clock.leave_out();
  if (Message one = maps.take(services_.waits); !one.empty()) message_ = std::move(one);
}

void LifeRun::transfer(FrameClock& clock) {
  pane->transfer(clock);
  for (PanesBeside::One& one : beside.all()) {
    if (one.pane) one.pane->transfer(clock);
  }
}

// The next job of those beside the frames need not wait for the next frame; nor need a device's. It comes on
// the GPU after what this frame draws, since the textures are lent for it: before it, the frame would be
// shown late.
void LifeRun::begin_next(FrameClock& clock) {
  if (!rests() || build_pending_) return;
  if (pane->host.works_beside() && !services_.waits) start_job(JobKind::kWhole, clock);
  const bool slow = settings_.ms_per_generation > 0;  // there is time enough
  const bool goes_back = past.wants() || job_.goes_to;
  if (pane->host.can_work_ahead() && services_.ahead && settings_.playing && !held() && !slow && !goes_back) {
    start_job(JobKind::kAhead, clock);
  }
  clock.lap(Stage::kOther);
}

void LifeRun::put_back() {
  const auto saved = std::exchange(put_back_, nullptr);
  if (!saved->fits(pane->host.config())) return;  // what they go into could not be built
  job_.restart.reset();
  job_.clear = false;
  job_.cells.clear();
  job_.replay = std::make_shared<const Replay>(
      Replay{.base = saved->cells, .parts = {}, .comes_back = pane->host.cell_count() <= kMostComingBack});
  job_.action = put_back_action_;
  look_at(pane->camera, saved->view);
  population.invalidate();
}

void LifeRun::advance_hidden() {
  FrameClock unused;
  if (const auto done = pane->host.finish(kAtOnce)) take(*done, unused);
  beside.finish(kAtOnce, unused);
  if (!wants_cells_ || !rests()) return;
  LifeJob copy;
  copy.take_cells = true;
  copy.work = settings_.work();
  pane->host.begin(copy);
  if (const auto done = pane->host.finish(kAtOnce)) take(*done, unused);
}

void LifeRun::finish() {
  FrameClock unused;
  if (const auto done = pane->host.finish(kForever)) take(*done, unused);
  beside.finish(kForever, unused);
  maps.wait();
}

// For the colours of threads and memory: where there are few cells, all of them.
void LifeRun::read_states() {
  if (!settings_.show_ages) {
    ages.forget();
  } else if (rests()) {
    ages.follow(pane->host.engine());
  }
  if (settings_.colouring.by != teach::ColourBy::kState || !beside.shows_threads_or_memory()) {
    states.forget();
  } else if (rests()) {
    states.read(pane->host.engine());
  }
}

}  // namespace loom::app
