#include "app/workspaces/life/scene/async_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "compute/core/error.h"
#include "compute/geometry/canonical_order.h"

namespace loom::app {
namespace {

/// Maximum number of recorded spans: as many as a window shows.
constexpr std::uint64_t kMaxSpans = 1 << 14;
/// Approximate cost of a recording, in steps.
constexpr double kRecordedSteps = 5;

/// Work that is expected to take longer runs in the background.
constexpr double kWithinFrameMs = 12;

// Estimates before the first measurement: bytes that a machine processes per millisecond.
constexpr double kCpuBytes = 3e5;
constexpr double kCudaBytes = 3e7;
/// Minimum duration of a generation, however few its cells are.
constexpr double kMinStepMs = 1e-3;
/// Cells per millisecond that are transferred between engines through the host.
constexpr double kCarriedCells = 1e5;
/// Milliseconds to read one cell's state. For fewer than kAskedOneByOne cells, copying all cells never pays
/// off.
constexpr double kAskedMs = 2e-4;
constexpr double kAskedOfDeviceMs = 1e-2;
constexpr std::size_t kAskedOneByOne = 1000;

double bytes_a_millisecond(const BackendSelection& backend) {
  return backend.device.on_host ? kCpuBytes : kCudaBytes;
}

double building_ms(const FractalConfig& config, const BackendSelection& backend) {
  const auto bytes = static_cast<double>(bytes_needed(config));
  const auto cells = static_cast<double>(config.fractal.cells(config.level));
  return bytes / bytes_a_millisecond(backend) + cells / kCarriedCells;
}

}  // namespace

bool LifeFrameRequest::empty() const {
  return !restore && !restart && !clear && cells.empty() && generations == 0 && !resolve && !probe &&
         !count_cells && !count_threads && !record && !record_devices && !take_cells && !cells_to_query;
}

void LifeFrameRequest::reset() {
  restore.reset();
  take_cells = false;
  save_before = false;
  cells_to_query.reset();
  edit_label = nullptr;
  target_state.reset();
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

AsyncEngine::AsyncEngine(const FractalConfig& config, const BackendSelection& backend,
                         const RandomStart& start)
    : config_(config), backend_(backend), requested_config_(config) {
  validate(config);
  if (building_ms(config, backend) <= kWithinFrameMs * 10) {
    engine_ = make_fractal_engine(config, backend);
    engine_->reset(start);
    update_time_estimates();
    return;
  }
  check_fits(config, backend);
  backend_ = first_device(backend);
  engine_ = make_fractal_engine(single_cell(config), backend_);
  update_time_estimates();
  build(config, backend, start);
}

void AsyncEngine::update_time_estimates() {
  config_ = engine_->config();
  backend_name_is_fixed_ = engine_->is_compilation_done();
  backend_name_ = engine_->backend_name();
  generation_ = engine_->generation();
  cell_count_ = engine_->cell_count();
  bytes_held_ = engine_->allocated_bytes();
}

// Kernels may be compiled in the background, even while paused. Until that is done, the name says so.
const std::string& AsyncEngine::backend_name() const {
  if (!backend_name_is_fixed_ && engine_->is_compilation_done()) {
    backend_name_is_fixed_ = true;
    backend_name_ = engine_->backend_name();
  }
  return backend_name_;
}

Progress AsyncEngine::progress() const {
  if (!busy()) return {};
  const FractalConfig& config = building_ ? requested_config_ : config_;
  std::string what = fmt::format("{} level {} of {}", activity_, config.level, config.fractal.name());
  if (building_) what += fmt::format(", {}", name_of(config.method.map));
  return {std::move(what), worker_.watch().share()};
}

std::optional<LifeFrameResult> AsyncEngine::start_build() {
  done_ = {};
  activity_ = "building";
  building_ = true;
  in_background_ = building_ms(requested_config_, requested_backend_) > kWithinFrameMs;
  if (in_background_) {
    done_.in_background = true;
    work_state_ = WorkState::kOnWorker;
    worker_.start([this](ProgressMonitor& watch) { build_engine(watch); });
    return std::nullopt;
  }
  ProgressMonitor unwatched;
  build_engine(unwatched);
  return take();
}

std::optional<LifeFrameResult> AsyncEngine::finish(std::chrono::duration<double, std::milli> most) {
  if (work_state_ == WorkState::kNothing || (work_state_ == WorkState::kOnWorker && !worker_.wait_for(most)))
    return std::nullopt;
  wait_for_device();
  return take();
}

void AsyncEngine::wait_for_device() {
  if (work_state_ != WorkState::kOnDevice) return;
  work_state_ = WorkState::kFinished;
  run_guarded([this] { end_frame(); });
  generation_ = engine_->generation();
}

// All properties that the window may read at any time are updated here, on the window thread.
LifeFrameResult AsyncEngine::take() {
  work_state_ = WorkState::kNothing;
  building_ = false;
  if (done_.built) {
    engine_ = std::move(next_);
    backend_ = requested_backend_;
    step_ms_ = resolve_ms_ = census_ms_ = 0;
    update_time_estimates();
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

std::optional<LifeFrameResult> AsyncEngine::build(const FractalConfig& config,
                                                  const BackendSelection& backend, const RandomStart& start,
                                                  bool save_before) {
  save_before_ = save_before;
  requested_config_ = config;
  requested_backend_ = backend;
  start_ = start;
  source_ = nullptr;
  if (config == config_ && backend.same_device(backend_)) {
    backend_ = backend;  // the reason may differ
    return LifeFrameResult{.from_build = true};
  }
  return start_build();
}

std::optional<LifeFrameResult> AsyncEngine::copy(const FractalConfig& config, const BackendSelection& backend,
                                                 const FractalEngine& source) {
  save_before_ = false;
  requested_config_ = config;
  requested_backend_ = backend;
  source_ = &source;
  return start_build();
}

// The old engine is destroyed after the new one is complete, so that a failure loses nothing. Both are
// allocated for that moment; if memory is too small for both, the message states the free bytes.
void AsyncEngine::build_engine(ProgressMonitor& watch) {
  done_.from_build = true;
  try {
    const FractalConfig& old = engine_->config();
    done_.new_field = requested_config_.fractal != old.fractal || requested_config_.level != old.level;
    next_ = make_fractal_engine(requested_config_, requested_backend_, &watch);
    next_->set_monitor(&watch);
    if (source_ != nullptr) {
      transfer_cells(*source_, *next_, &watch);
    } else if (done_.new_field) {
      if (start_.density > 0) next_->reset(start_);  // a new engine has only dead cells
      done_.restart = start_;
      if (save_before_) {
        const ScopedMonitor watched(*engine_, &watch);
        done_.previous_cells = read_cells();
      }
    } else {
      transfer_cells(*engine_, *next_, &watch);
    }
    next_->set_monitor(nullptr);
    if (watch.cancelled()) throw OperationCancelled();
    done_.built = true;
    return;
  } catch (const DeviceFault&) {
    throw;  // the device cannot be used any more
  } catch (const OperationCancelled&) {
    done_.cancelled = true;
  } catch (const InputError& error) {
    done_.problem = error.what();
  } catch (const MachineError& error) {
    done_.problem = error.what();
  } catch (const std::bad_alloc&) {
    done_.problem = "out of memory while copying the cells";
  }
}

double AsyncEngine::expected_ms(const LifeFrameRequest& request) const {
  const double pass = static_cast<double>(bytes_held_) / bytes_a_millisecond(backend_);
  const auto or_pass = [&](double measured) { return measured > 0 ? measured : pass; };
  double expected = request.generations * or_pass(step_ms_);
  if (request.resolve) expected += or_pass(resolve_ms_);
  if (request.count_cells) expected += or_pass(census_ms_);
  if (request.count_threads) expected += or_pass(step_ms_);
  if (request.record || request.record_devices) expected += kRecordedSteps * or_pass(step_ms_);
  if (request.restart || request.clear) expected += pass;
  const double copied = static_cast<double>(cell_count_) / kCarriedCells;
  if (request.take_cells) expected += copied;
  const std::size_t asked =
      request.cells.size() + (request.cells_to_query ? request.cells_to_query->size() : 0);
  const double one_by_one =
      static_cast<double>(asked) * (backend_.device.on_host ? kAskedMs : kAskedOfDeviceMs);
  expected += asked < kAskedOneByOne ? one_by_one
                                     : std::min(one_by_one, copied + static_cast<double>(asked) * kAskedMs);
  if (request.restore) {
    expected += (request.restore->restores_on_cancel ? 2 * copied : pass) +
                static_cast<double>(request.restore->keep) * copied;
    const FieldCells& base = request.restore->base;
    const double recomputable = base.bits ? 0 : static_cast<double>(base.generation);
    expected += (static_cast<double>(request.restore->times()) + recomputable) *
                std::max(or_pass(step_ms_), kMinStepMs);
  }
  return expected;
}

// A failed recording does not fail the frame.
void AsyncEngine::record() {
  try {
    done_.timeline = engine_->record_timeline({.rule = request_.work.rule, .max_spans = kMaxSpans});
  } catch (const DeviceFault&) {
    throw;
  } catch (const InputError& error) {
    done_.timeline_problem = error.what();
  } catch (const MachineError& error) {
    done_.timeline_problem = error.what();
  }
}

void AsyncEngine::record_devices() {
  done_.devices.emplace();
  try {
    done_.devices->times = engine_->record_devices(request_.work.rule);
  } catch (const DeviceFault&) {
    throw;
  } catch (const InputError& error) {
    done_.devices->problem = error.what();
  } catch (const MachineError& error) {
    done_.devices->problem = error.what();
  }
}

void AsyncEngine::begin(const LifeFrameRequest& request, const BeginOptions& turn) {
  request_ = request;
  done_ = {};
  done_.target_state = request.target_state;
  done_.action = request.action;
  done_.work = request.work;
  done_.edit_label = request.edit_label;
  activity_ = request.restore           ? "restoring"
              : request.restart         ? "seeding"
              : request.generations > 0 ? "computing"
              : request.take_cells      ? "copying"
              : request.count_cells     ? "counting"
                                        : "drawing";
  in_background_ = expected_ms(request) > kWithinFrameMs;
  if (in_background_) {
    done_.in_background = true;
    work_state_ = WorkState::kOnWorker;
    worker_.start([this](ProgressMonitor& watch) { run_request(watch); });
    return;
  }
  done_.is_pipelined = turn.is_pipelined;
  work_state_ = WorkState::kFinished;
  run_guarded([&] {
    const bool takes_turns = turn.after != nullptr && turn.after->work_state_ == WorkState::kOnDevice;
    begin_frame(takes_turns ? turn.after->engine_.get() : nullptr, nullptr);
    work_state_ = WorkState::kOnDevice;
  });
  if (!backend_.device.works_ahead) wait_for_device();  // complete on the CPU
}

// Errors that concern only this request become its `problem`; device faults are rethrown.
template <typename Part>
void AsyncEngine::run_guarded(const Part& part) {
  try {
    part();
  } catch (const OperationCancelled&) {
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

void AsyncEngine::run_request(ProgressMonitor& watch) {
  const ScopedMonitor watched(*engine_, &watch);
  run_guarded([&] {
    if (watch.cancelled()) throw OperationCancelled();  // cancelled before it started
    begin_frame(nullptr, &watch);
    end_frame();
  });
}

// Partly recomputed cells are useless: after a cancellation or an error, the previous cells are restored, or
// the cells of `base` are written again.
void AsyncEngine::restore(ProgressMonitor* watch) {
  const StateRestore& way = *request_.restore;
  CellBits before;
  const std::uint64_t generation = engine_->generation();
  if (way.restores_on_cancel) before = read_cell_bits(*engine_);
  try {
    apply_restore(way, watch);
  } catch (const DeviceFault&) {
    throw;
  } catch (...) {
    engine_->set_monitor(nullptr);
    if (way.restores_on_cancel) {
      engine_->write_bits(before.bytes);
      engine_->set_generation(generation);
    } else {
      const bool recomputable = !way.base.bits;
      write_cells(*engine_, {.generation = recomputable ? 0 : way.base.generation,
                             .bits = way.base.bits,
                             .start = way.base.start});
      if (recomputable) done_.restart = way.base.start;
    }
    throw;
  }
  done_.restore = request_.restore;
}

void AsyncEngine::apply_restore(const StateRestore& way, ProgressMonitor* watch) {
  constexpr std::uint64_t kAtOnce = 1 << 10;
  write_cells(*engine_, way.base, watch);
  std::uint64_t left = way.times();
  for (const StateRestore::Part& part : way.parts) {
    engine_->edit(part.edits);
    for (std::uint64_t done = 0; done < part.times;) {
      // One generation per call where the cells are stored after each generation but the last.
      const bool one = left <= way.keep + 1;
      const std::uint64_t rest = std::min({part.times - done, kAtOnce, one ? 1 : left - way.keep - 1});
      const StepReport report = engine_->run(static_cast<std::uint32_t>(rest), part.work);
      if (report.generations < rest || (watch != nullptr && watch->cancelled())) throw OperationCancelled();
      done += rest;
      left -= rest;
      if (way.keep == 0 || left == 0 || left > way.keep) continue;
      done_.snapshots.push_back({part.first + done - 1, engine_->generation(), read_cells()});
    }
  }
}

// Reading single cells from a device is slow: for many cells, all cells are copied at once. Results: 0 dead,
// 1 alive, 2 not a cell.
std::vector<std::uint8_t> AsyncEngine::states_of(std::span<const Coord64> cells) {
  std::vector<std::uint8_t> states;
  states.reserve(cells.size());
  if (backend_.device.on_host || cells.size() < kAskedOneByOne) {
    for (const Coord64& cell : cells) {
      const auto alive = engine_->cell(cell);
      states.push_back(!alive ? 2 : *alive ? 1 : 0);
    }
    return states;
  }
  const auto bits = read_cells();
  const TiledFractal field = make_tiled_fractal(config_.fractal, config_.level, 1);
  const CanonicalOrder<std::uint64_t> order(field);
  for (const Coord64& cell : cells) {
    const bool inside = cell.x < field.width && cell.y < field.height;
    const auto index = inside ? order.index(cell) : CanonicalOrder<std::uint64_t>::Index{};
    states.push_back(!index.present ? 2 : bits->alive(index.value) ? 1 : 0);
  }
  return states;
}

// Edits outside the fractal are dropped. If no edit changes a state, there is nothing to undo.
void AsyncEngine::run_query() {
  std::vector<Coord64> cells;
  cells.reserve(request_.cells.size());
  for (const CellEdit& edit : request_.cells) cells.push_back(edit.cell);
  const std::vector<std::uint8_t> states = states_of(cells);
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i] == 2) continue;
    done_.edits.push_back(request_.cells[i]);
    done_.before.push_back({cells[i], states[i] == 1});
  }
  const auto same = [](const CellEdit& a, const CellEdit& b) { return a.alive == b.alive; };
  if (std::ranges::equal(done_.edits, done_.before, same)) {
    done_.edits.clear();
    done_.before.clear();
  }
}

void AsyncEngine::begin_frame(const FractalEngine* after, ProgressMonitor* watch) {
  if (request_.cells_to_query) {
    auto states = states_of(*request_.cells_to_query);
    std::ranges::replace(states, std::uint8_t{2}, std::uint8_t{0});
    done_.queried_cells = std::make_shared<const std::vector<std::uint8_t>>(std::move(states));
  }
  if (request_.save_before && (request_.restore || request_.restart || request_.clear))
    done_.previous_cells = read_cells();
  if (request_.restore) restore(watch);
  if (request_.restart) engine_->reset(*request_.restart);
  done_.restart = request_.restart;
  if (request_.clear) engine_->clear();
  done_.clear = request_.clear;
  if (!request_.cells.empty()) run_query();
  try {
    begin_work(after);
  } catch (...) {  // no work has begun, and no edit was applied
    done_.edits.clear();
    done_.before.clear();
    throw;
  }
}

void AsyncEngine::begin_work(const FractalEngine* after) {
  engine_->begin_frame({.edits = request_.cells,
                        .generations = request_.generations,
                        .work = request_.work,
                        .viewport = request_.resolve ? &request_.viewport : nullptr,
                        .space = request_.space,
                        .probe = request_.probe,
                        .after = after});
}

void AsyncEngine::end_frame() {
  done_.frame = engine_->end_frame();
  done_.cancelled = done_.frame.cancelled;
  if (done_.cancelled) return;
  done_.worked = true;
  done_.resolved = request_.resolve;
  if (request_.count_cells) {
    const auto begin = std::chrono::steady_clock::now();
    done_.census = CountedCensus{engine_->census(), engine_->generation()};
    done_.census_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }
  if (request_.count_threads) done_.threads = engine_->count_threads();
  if (request_.record) record();
  if (request_.record_devices) record_devices();
  if (request_.take_cells) done_.cells = read_cells();
}

std::shared_ptr<const CellBits> AsyncEngine::read_cells() const {
  return std::make_shared<CellBits>(read_cell_bits(*engine_));
}

}  // namespace loom::app
