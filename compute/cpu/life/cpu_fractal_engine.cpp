#include "compute/cpu/life/cpu_fractal_engine.h"

#include <algorithm>
#include <cstring>

#include "compute/core/error.h"
#include "compute/core/stopwatch.h"
#include "compute/cpu/life/canonical_walk.h"
#include "compute/cpu/thread_pool.h"
#include "compute/engine/work_costs.h"
#include "compute/geometry/stored_cells.h"
#include "compute/workload/random_start.h"

namespace loom::cpu {

CpuFractalEngine::CpuFractalEngine(const FractalConfig& config, std::uint64_t bytes)
    : FractalEngine(config),
      fractal_(make_tiled_fractal(config.fractal, config.level, config.tile_size)),
      stored_(storage_format(config.method)),
      bytes_(bytes),
      now_(bytes_),
      next_(bytes_) {}

std::string CpuFractalEngine::backend_name() const {
  return "cpu: " + threads_text();
}

// Cancellation must leave the cells unchanged, so that new cells are written into the other generation.

StepReport CpuFractalEngine::reset(const RandomStart& start) {
  const Stopwatch stopwatch;
  const ProgressScope call(monitor_, cells_held(fractal_));
  fill_random(next_.data(), start.seed, density_threshold(start.density), call);
  now_.swap(next_);
  begin_anew();
  cells_changed();
  return {.milliseconds = stopwatch.milliseconds(), .allocated_bytes = allocated_bytes()};
}

StepReport CpuFractalEngine::clear() {
  const Stopwatch stopwatch;
  const ProgressScope call(monitor_, bytes_);
  constexpr std::uint64_t run = std::uint64_t{1} << 20;
#pragma omp parallel for schedule(static)
  for (std::uint64_t begin = 0; begin < bytes_; begin += run) {
    if (call.cancelled()) continue;
    const std::uint64_t size = std::min(run, bytes_ - begin);
    std::memset(next_.data() + begin, 0, size);
    call.advance(size);
  }
  call.check();
  now_.swap(next_);
  begin_anew();
  cells_changed();
  return {.milliseconds = stopwatch.milliseconds(), .allocated_bytes = allocated_bytes()};
}

StepReport CpuFractalEngine::run(std::uint32_t times, const Work& work) {
  if (times > 0) fit_cells(work);
  // The preparation takes about as long as one repetition of the work.
  const ProgressScope call(monitor_, units_of_work() * (std::uint64_t{times} + 1));
  try {
    call.part(units_of_work(), [&] { prepare(); });
  } catch (const OperationCancelled&) {
    times = 0;
  }
  const Stopwatch stopwatch;
  std::uint64_t sum = 0;
  std::uint32_t whole = 0;
  while (whole < times && !call.cancelled()) {
    const std::uint64_t found = run_once(work, whole + 1 == times, call);
    if (call.cancelled()) break;
    ++whole;
    if (work.workload == Workload::kReduction) {
      sum = found;
    } else {
      now_.swap(next_);
      ++generation_;
    }
  }
  StepReport done = work_costs(cell_count(), work.workload, whole);
  done.sum = sum;
  done.milliseconds = stopwatch.milliseconds();
  done.allocated_bytes = allocated_bytes();
  return done;
}

StepReport CpuFractalEngine::resolve(const Viewport& viewport, MemorySpace space, ImageView& image) {
  if (space != MemorySpace::kHost)
    throw InputError("the CPU backend has no image in device memory; allowed: host memory");
  const Stopwatch stopwatch;
  const std::size_t area =
      static_cast<std::size_t>(viewport.width()) * static_cast<std::size_t>(viewport.height());
  if (pixels_.size() < area) pixels_.resize(area);
  if (area > 0) paint(viewport, pixels_.data());
  image = ImageView{.pixels = pixels_.data(),
                    .format = PixelFormat::kDensity16,
                    .width = viewport.width(),
                    .height = viewport.height(),
                    .row_bytes = static_cast<std::size_t>(viewport.width()) * sizeof(std::uint16_t)};
  return {.milliseconds = stopwatch.milliseconds(), .allocated_bytes = allocated_bytes()};
}

std::optional<std::uint8_t> CpuFractalEngine::cell(Coord64 expanded) const {
  std::optional<std::uint8_t> state;
  with_stored(stored_, fractal_, now_.data(), [&]<typename Int>(Int, const auto& storage, const auto& cells) {
    const std::uint64_t at = place_in<Int>(storage, fractal_, expanded);
    if (at != kNoIndex) state = cells.load(at);
  });
  return state;
}

std::uint64_t CpuFractalEngine::edit(std::span<const CellEdit> edits) {
  if (edits.empty()) return 0;
  std::uint64_t edited = 0;
  with_stored(stored_, fractal_, now_.data(), [&]<typename Int>(Int, const auto& storage, const auto& cells) {
    for (const CellEdit& edit : edits) {
      const std::uint64_t at = place_in<Int>(storage, fractal_, edit.cell);
      if (at == kNoIndex) continue;
      cells.store(at, edit.state);
      if (stored_.cells == CellStorage::kBytes) hold(edit.state);
      ++edited;
    }
  });
  if (edited > 0) cells_changed();
  return edited;
}

void CpuFractalEngine::fill_random(std::uint8_t* cells, std::uint64_t seed, std::uint64_t threshold,
                                   const ProgressScope& call) {
  for_each_held(stored_, fractal_, cells, call, [=](std::uint64_t i, std::uint64_t at, const auto& held) {
    held.store(at, random_cell(seed, i, threshold));
  });
}

Census CpuFractalEngine::census() const {
  const ProgressScope call(monitor_, cells_held(fractal_));
  CensusSums sums;
  for_each_held(stored_, fractal_, now_.data(), call,
                [&](std::uint64_t i, std::uint64_t at, const auto& held) {
                  if (const std::uint8_t state = held.load(at)) sums.add(i, state);
                });
  return sums.total();
}

void CpuFractalEngine::read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const {
  check_cell_range(cell_count(), first, cells.size());
  const ProgressScope call(monitor_, cells.size());
  for_each_stored(stored_, fractal_, now_.data(), first, cells.size(), call,
                  [&](std::uint64_t i, std::uint64_t at, const auto& held) { cells[i] = held.load(at); });
}

void CpuFractalEngine::write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) {
  check_cell_range(cell_count(), first, cells.size());
  const ProgressScope call(monitor_, cells.size());
  cells_changed();
  const bool bytes = stored_.cells == CellStorage::kBytes;
  if (bytes) hold(cells);
  for_each_stored(stored_, fractal_, now_.data(), first, cells.size(), call,
                  [&](std::uint64_t i, std::uint64_t at, const auto& held) {
                    held.store(at, bytes || cells[i] == 1 ? cells[i] : std::uint8_t{0});
                  });
}

void CpuFractalEngine::drop_states(std::uint32_t states) {
#pragma omp parallel for schedule(static)
  for (std::uint64_t at = 0; at < bytes_; ++at) {
    if (now_.data()[at] >= states) now_.data()[at] = 0;
  }
  cells_changed();
}

}  // namespace loom::cpu
