#include "app/life/panes/panes_beside.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <new>
#include <utility>

#include "app/life/scene/device_share.h"
#include "app/teach/bit_words.h"
#include "app/widgets/choice.h"
#include "app/widgets/pane_window.h"
#include "compute/backend/device_list.h"
#include "compute/backend/emulation.h"
#include "compute/core/error.h"
#include "compute/geometry/block_sizes.h"
#include "compute/geometry/canonical_order.h"

namespace loom::app {
namespace {

/// A field of more cells is not looked at cell by cell within a frame.
constexpr std::uint64_t kMostCompared = 1 << 20;

FractalConfig config_of(const PaneWish& wish, const FractalConfig& scene) {
  FractalConfig config = scene;
  config.method = wish.method;
  config.block = nearest_block(config.fractal, config.level, wish.block);
  keep_method_valid(config);
  return config;
}

PaneAgreement look_at_each(const FractalEngine& scene, const FractalEngine& other) {
  const auto cells = static_cast<std::size_t>(scene.cell_count());
  std::vector<std::uint8_t> of_scene(cells);
  std::vector<std::uint8_t> of_other(cells);
  scene.read_cells(0, of_scene);
  other.read_cells(0, of_other);
  PaneAgreement found;
  found.count = 0;
  for (std::size_t i = 0; i < cells; ++i) {
    if (of_scene[i] == of_other[i]) continue;
    if ((*found.count)++ == 0) {
      const FractalConfig& config = scene.config();
      found.first = CanonicalOrder<std::uint64_t>(make_blocked(config.fractal, config.level, 1)).cell(i);
    }
  }
  return found;
}

}  // namespace

Text words_of(const FractalConfig& config, BackendKind backend, std::size_t devices) {
  const auto add_devices = [&](Text& words) {
    if (devices > 1) words.add(", {} {}", devices, backend == BackendKind::kCuda ? "GPUs" : "devices");
  };
  if (!teach::has_blocks(config)) {
    Text words = format_text("{}, bits", label_of(config.method.map));
    add_devices(words);
    return words;
  }
  Text words = format_text("{}, ρ {}", label_of(config.method.map), config.block);
  if (config.method.map != MapKind::kBoundingBox) {
    words.add(", {}", name_of(config.method.arithmetic));
    if (is_arithmetic_emulated(backend, config.method.map, config.method.arithmetic)) {
      words.append(" emulated");
    }
  }
  add_devices(words);
  return words;
}

void PanesBeside::want(const std::vector<PaneWish>& wishes) {
  // What goes while it works is waited for by its worker.
  panes_.resize(std::min(wishes.size(), kMostPanes - 1));
  for (std::size_t i = 0; i < panes_.size(); ++i) {
    if (panes_[i].wish == wishes[i]) continue;
    const bool other_kind = panes_[i].wish.shows != wishes[i].shows;
    panes_[i].wish = wishes[i];
    if (other_kind) set_kind(panes_[i]);
    panes_[i].backend.reset();
    panes_[i].problem.clear();
    panes_[i].in_step = false;
    if (panes_[i].pane && panes_[i].pane->host.busy()) panes_[i].pane->host.cancel();
  }
}

void PanesBeside::set_kind(One& one) {
  const PaneShows shows = one.wish.shows;
  if (shows != PaneShows::kCells) one.pane.reset();  // waits for what it does
  one.space.reset();
  one.steps.reset();
  one.unfold.reset();
  one.timeline.reset();
  one.lens.reset();
  one.tried.reset();
  if (shows == PaneShows::kThreads) one.space = std::make_unique<SpacePane>(teach::Space::kThreads);
  if (shows == PaneShows::kMemory) one.space = std::make_unique<SpacePane>(teach::Space::kMemory);
  if (shows == PaneShows::kSteps) one.steps = std::make_unique<StepsPane>();
  if (shows == PaneShows::kUnfold) one.unfold = std::make_unique<UnfoldPane>();
  if (shows == PaneShows::kTimeline) one.timeline = std::make_unique<TimelinePane>();
  if (shows == PaneShows::kLens) one.lens = std::make_unique<LensPane>();
}

std::size_t PanesBeside::with_cells() const {
  return static_cast<std::size_t>(std::count_if(
      panes_.begin(), panes_.end(), [](const One& one) { return one.wish.shows == PaneShows::kCells; }));
}

void PanesBeside::place(const std::vector<PanePlace>& places, float scale) {
  for (std::size_t i = 0; i < panes_.size(); ++i) {
    const Area& area = places[i + 1].picture;
    if (panes_[i].pane) panes_[i].pane->place(area, scale);
    if (panes_[i].space) panes_[i].space->place(area, scale);
  }
}

std::optional<teach::CellSquare> PanesBeside::show_explaining(const Subject& subject, int& neighbour,
                                                              bool& record_devices) {
  std::optional<teach::CellSquare> square;
  for (std::size_t i = 0; i < panes_.size(); ++i) {
    One& one = panes_[i];
    const Area& area = subject.places[i + 1].picture;
    const Text id = format_text("##{} {}", name_of(one.wish.shows), i);
    if (one.timeline && subject.several_devices) {
      if (one.timeline->show_devices(id.c_str(), area, subject.devices)) record_devices = true;
      continue;
    }
    if (!teach::has_blocks(subject.config) && (one.steps || one.unfold || one.timeline || one.lens)) {
      begin_pane_window(id.c_str(), area);
      note(teach::kOnlyOfBytes);
      ImGui::End();
      continue;
    }
    if (one.steps) {
      const auto pointed_at = one.steps->show(id.c_str(), area, subject.explained, neighbour);
      if (pointed_at) square = pointed_at;
    }
    if (one.unfold) {
      one.unfold->show(id.c_str(), area, subject.config, subject.colouring, subject.explained);
    }
    if (one.timeline) one.timeline->show(id.c_str(), area, {subject.config, subject.backend_name});
    if (one.lens) one.lens->show(id.c_str(), area, subject.explained);
  }
  return square;
}

bool PanesBeside::shows_threads_or_memory() const {
  return std::any_of(panes_.begin(), panes_.end(), [](const One& one) { return one.space != nullptr; });
}

bool PanesBeside::wants_timeline() const {
  return std::any_of(panes_.begin(), panes_.end(),
                     [](const One& one) { return one.timeline && one.timeline->wants(); });
}

void PanesBeside::take_timeline(const TimelinePane::Subject& subject, const LifeDone& done) {
  const auto timeline = done.timeline ? std::make_shared<const Timeline>(*done.timeline) : nullptr;
  for (One& one : panes_) {
    if (one.timeline) one.timeline->take(subject, timeline, done.no_timeline);
  }
}

std::shared_ptr<const teach::BlockWorkers> PanesBeside::workers(const TimelinePane::Subject& now) const {
  for (const One& one : panes_) {
    if (one.timeline && one.timeline->workers(now)) return one.timeline->workers(now);
  }
  return nullptr;
}

// Of a backend that the shell's devices are not about there is one.
const std::vector<int>& PanesBeside::devices_of(const BackendSelection& first) const {
  const bool shells = services_.backend.kind == first.kind && services_.backend.device == first.device;
  return shells ? services_.devices : no_others_;
}

bool PanesBeside::moves() const {
  return std::ranges::any_of(panes_, [](const One& one) { return one.unfold && one.unfold->moves(); });
}

bool PanesBeside::busy() const {
  return std::any_of(panes_.begin(), panes_.end(),
                     [](const One& one) { return one.pane && one.pane->host.busy(); });
}

void PanesBeside::follow(const EngineHost& scene, FrameClock& clock) {
  const FractalConfig& now = scene.config();
  for (One& one : panes_) {
    if (one.wish.shows != PaneShows::kCells || (one.pane && one.pane->host.busy())) continue;
    // Another wish has put it out of step; what is left to ask is whether the scene moved.
    if (one.in_step && one.pane->host.generation() == scene.generation() &&
        one.tried->fractal == now.fractal && one.tried->level == now.level &&
        (one.backend || is_shared_out(one.pane->host.backend(), scene.backend(), devices_of(scene.backend()),
                                      one.wish.devices))) {
      continue;
    }
    if (!one.problem.empty() && one.tried->fractal == now.fractal && one.tried->level == now.level) continue;
    if (busy()) return;  // who is being built reads the scene's engine, which serves one at a time
    build(one, scene, clock);
  }
}

void PanesBeside::build(One& one, const EngineHost& scene, FrameClock& clock) {
  const FractalConfig config = config_of(one.wish, scene.config());
  one.tried = config;
  one.problem.clear();
  one.in_step = false;
  one.agreement = {};
  one.census.reset();
  clock.leave_out();  // the frame that builds an engine says nothing about the engine
  try {
    if (one.wish.backend && !one.backend) {
      one.backend = select_backend(*one.wish.backend, services_.backend.device);
    }
    const BackendSelection& first = one.backend ? *one.backend : scene.backend();
    const bool own = one.backend && !devices_of(first).empty();
    const std::vector<int> devices =
        one.backend && !own ? devices_from(first, services_.cuda, {}) : devices_of(first);
    if (one.wish.devices > std::max<std::size_t>(1, devices.size())) {
      throw InputError(fmt::format("this pane needs {}, but there is one",
                                   devices_in_words(one.wish.devices, first.kind)));
    }
    const BackendSelection backend = shared_out(first, devices, one.wish.devices);
    if (!one.pane) {
      one.pane = std::make_unique<Pane>(single_cell(config), first_device(backend), RandomStart{},
                                        services_.context);
    }
    check_fits(config, backend);
    if (auto done = one.pane->host.copy(config, backend, scene.engine())) take(one, std::move(*done), clock);
  } catch (const DeviceFault&) {
    throw;
  } catch (const InputError& error) {
    one.problem = error.what();
  } catch (const MachineError& error) {
    one.problem = error.what();
  } catch (const std::bad_alloc&) {
    one.problem = "out of memory for this pane";
  }
}

void PanesBeside::begin(const LifeJob& scene, EngineHost::Turn turn, FrameClock& clock) {
  for (const bool on_device : {true, false}) {
    for (One& one : panes_) {
      if (!one.in_step || one.pane->host.busy()) continue;
      EngineHost& host = one.pane->host;
      if ((host.backend().kind == BackendKind::kCuda) != on_device) continue;
      begin(one, scene, turn);
      if (on_device) turn.after = &host;
      // What is done here is done: its time is this frame's.
      if (!on_device) {
        if (auto done = host.finish({})) take(one, std::move(*done), clock);
      }
    }
  }
}

void PanesBeside::begin(One& one, const LifeJob& scene, const EngineHost::Turn& turn) {
  Pane& pane = *one.pane;
  LifeJob& job = one.job;
  job.reset();
  job.restart = scene.restart;
  job.clear = scene.clear;
  job.cells = scene.cells;
  job.generations = scene.generations;
  job.work = scene.work;
  const bool changes = job.generations > 0 || job.restart || job.clear || !job.cells.empty();
  if (changes) pane.set_stale();
  if ((pane.stale() || pane.view_changed()) && !pane.has_image()) pane.ask_for_picture(job);
  job.count_cells = scene.count_cells || (!changes && !one.census);
  job.count_threads = !pane.threads && pane.pictured();
  job.record_devices = pane.wants_devices();
  if (job.empty()) return;
  if (changes) {
    one.census.reset();
    one.compared = false;
  }
  pane.begin(job, turn);
}

void PanesBeside::drop_images() {
  for (One& one : panes_) {
    if (one.pane) one.pane->drop_image();
  }
}

void PanesBeside::take(One& one, LifeDone done, FrameClock& clock) {
  Pane& pane = *one.pane;
  if (done.of_build) {
    // What was ended because something else is wished for is begun anew.
    const bool given_up = std::exchange(one.given_up, false);
    one.problem = !done.cancelled ? done.problem
                  : given_up      ? "cancelled. Choose another method or level to try again"
                                  : "";
    one.in_step = done.built;
    if (done.built) pane.engine_changed();
    return;
  }
  if (!done.problem.empty() || done.cancelled) one.in_step = false;
  pane.take(done, clock, false);
  if (done.devices) clock.leave_out();  // a frame that records says nothing about frames
  if (done.census) {
    one.census = done.census;
    one.compared = false;
  }
}

void PanesBeside::finish(std::chrono::duration<double, std::milli> most, FrameClock& clock) {
  for (One& one : panes_) {
    if (!one.pane) continue;
    if (auto done = one.pane->host.finish(most)) take(one, std::move(*done), clock);
  }
}

void PanesBeside::compare(const EngineHost& scene, const std::optional<CountedCensus>& counted) {
  for (One& one : panes_) {
    if (!one.in_step || one.pane->host.busy() || scene.busy()) continue;
    if (one.compared || !counted || !one.census || counted->generation != one.census->generation) continue;
    one.compared = true;
    const Census& a = counted->census;
    const Census& b = one.census->census;
    const bool equal = a.hash == b.hash && a.population == b.population;
    const bool both_there =
        scene.generation() == counted->generation && one.pane->host.generation() == counted->generation;
    one.agreement = {};
    if (!equal && both_there && scene.cell_count() <= kMostCompared) {
      one.agreement = look_at_each(scene.engine(), one.pane->host.engine());
    }
    one.agreement.known = true;
    one.agreement.equal = equal;
    one.agreement.scene = *counted;
  }
}

void PanesBeside::out_of_step() {
  for (One& one : panes_) one.in_step = false;
}

void PanesBeside::make_way() {
  for (One& one : panes_) {
    if (one.pane && one.pane->host.busy()) one.pane->host.cancel();
  }
}

void PanesBeside::cancel() {
  for (One& one : panes_) one.given_up = one.pane && one.pane->host.busy();
  make_way();
}

Progress PanesBeside::progress() const {
  for (const One& one : panes_) {
    if (one.pane && one.pane->host.busy()) return one.pane->host.progress();
  }
  return {};
}

}  // namespace loom::app
