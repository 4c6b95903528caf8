#include "app/life/scene/engine_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "compute/core/error.h"

namespace loom::app {
namespace {

/// Work that is expected to take longer is done beside the frames.
constexpr double kWithinFrameMs = 12;

// First guesses, before anything was measured: bytes a millisecond that a machine works through.
constexpr double kCpuBytes = 3e5;
constexpr double kCudaBytes = 3e7;
/// Cells a millisecond that are carried over from engine to engine through the host.
constexpr double kCarriedCells = 1e5;

double bytes_a_millisecond(const BackendSelection& backend) {
  return backend.kind == BackendKind::kCuda ? kCudaBytes : kCpuBytes;
}

double building_ms(const FractalConfig& config, const BackendSelection& backend) {
  const auto bytes = static_cast<double>(bytes_needed(config));
  const auto cells = static_cast<double>(config.fractal.cells(config.level));
  return bytes / bytes_a_millisecond(backend) + cells / kCarriedCells;
}

std::string building_text(const FractalConfig& config) {
  return fmt::format("building level {} of {}, {}", config.level, config.fractal.name(),
                     name_of(config.method.map));
}

}  // namespace

bool LifeJob::empty() const {
  return !restart && !clear && cells.empty() && generations == 0 && !resolve && !probe && !count_cells &&
         !count_threads;
}

void LifeJob::reset() {
  restart.reset();
  clear = false;
  cells.clear();
  generations = 0;
  resolve = false;
  probe.reset();
  count_cells = false;
  count_threads = false;
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
  engine_ = make_fractal_engine(single_cell(config), backend);
  learn();
  build(config, backend, start);
}

void EngineHost::learn() {
  config_ = engine_->config();
  backend_name_ = engine_->backend_name();
  generation_ = engine_->generation();
  cell_count_ = engine_->cell_count();
  bytes_held_ = engine_->bytes_held();
}

Progress EngineHost::progress() const {
  if (!busy()) return {};
  return {doing_, worker_.watch().share()};
}

std::optional<LifeDone> EngineHost::begin(std::string what, double expected_ms, Worker::Job job) {
  done_ = {};
  doing_ = std::move(what);
  beside_ = expected_ms > kWithinFrameMs;
  if (beside_) {
    done_.beside = true;
    worker_.start(std::move(job));
    return std::nullopt;
  }
  Watch unwatched;
  job(unwatched);
  return take();
}

std::optional<LifeDone> EngineHost::finish(std::chrono::duration<double, std::milli> most) {
  if (!worker_.busy() || !worker_.wait_for(most)) return std::nullopt;
  return take();
}

// Everything that the window may know of the engine at any time is learnt here, on the window's thread.
LifeDone EngineHost::take() {
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
                                          const RandomStart& start) {
  wanted_ = config;
  wanted_backend_ = backend;
  start_ = start;
  source_ = nullptr;
  if (config == config_ && backend.same_device(backend_)) {
    backend_ = backend;  // for its reason
    return LifeDone{.of_build = true};
  }
  return begin(building_text(config), building_ms(config, backend),
               [this](Watch& watch) { build_here(watch); });
}

std::optional<LifeDone> EngineHost::copy(const FractalConfig& config, const BackendSelection& backend,
                                         const FractalEngine& source) {
  wanted_ = config;
  wanted_backend_ = backend;
  source_ = &source;
  return begin(building_text(config), building_ms(config, backend),
               [this](Watch& watch) { build_here(watch); });
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
      next_->reset(start_);
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
    done_.problem = "out of memory while the cells were carried over";
  }
}

void EngineHost::put_cells(std::span<const std::uint8_t> cells, std::uint64_t generation) {
  engine_->write_cells(0, cells);
  engine_->set_generation(generation);
  generation_ = generation;
}

double EngineHost::expected_ms(const LifeJob& job) const {
  const double pass = static_cast<double>(bytes_held_) / bytes_a_millisecond(backend_);
  const auto or_pass = [&](double measured) { return measured > 0 ? measured : pass; };
  double expected = job.generations * or_pass(step_ms_);
  if (job.resolve) expected += or_pass(resolve_ms_);
  if (job.count_cells) expected += or_pass(census_ms_);
  if (job.count_threads) expected += or_pass(step_ms_);
  if (job.restart || job.clear) expected += pass;
  return expected;
}

std::optional<LifeDone> EngineHost::run(const LifeJob& job) {
  job_ = job;
  const char* const what = job.restart           ? "seeding"
                           : job.generations > 0 ? "computing"
                           : job.count_cells     ? "counting"
                                                 : "drawing";
  return begin(fmt::format("{} level {} of {}", what, config_.level, config_.fractal.name()),
               expected_ms(job), [this](Watch& watch) { run_here(watch); });
}

void EngineHost::run_here(Watch& watch) {
  engine_->set_watch(&watch);
  try {
    if (watch.cancelled()) throw Cancelled();  // before it began
    if (job_.restart) engine_->reset(*job_.restart);
    if (job_.clear) engine_->clear();
    const FrameWish wish{.edits = job_.cells,
                         .generations = job_.generations,
                         .work = job_.work,
                         .viewport = job_.resolve ? &job_.viewport : nullptr,
                         .space = job_.space,
                         .probe = job_.probe};
    done_.frame = engine_->frame(wish);
    done_.resolved = job_.resolve && !done_.frame.cancelled;
    if (job_.count_cells && !done_.frame.cancelled) {
      const auto begin = std::chrono::steady_clock::now();
      done_.census = CountedCensus{engine_->census(), engine_->generation()};
      done_.census_ms =
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    }
    if (job_.count_threads && !done_.frame.cancelled) done_.threads = engine_->count_threads();
    done_.cancelled = done_.frame.cancelled;
  } catch (const Cancelled&) {
    done_.cancelled = true;
  } catch (const DeviceFault&) {
    engine_->set_watch(nullptr);
    throw;
  } catch (const std::bad_alloc&) {
    done_.problem = "out of memory for this frame; the cells are as they were";
  }
  engine_->set_watch(nullptr);
}

}  // namespace loom::app
