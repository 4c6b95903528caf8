#include "app/workspaces/life/scene/life_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compute/core/error.h"
#include "compute/core/stopwatch.h"
#include "compute/geometry/canonical_order.h"

namespace loom::app {
namespace {

/// Maximum number of recorded spans: as many as a window shows.
constexpr std::uint64_t kMaxSpans = 1 << 14;
/// Approximate cost of a recording, in steps.
constexpr double kRecordedSteps = 5;
/// A first engine that takes longer to build is built in the background.
constexpr double kFirstBuildMs = 10 * kWithinFrameMs;

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

// A frame fails only for lack of memory, or because the engine has failed and must be discarded.
template <typename Part>
void run_frame(const Part& part) {
  try {
    part();
  } catch (const DeviceFault&) {
    throw;
  } catch (const CapacityError&) {
    throw;
  } catch (const MachineError& error) {
    throw DeviceFault(error.what());
  }
}

constexpr std::uint8_t kNotACell = LifeRule::kMaxStates;

// A failed recording does not fail the frame. Returns why it failed.
template <typename Part>
std::string run_recording(const Part& part) {
  try {
    part();
    return {};
  } catch (const DeviceFault&) {
    throw;
  } catch (const InputError& error) {
    return error.what();
  } catch (const MachineError& error) {
    return error.what();
  }
}

}  // namespace

bool LifeFrameRequest::empty() const {
  return !build && !changes() && !resolve && !probe && !count_cells && !count_threads && !record &&
         !record_devices && !take_cells && !cells_to_query;
}

void LifeFrameRequest::reset() {
  edits.clear();
  *this = {.edits = std::move(edits), .work = work, .viewport = std::move(viewport)};
}

FractalConfig single_cell(FractalConfig config) {
  config.level = 0;
  config.tile_size = 1;
  config.method = {.map = config.method.map};
  return config;
}

LifeEngine::LifeEngine(const FractalConfig& config, const BackendSelection& backend, const RandomStart& start,
                       ProgressMonitor* monitor)
    : backend_(backend),
      engine_(make_fractal_engine(config, backend, monitor)),
      backend_name_(engine_->backend_name()),
      backend_name_is_fixed_(engine_->is_compilation_done()),
      cell_count_(engine_->cell_count()),
      allocated_bytes_(engine_->allocated_bytes()),
      cells_(start),
      made_(cells_) {
  if (start.density > 0) engine_->reset(start);  // a new engine has only dead cells
}

std::unique_ptr<LifeEngine> first_engine(const FractalConfig& config, const BackendSelection& backend,
                                         const RandomStart& start) {
  validate(config);
  if (building_ms(config, backend) > kFirstBuildMs) {
    check_fits(config, backend);
    return std::make_unique<LifeEngine>(single_cell(config), first_device(backend),
                                        RandomStart{start.seed, 0});
  }
  return std::make_unique<LifeEngine>(config, backend, start);
}

// Kernels may be compiled in the background, even while paused. Until that is done, the name says so.
const std::string& LifeEngine::backend_name() const {
  if (!backend_name_is_fixed_ && engine_->is_compilation_done()) {
    backend_name_is_fixed_ = true;
    backend_name_ = engine_->backend_name();
  }
  return backend_name_;
}

std::string LifeEngine::activity(const LifeFrameRequest& request) const {
  const FractalConfig& config = request.build ? request.build->config : engine_->config();
  const char* const what = request.build              ? "building"
                           : request.cells.is_start() ? "seeding"
                           : request.cells.is_known() ? "restoring"
                           : request.generations > 0  ? "computing"
                           : request.take_cells       ? "copying"
                           : request.count_cells      ? "counting"
                                                      : "drawing";
  std::string text = fmt::format("{} level {} of {}", what, config.level, config.fractal.name());
  if (request.build) text += fmt::format(", {}", name_of(config.method.map));
  return text;
}

const char* LifeEngine::out_of_memory(const LifeFrameRequest& request) {
  return request.build ? "out of memory while copying the cells" : "out of memory for this frame";
}

void LifeEngine::set_monitor(ProgressMonitor* monitor) {
  monitor_ = monitor;
  engine_->set_monitor(monitor);
}

void LifeEngine::update(LifeFrameOutcome& done) {
  if (done.request.build) return;
  LifeFrameResult& result = done.result;
  generation_ = engine_->generation();
  states_ = engine_->states();
  made_.edit(std::move(result.edits), std::move(result.before));
  result.edited = made_;
  made_.run(result.frame.step.generations, done.request.work);
  if (result.cells && done.request.begins_anew) made_ = CellSource(result.cells, generation_);
  cells_ = made_;
  if (!done.problem.empty())
    done.problem += fmt::format("; the cells are intact, at generation {}", generation_);
  const StepReport& step = result.frame.step;
  if (step.generations > 0) step_ms_ = step.milliseconds / static_cast<double>(step.generations);
  if (result.worked && done.request.resolve) resolve_ms_ = result.frame.resolve.milliseconds;
  if (result.census) census_ms_ = result.census_ms;
}

// The old engine is destroyed after the new one is complete, so that a failure loses nothing. Both are
// allocated for that moment; if memory is too small for both, the message states the free bytes.
void LifeEngine::build(const LifeFrameRequest& request, LifeFrameResult& result) {
  const LifeBuild& build = *request.build;
  result.new_field = !is_same_field(build.config, config());
  auto next = std::make_unique<LifeEngine>(build.config, build.backend, RandomStart{.density = 0}, monitor_);
  const ScopedMonitor watched(*next, monitor_);
  FractalEngine& engine = next->engine();
  if (build.source != nullptr) {
    transfer_cells(*build.source, engine, monitor_);
    next->made_ = request.cells;
  } else if (!result.new_field) {
    transfer_cells(*engine_, engine, monitor_);
    next->made_ = made_;
  } else {
    make_cells(engine, next->made_, request.cells, monitor_, {.near = &request.near});
    if (request.save_before) result.snapshots.push_back({made_, read_cells()});
  }
  check_cancel(monitor_);
  next->cells_ = next->made_;
  next->generation_ = engine.generation();
  next->states_ = engine.states();
  result.built = true;
  result.next = std::move(next);
}

double LifeEngine::expected_ms(const LifeFrameRequest& request) const {
  if (request.build) {
    const LifeBuild& build = *request.build;
    const bool makes = build.source == nullptr && !is_same_field(build.config, config());
    const std::uint64_t generations =
        makes ? generations_to_make(CellSource(), request.cells, &request.near) : 0;
    return building_ms(build.config, build.backend) + static_cast<double>(generations) * kMinStepMs;
  }
  const double pass = static_cast<double>(allocated_bytes_) / bytes_a_millisecond(backend_);
  const auto or_pass = [&](double measured) { return measured > 0 ? measured : pass; };
  double expected = request.generations * or_pass(step_ms_);
  if (request.resolve) expected += or_pass(resolve_ms_);
  if (request.count_cells) expected += or_pass(census_ms_);
  if (request.count_threads) expected += or_pass(step_ms_);
  if (request.record || request.record_devices) expected += kRecordedSteps * or_pass(step_ms_);
  const double copied = static_cast<double>(cell_count_) / kCarriedCells;
  if (request.take_cells) expected += copied;
  const CellSource& from = request.same_cells.is_known() ? request.same_cells : cells_;
  const auto patch = from.patch_to(request.cells);
  const std::size_t asked = request.edits.size() + (patch ? patch->size() : 0) +
                            (request.cells_to_query ? request.cells_to_query->size() : 0);
  const double one_by_one =
      static_cast<double>(asked) * (backend_.device.on_host ? kAskedMs : kAskedOfDeviceMs);
  expected += asked < kAskedOneByOne ? one_by_one
                                     : std::min(one_by_one, copied + static_cast<double>(asked) * kAskedMs);
  if (request.cells.is_known() && !patch) {
    const std::uint64_t made = generations_to_make(from, request.cells, &request.near);
    expected += (request.cells.is_start() ? pass : 2 * copied) + static_cast<double>(request.keep) * copied +
                static_cast<double>(made) * std::max(or_pass(step_ms_), kMinStepMs);
  }
  return expected;
}

bool LifeEngine::begin(const LifeFrameRequest& request, LifeFrameResult& result) {
  if (request.build) {
    build(request, result);
    return false;
  }
  run_frame([&] { begin_frame(request, result); });
  if (works_ahead() && monitor_ == nullptr) return true;
  end(request, result);
  return false;
}

void LifeEngine::end(const LifeFrameRequest& request, LifeFrameResult& result) {
  run_frame([&] { end_frame(request, result); });
}

// After a cancellation or an error, the previous cells are restored if they were copied. Edits alone are not
// cancelled.
void LifeEngine::make(const LifeFrameRequest& request, LifeFrameResult& result) {
  const CellSource before = made_;
  const bool copies =
      !request.cells.is_start() && cell_count_ <= kMaxRestorableCells && !made_.patch_to(request.cells);
  const CellBits bits = copies ? read_cell_bits(*engine_) : CellBits{};
  const std::uint64_t generation = engine_->generation();
  try {
    make_cells(*engine_, made_, request.cells, monitor_,
               {.near = &request.near, .keep = request.keep, .kept = &result.snapshots});
  } catch (const DeviceFault&) {
    throw;
  } catch (...) {
    engine_->set_monitor(nullptr);
    if (copies) {
      engine_->write_bits(bits.bytes);
      engine_->set_generation(generation);
      made_ = before;
    } else if (!made_.is_known()) {
      make_cells(*engine_, made_, request.cells.beginning());
    }
    throw;
  }
}

// Reading single cells from a device is slow: for many cells, all cells are copied at once. kNotACell: not a
// cell.
std::vector<std::uint8_t> LifeEngine::states_of(std::span<const Coord64> cells) const {
  std::vector<std::uint8_t> states;
  states.reserve(cells.size());
  if (backend_.device.on_host || cells.size() < kAskedOneByOne) {
    for (const Coord64& cell : cells) {
      states.push_back(engine_->cell(cell).value_or(kNotACell));
    }
    return states;
  }
  const auto bits = read_cells();
  const TiledFractal field = make_tiled_fractal(config().fractal, config().level, 1);
  const CanonicalOrder<std::uint64_t> order(field);
  for (const Coord64& cell : cells) {
    const bool inside = cell.x < field.width && cell.y < field.height;
    const auto index = inside ? order.index(cell) : CanonicalOrder<std::uint64_t>::Index{};
    states.push_back(index.present ? bits->state(index.value) : kNotACell);
  }
  return states;
}

// Edits outside the fractal are dropped. If no edit changes a state, there is nothing to undo.
void LifeEngine::check_edits(std::span<const CellEdit> edits, LifeFrameResult& result) const {
  std::vector<Coord64> cells;
  cells.reserve(edits.size());
  for (const CellEdit& edit : edits) cells.push_back(edit.cell);
  const std::vector<std::uint8_t> states = states_of(cells);
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i] == kNotACell) continue;
    result.edits.push_back(edits[i]);
    result.before.push_back({cells[i], states[i]});
  }
  const auto same = [](const CellEdit& a, const CellEdit& b) { return a.state == b.state; };
  if (std::ranges::equal(result.edits, result.before, same)) {
    result.edits.clear();
    result.before.clear();
  }
}

