#include "app/life/scene/engine_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "compute/core/error.h"
#include "compute/geometry/canonical_order.h"

namespace loom::app {
namespace {

/// Spans of a timeline that are kept: as many as a window shows.
constexpr std::uint64_t kMostSpans = 1 << 14;
/// A recording takes about so many steps.
constexpr double kRecordedSteps = 5;

/// Work that is expected to take longer is done beside the frames.
constexpr double kWithinFrameMs = 12;

// First guesses, before anything was measured: bytes a millisecond that a machine works through.
constexpr double kCpuBytes = 3e5;
constexpr double kCudaBytes = 3e7;
/// A generation takes as long however few its cells are.
constexpr double kLeastStepMs = 1e-3;
/// Cells a millisecond that are carried over from engine to engine through the host.
constexpr double kCarriedCells = 1e5;
/// Milliseconds in which a cell's state is asked for; fewer than kAskedOneByOne are never worth copying all.
constexpr double kAskedMs = 2e-4;
constexpr double kAskedOfDeviceMs = 1e-2;
constexpr std::size_t kAskedOneByOne = 1000;

double bytes_a_millisecond(const BackendSelection& backend) {
  return backend.kind == BackendKind::kCuda ? kCudaBytes : kCpuBytes;
}

double building_ms(const FractalConfig& config, const BackendSelection& backend) {
  const auto bytes = static_cast<double>(bytes_needed(config));
  const auto cells = static_cast<double>(config.fractal.cells(config.level));
  return bytes / bytes_a_millisecond(backend) + cells / kCarriedCells;
}

}  // namespace

bool LifeJob::empty() const {
  return !replay && !restart && !clear && cells.empty() && generations == 0 && !resolve && !probe &&
         !count_cells && !count_threads && !record && !record_devices && !take_cells && !look;
}

void LifeJob::reset() {
  replay.reset();
  take_cells = false;
  keep_before = false;
  look.reset();
  cells_are = nullptr;
  goes_to.reset();
  restart.reset();
  clear = false;
  cells.clear();
  generations = 0;
  resolve = false;
  probe.reset();
  count_cells = false;
  count_threads = false;
  record = false;
  record_devices = false;
}

FractalConfig single_cell(FractalConfig config) {
  config.level = 0;
  config.block = 1;
  config.method = {.map = config.method.map};
  return config;
}

EngineHost::EngineHost(const FractalConfig& config, const BackendSelection& backend, const RandomStart& start)
    : config_(config), backend_(backend), wanted_(config) {
  validate(config);
  if (building_ms(config, backend) <= kWithinFrameMs * 10) {
    engine_ = make_fractal_engine(config, backend);
    engine_->reset(start);
    learn();
    return;
  }
  check_fits(config, backend);
  backend_ = first_device(backend);
  engine_ = make_fractal_engine(single_cell(config), backend_);
  learn();
  build(config, backend, start);
}

void EngineHost::learn() {
  config_ = engine_->config();
  name_stays_ = engine_->is_fast();
  backend_name_ = engine_->backend_name();
  generation_ = engine_->generation();
  cell_count_ = engine_->cell_count();
  bytes_held_ = engine_->bytes_held();
}

// Kernels may be compiled beside the frames, paused or not; till then the name says so.
const std::string& EngineHost::backend_name() const {
  if (!name_stays_ && engine_->is_fast()) {
    name_stays_ = true;
    backend_name_ = engine_->backend_name();
  }
  return backend_name_;
}

Progress EngineHost::progress() const {
  if (!busy()) return {};
  const FractalConfig& config = under_build_ ? wanted_ : config_;
  std::string what = fmt::format("{} level {} of {}", doing_, config.level, config.fractal.name());
  if (under_build_) what += fmt::format(", {}", name_of(config.method.map));
  return {std::move(what), worker_.watch().share()};
}

std::optional<LifeDone> EngineHost::start_build() {
  done_ = {};
  doing_ = "building";
  under_build_ = true;
  beside_ = building_ms(wanted_, wanted_backend_) > kWithinFrameMs;
  if (beside_) {
    done_.beside = true;
    under_ = Under::kWorker;
    worker_.start([this](Watch& watch) { build_here(watch); });
    return std::nullopt;
  }
  Watch unwatched;
  build_here(unwatched);
  return take();
}

std::optional<LifeDone> EngineHost::finish(std::chrono::duration<double, std::milli> most) {
  if (under_ == Under::kNothing || (under_ == Under::kWorker && !worker_.wait_for(most))) return std::nullopt;
  end_here();
  return take();
}

void EngineHost::end_here() {
  if (under_ != Under::kDevice) return;
  under_ = Under::kDone;
  guarded([this] { end_frame(); });
  generation_ = engine_->generation();
}

// Everything that the window may know of the engine at any time is learnt here, on the window's thread.
LifeDone EngineHost::take() {
  under_ = Under::kNothing;
  under_build_ = false;
  if (done_.built) {
    engine_ = std::move(next_);
    backend_ = wanted_backend_;
    step_ms_ = resolve_ms_ = census_ms_ = 0;
    learn();
  } else {
    next_.reset();
    generation_ = engine_->generation();
    const StepReport& step = done_.frame.step;
    if (step.generations > 0) step_ms_ = step.milliseconds / static_cast<double>(step.generations);
    if (done_.resolved) resolve_ms_ = done_.frame.resolve.milliseconds;
    if (done_.census) census_ms_ = done_.census_ms;
  }
  return std::move(done_);
}

std::optional<LifeDone> EngineHost::build(const FractalConfig& config, const BackendSelection& backend,
                                          const RandomStart& start, bool keep_before) {
  keep_before_ = keep_before;
  wanted_ = config;
  wanted_backend_ = backend;
  start_ = start;
  source_ = nullptr;
  if (config == config_ && backend.same_device(backend_)) {
    backend_ = backend;  // for its reason
    return LifeDone{.of_build = true};
  }
  return start_build();
}

std::optional<LifeDone> EngineHost::copy(const FractalConfig& config, const BackendSelection& backend,
                                         const FractalEngine& source) {
  keep_before_ = false;
  wanted_ = config;
  wanted_backend_ = backend;
  source_ = &source;
  return start_build();
}

// The new engine is complete before the old one goes, so that a failure half-way loses nothing. Both are held
// for that moment; where memory is too short for two, the message says so with the free bytes.
void EngineHost::build_here(Watch& watch) {
  done_.of_build = true;
  try {
    const FractalConfig& old = engine_->config();
    done_.new_field = wanted_.fractal != old.fractal || wanted_.level != old.level;
    next_ = make_fractal_engine(wanted_, wanted_backend_, &watch);
    next_->set_watch(&watch);
    if (source_ != nullptr) {
      carry_over(*source_, *next_, &watch);
    } else if (done_.new_field) {
      if (start_.density > 0) next_->reset(start_);  // all are dead as it is built
      done_.restart = start_;
      if (keep_before_) {
        const WatchedEngine watched(*engine_, &watch);
        done_.cells_before = read_cells();
      }
    } else {
      carry_over(*engine_, *next_, &watch);
    }
    next_->set_watch(nullptr);
    if (watch.cancelled()) throw Cancelled();
    done_.built = true;
    return;
  } catch (const DeviceFault&) {
    throw;  // nothing of the device is left to go on with
  } catch (const Cancelled&) {
    done_.cancelled = true;
  } catch (const InputError& error) {
    done_.problem = error.what();
  } catch (const MachineError& error) {
    done_.problem = error.what();
  } catch (const std::bad_alloc&) {
    done_.problem = "out of memory while copying the cells";
  }
}

double EngineHost::expected_ms(const LifeJob& job) const {
  const double pass = static_cast<double>(bytes_held_) / bytes_a_millisecond(backend_);
  const auto or_pass = [&](double measured) { return measured > 0 ? measured : pass; };
  double expected = job.generations * or_pass(step_ms_);
  if (job.resolve) expected += or_pass(resolve_ms_);
  if (job.count_cells) expected += or_pass(census_ms_);
  if (job.count_threads) expected += or_pass(step_ms_);
  if (job.record || job.record_devices) expected += kRecordedSteps * or_pass(step_ms_);
  if (job.restart || job.clear) expected += pass;
  const double copied = static_cast<double>(cell_count_) / kCarriedCells;
  if (job.take_cells) expected += copied;
  const std::size_t asked = job.cells.size() + (job.look ? job.look->size() : 0);
  const double one_by_one =
      static_cast<double>(asked) * (backend_.kind == BackendKind::kCpu ? kAskedMs : kAskedOfDeviceMs);
  expected += asked < kAskedOneByOne ? one_by_one
                                     : std::min(one_by_one, copied + static_cast<double>(asked) * kAskedMs);
  if (job.replay) {
    expected += (job.replay->comes_back ? 2 * copied : pass) + static_cast<double>(job.replay->keep) * copied;
    const FieldCells& base = job.replay->base;
    const double grown = base.bits ? 0 : static_cast<double>(base.generation);
    expected +=
        (static_cast<double>(job.replay->times()) + grown) * std::max(or_pass(step_ms_), kLeastStepMs);
  }
  return expected;
}

// What cannot be recorded is no reason for the frame to fail.
void EngineHost::record() {
  try {
    done_.timeline = engine_->record_timeline({.rule = job_.work.rule, .most_spans = kMostSpans});
  } catch (const DeviceFault&) {
    throw;
  } catch (const InputError& error) {
    done_.no_timeline = error.what();
  } catch (const MachineError& error) {
    done_.no_timeline = error.what();
  }
}

void EngineHost::record_devices() {
  done_.devices.emplace();
  try {
    done_.devices->times = engine_->record_devices(job_.work.rule);
  } catch (const DeviceFault&) {
    throw;
  } catch (const InputError& error) {
    done_.devices->problem = error.what();
  } catch (const MachineError& error) {
    done_.devices->problem = error.what();
  }
}

void EngineHost::begin(const LifeJob& job, const Turn& turn) {
  job_ = job;
  done_ = {};
  done_.goes_to = job.goes_to;
  done_.action = job.action;
  done_.work = job.work;
  done_.cells_are = job.cells_are;
  doing_ = job.replay            ? "restoring"
           : job.restart         ? "seeding"
           : job.generations > 0 ? "computing"
           : job.take_cells      ? "copying"
           : job.count_cells     ? "counting"
                                 : "drawing";
  beside_ = expected_ms(job) > kWithinFrameMs;
  if (beside_) {
    done_.beside = true;
    under_ = Under::kWorker;
    worker_.start([this](Watch& watch) { run_here(watch); });
    return;
  }
  done_.ahead = turn.ahead;
  under_ = Under::kDone;
  guarded([&] {
    const bool takes_turns = turn.after != nullptr && turn.after->under_ == Under::kDevice;
    begin_frame(takes_turns ? turn.after->engine_.get() : nullptr, nullptr);
    under_ = Under::kDevice;
  });
  if (backend_.kind == BackendKind::kCpu) end_here();  // it is done
}

// What cannot be done is no reason for the program to end, but for the work.
template <typename Part>
void EngineHost::guarded(const Part& part) {
  try {
    part();
  } catch (const Cancelled&) {
    done_.cancelled = true;
  } catch (const DeviceFault&) {
    throw;
  } catch (const CapacityError& error) {
    done_.problem = error.what();
  } catch (const std::bad_alloc&) {
    done_.problem = "out of memory for this frame";
  }
  if (done_.problem.empty()) return;
  done_.problem += fmt::format("; the cells are intact, at generation {}", engine_->generation());
}

void EngineHost::run_here(Watch& watch) {
  const WatchedEngine watched(*engine_, &watch);
  guarded([&] {
    if (watch.cancelled()) throw Cancelled();  // before it began
    begin_frame(nullptr, &watch);
    end_frame();
  });
}

// Cells that were made anew in part are of no use to anybody: where it ends early those of before come back,
// or those that it began with.
void EngineHost::replay(Watch* watch) {
  const Replay& way = *job_.replay;
  CellBits before;
  const std::uint64_t generation = engine_->generation();
  if (way.comes_back) before = bits_of(*engine_);
  try {
    redo(way, watch);
  } catch (const DeviceFault&) {
    throw;
  } catch (...) {
    engine_->set_watch(nullptr);
    if (way.comes_back) {
      engine_->write_bits(before.bytes);
      engine_->set_generation(generation);
    } else {
      const bool grown = !way.base.bits;
      put_into(
          *engine_,
          {.generation = grown ? 0 : way.base.generation, .bits = way.base.bits, .start = way.base.start});
      if (grown) done_.restart = way.base.start;
    }
    throw;
  }
  done_.replay = job_.replay;
}

void EngineHost::redo(const Replay& way, Watch* watch) {
  constexpr std::uint64_t kAtOnce = 1 << 10;
  put_into(*engine_, way.base, watch);
  std::uint64_t left = way.times();
  for (const Replay::Part& part : way.parts) {
    engine_->edit(part.edits);
    for (std::uint64_t done = 0; done < part.times;) {
      // One by one where the cells are kept after each but the last.
      const bool one = left <= way.keep + 1;
      const std::uint64_t rest = std::min({part.times - done, kAtOnce, one ? 1 : left - way.keep - 1});
      const StepReport report = engine_->run(static_cast<std::uint32_t>(rest), part.work);
      if (report.generations < rest || (watch != nullptr && watch->cancelled())) throw Cancelled();
      done += rest;
      left -= rest;
      if (way.keep == 0 || left == 0 || left > way.keep) continue;
      done_.kept.push_back({part.first + done - 1, engine_->generation(), read_cells()});
    }
  }
}

// A device answers for single cells slowly: for many all of them are copied at once. 2: no cell.
std::vector<std::uint8_t> EngineHost::states_of(std::span<const Coord64> cells) {
  std::vector<std::uint8_t> states;
  states.reserve(cells.size());
  if (backend_.kind == BackendKind::kCpu || cells.size() < kAskedOneByOne) {
    for (const Coord64& cell : cells) {
      const auto alive = engine_->cell(cell);
      states.push_back(!alive ? 2 : *alive ? 1 : 0);
    }
    return states;
  }
  const auto bits = read_cells();
  const BlockedFractal field = make_blocked(config_.fractal, config_.level, 1);
  const CanonicalOrder<std::uint64_t> order(field);
  for (const Coord64& cell : cells) {
    const bool inside = cell.x < field.width && cell.y < field.height;
    const auto index = inside ? order.index(cell) : CanonicalOrder<std::uint64_t>::Index{};
    states.push_back(!index.present ? 2 : bits->alive(index.value) ? 1 : 0);
  }
  return states;
}

// Edits of what is no cell, or what is so already, change nothing.
void EngineHost::look_before() {
  std::vector<Coord64> cells;
  cells.reserve(job_.cells.size());
  for (const CellEdit& edit : job_.cells) cells.push_back(edit.cell);
  const std::vector<std::uint8_t> states = states_of(cells);
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i] == 2) continue;
    done_.edits.push_back(job_.cells[i]);
    done_.before.push_back({cells[i], states[i] == 1});
  }
  const auto same = [](const CellEdit& a, const CellEdit& b) { return a.alive == b.alive; };
  if (std::ranges::equal(done_.edits, done_.before, same)) {
    done_.edits.clear();
    done_.before.clear();
  }
}