void LifeEngine::begin_frame(const LifeFrameRequest& request, LifeFrameResult& result) {
  if (request.same_cells.is_known()) made_ = request.same_cells;
  if (request.cells_to_query) {
    auto states = states_of(*request.cells_to_query);
    std::ranges::replace(states, kNotACell, std::uint8_t{0});
    result.queried_cells = std::make_shared<const std::vector<std::uint8_t>>(std::move(states));
  }
  if (request.cells.is_known()) {
    if (request.save_before) result.snapshots.push_back({made_, read_cells()});
    make(request, result);
  }
  if (!request.edits.empty()) check_edits(request.edits, result);
  try {
    engine_->begin_frame({.edits = request.edits,
                          .generations = request.generations,
                          .work = request.work,
                          .viewport = request.resolve ? &request.viewport : nullptr,
                          .space = request.space,
                          .probe = request.probe,
                          .after = monitor_ == nullptr ? request.after : nullptr});
  } catch (...) {  // no work has begun, and no edit was applied
    result.edits.clear();
    result.before.clear();
    throw;
  }
}

void LifeEngine::end_frame(const LifeFrameRequest& request, LifeFrameResult& result) {
  result.frame = engine_->end_frame();
  if (result.frame.cancelled) throw OperationCancelled();
  result.worked = true;
  const Stopwatch passed;
  if (request.count_cells) {
    result.census = CountedCensus{engine_->census(), engine_->generation()};
    if (const std::uint32_t states = engine_->states(); states > 2) {
      const std::vector<std::uint64_t> counts = count_states(*engine_);
      for (std::uint32_t state = 2; state < states; ++state)
        result.census->refractory.cells[RefractoryCounts::group_of(states, state)] += counts[state];
    }
    result.census_ms = passed.milliseconds();
  }
  if (request.count_threads) result.threads = engine_->count_threads();
  if (request.record) {
    result.timeline_problem = run_recording([&] {
      result.timeline = std::make_shared<const Timeline>(
          engine_->record_timeline({.rule = request.work.rule, .max_spans = kMaxSpans}));
    });
  }
  if (request.record_devices) {
    DeviceRecord& devices = result.devices.emplace();
    devices.problem = run_recording([&] { devices.times = engine_->record_devices(request.work.rule); });
  }
  if (request.take_cells) result.cells = read_cells();
  result.after_ms = passed.milliseconds();
}

std::shared_ptr<const CellBits> LifeEngine::read_cells() const {
  return std::make_shared<CellBits>(read_cell_bits(*engine_));
}

}  // namespace loom::app