void EngineHost::begin_frame(const FractalEngine* after, Watch* watch) {
  if (job_.look) {
    auto states = states_of(*job_.look);
    std::ranges::replace(states, std::uint8_t{2}, std::uint8_t{0});
    done_.looked = std::make_shared<const std::vector<std::uint8_t>>(std::move(states));
  }
  if (job_.keep_before && (job_.replay || job_.restart || job_.clear)) done_.cells_before = read_cells();
  if (job_.replay) replay(watch);
  if (job_.restart) engine_->reset(*job_.restart);
  done_.restart = job_.restart;
  if (job_.clear) engine_->clear();
  done_.clear = job_.clear;
  if (!job_.cells.empty()) look_before();
  try {
    begin_work(after);
  } catch (...) {  // nothing has begun, no edit either
    done_.edits.clear();
    done_.before.clear();
    throw;
  }
}

void EngineHost::begin_work(const FractalEngine* after) {
  engine_->begin_frame({.edits = job_.cells,
                        .generations = job_.generations,
                        .work = job_.work,
                        .viewport = job_.resolve ? &job_.viewport : nullptr,
                        .space = job_.space,
                        .probe = job_.probe,
                        .after = after});
}

void EngineHost::end_frame() {
  done_.frame = engine_->end_frame();
  done_.cancelled = done_.frame.cancelled;
  if (done_.cancelled) return;
  done_.worked = true;
  done_.resolved = job_.resolve;
  if (job_.count_cells) {
    const auto begin = std::chrono::steady_clock::now();
    done_.census = CountedCensus{engine_->census(), engine_->generation()};
    done_.census_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }
  if (job_.count_threads) done_.threads = engine_->count_threads();
  if (job_.record) record();
  if (job_.record_devices) record_devices();
  if (job_.take_cells) done_.cells = read_cells();
}

std::shared_ptr<const CellBits> EngineHost::read_cells() const {
  return std::make_shared<CellBits>(bits_of(*engine_));
}

}  // namespace loom::app
