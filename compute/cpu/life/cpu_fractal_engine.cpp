#include "compute/cpu/life/cpu_fractal_engine.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstring>

#include "compute/core/error.h"
#include "compute/cpu/life/canonical_places.h"
#include "compute/cpu/life/count.h"
#include "compute/cpu/life/life.h"
#include "compute/cpu/life/record.h"
#include "compute/cpu/life/reduction.h"
#include "compute/cpu/life/resolve.h"
#include "compute/cpu/life/single_write.h"
#include "compute/cpu/stopwatch.h"
#include "compute/engine/work_costs.h"
#include "compute/map/dispatch.h"
#include "compute/workload/random_start.h"

namespace loom::cpu {
namespace {

/// Cells, or bytes, that a thread works on between two looks at whether to go on: a fraction of a
/// millisecond.
constexpr std::uint64_t kRun = std::uint64_t{1} << 14;

std::int64_t runs_of(std::uint64_t count) {
  return static_cast<std::int64_t>((count + kRun - 1) / kRun);
}

/// Calls `visit(i, place of canonical cell first + i)` for `count` cells, in parallel; a cell is a unit of
/// `call`. Throws Cancelled.
template <typename Visit>
void for_each_canonical(StorageLayout layout, const BlockedFractal& fractal, std::uint64_t first,
                        std::uint64_t count, const WatchedCall& call, const Visit& visit) {
  with_storage(
      layout, fractal, [&]<typename Int, template <typename> typename Storage>(const Storage<Int>& storage) {
        const CanonicalPlaces<Int, Storage<Int>> places(fractal, storage, count);
#pragma omp parallel for schedule(static)
        for (std::int64_t r = 0; r < runs_of(count); ++r) {
          if (call.cancelled()) continue;
          const std::uint64_t begin = first + static_cast<std::uint64_t>(r) * kRun;
          const std::uint64_t end = std::min(begin + kRun, first + count);
          places.for_each(begin, end, [&](std::uint64_t i, std::uint64_t at) { visit(i - first, at); });
          call.advance(end - begin);
        }
      });
  call.check();
}

}  // namespace

CpuFractalEngine::CpuFractalEngine(const FractalConfig& config)
    : config_(config),
      fractal_(make_blocked(config.fractal, config.level, config.block)),
      layout_(layout_of(config.method.map)),
      bytes_(bytes_of_generation(config.method, fractal_)),
      tables_(fractal_),
      now_(bytes_),
      next_(bytes_) {}

template <typename Use>
decltype(auto) CpuFractalEngine::with(const PageBuffer& generation, const Use& use) const {
  return with_cells(config_.method.storage, generation.data(), use);
}

std::string CpuFractalEngine::backend_name() const {
  const int threads = omp_get_max_threads();
  return fmt::format("cpu: {} thread{}", threads, threads == 1 ? "" : "s");
}

StepReport CpuFractalEngine::report() const {
  StepReport report;
  report.bytes_held = bytes_held();
  return report;
}

// What is cancelled must leave the cells as they were: new ones are written into the other generation.

StepReport CpuFractalEngine::reset(const RandomStart& start) {
  const Stopwatch stopwatch;
  const WatchedCall call(watch_, fractal_.cells);
  const std::uint64_t threshold = density_threshold(start.density);
  with(next_, [&](auto cells) {
    for_each_canonical(layout_, fractal_, 0, fractal_.cells, call, [=](std::uint64_t i, std::uint64_t at) {
      cells.store(at, random_cell(start.seed, i, threshold));
    });
  });
  now_.swap(next_);
  generation_ = 0;
  StepReport done = report();
  done.milliseconds = stopwatch.milliseconds();
  return done;
}

StepReport CpuFractalEngine::clear() {
  const Stopwatch stopwatch;
  const WatchedCall call(watch_, bytes_);
  const std::uint64_t run = 64 * kRun;
#pragma omp parallel for schedule(static)
  for (std::uint64_t begin = 0; begin < bytes_; begin += run) {
    if (call.cancelled()) continue;
    const std::uint64_t size = std::min(run, bytes_ - begin);
    std::memset(next_.data() + begin, 0, size);
    call.advance(size);
  }
  call.check();
  now_.swap(next_);
  generation_ = 0;
  StepReport done = report();
  done.milliseconds = stopwatch.milliseconds();
  return done;
}

bool CpuFractalEngine::run_once(const Work& work, const WatchedCall& call, std::uint64_t& sum) {
  const MapMethod method = config_.method;
  switch (work.workload) {
    case Workload::kSingleWrite: {
      // Without a watch in place, which is what is measured: one generation's memory instead of two.
      const PageBuffer& target = call.watched() ? next_ : now_;
      single_write(method, fractal_, tables_.view(), target.data(), static_cast<std::uint32_t>(generation_),
                   call);
      if (call.cancelled()) return false;
      if (call.watched()) now_.swap(next_);
      ++generation_;
      return true;
    }
    case Workload::kReduction: {
      const std::uint64_t found = reduce(method, fractal_, tables_.view(), now_.data(), call);
      if (call.cancelled()) return false;
      sum = found;
      return true;
    }
    case Workload::kLife:
      step_life(method, fractal_, tables_.view(), now_.data(), next_.data(), work.rule, call);
      if (call.cancelled()) return false;
      now_.swap(next_);
      ++generation_;
      return true;
  }
  return false;
}

StepReport CpuFractalEngine::run(std::uint32_t times, const Work& work) {
  const Stopwatch stopwatch;
  const WatchedCall call(watch_, launch_shape(config_.method, fractal_).blocks() * times);
  std::uint64_t sum = 0;
  std::uint32_t whole = 0;
  while (whole < times && !call.cancelled() && run_once(work, call, sum)) ++whole;
  StepReport done = work_costs(fractal_, work.workload, whole);
  done.sum = sum;
  done.milliseconds = stopwatch.milliseconds();
  done.bytes_held = bytes_held();
  return done;
}

FrameReport CpuFractalEngine::whole_frame(const FrameWish& wish) {
  const WatchedCall call(watch_, std::uint64_t{wish.generations} + (wish.viewport ? 1 : 0));
  FrameReport done;
  const Stopwatch stopwatch;
  done.edited = edit(wish.edits);
  done.edit_milliseconds = stopwatch.milliseconds();
  call.part(wish.generations, [&] { done.step = run(wish.generations, wish.work); });
  done.cancelled = done.step.generations < wish.generations;
  if (done.cancelled) return done;
  if (wish.viewport) {
    try {
      call.part(1, [&] { done.resolve = resolve(*wish.viewport, wish.space, done.image); });
    } catch (const Cancelled&) {
      done.cancelled = true;
      return done;
    }
  }
  if (wish.probe) done.probed = cell(*wish.probe);
  return done;
}

StepReport CpuFractalEngine::resolve(const Viewport& viewport, MemorySpace space, ImageView& image) {
  if (space != MemorySpace::kHost) throw InputError("the CPU backend resolves into host memory only");
  const Stopwatch stopwatch;
  const std::size_t area =
      static_cast<std::size_t>(viewport.width()) * static_cast<std::size_t>(viewport.height());
  if (pixels_.size() < area) pixels_.resize(area);
  cpu::resolve(config_.method, fractal_, now_.data(), viewport, watch_, pixels_.data(), pixel_counts_);
  image = ImageView{.pixels = pixels_.data(),
                    .format = PixelFormat::kDensity16,
                    .width = viewport.width(),
                    .height = viewport.height(),
                    .row_bytes = static_cast<std::size_t>(viewport.width()) * sizeof(std::uint16_t),
                    .space = MemorySpace::kHost};
  StepReport done = report();
  done.milliseconds = stopwatch.milliseconds();
  return done;
}

std::optional<bool> CpuFractalEngine::cell(Coord64 expanded) const {
  const std::uint64_t at = storage_index(layout_, fractal_, expanded);
  if (at == kNoIndex) return std::nullopt;
  return with(now_, [&](auto cells) { return cells.load(at) != 0; });
}

std::uint64_t CpuFractalEngine::edit(std::span<const CellEdit> edits) {
  std::uint64_t edited = 0;
  with(now_, [&](auto cells) {
    for (const CellEdit& edit : edits) {
      const std::uint64_t at = storage_index(layout_, fractal_, edit.cell);
      if (at == kNoIndex) continue;
      cells.store(at, edit.alive ? 1 : 0);
      ++edited;
    }
  });
  return edited;
}

Census CpuFractalEngine::census() const {
  const WatchedCall call(watch_, fractal_.cells);
  std::uint64_t population = 0;
  std::uint64_t hash = 0;
  const auto count = [&](const auto& places, auto cells) {
#pragma omp parallel for schedule(static) reduction(+ : population, hash)
    for (std::int64_t r = 0; r < runs_of(fractal_.cells); ++r) {
      if (call.cancelled()) continue;
      const std::uint64_t begin = static_cast<std::uint64_t>(r) * kRun;
      const std::uint64_t end = std::min(begin + kRun, fractal_.cells);
      std::uint64_t living = 0;
      std::uint64_t terms = 0;
      places.for_each(begin, end, [&](std::uint64_t i, std::uint64_t at) {
        if (!cells.load(at)) return;
        ++living;
        terms += hash_term(i);
      });
      population += living;
      hash += terms;
      call.advance(end - begin);
    }
  };
  with(now_, [&](auto cells) {
    with_storage(layout_, fractal_,
                 [&]<typename Int, template <typename> typename Storage>(const Storage<Int>& storage) {
                   count(CanonicalPlaces<Int, Storage<Int>>(fractal_, storage, fractal_.cells), cells);
                 });
  });
  call.check();
  return {population, hash};
}

ThreadCount CpuFractalEngine::count_threads() const {
  return cpu::count_threads(config_.method, fractal_, tables_.view());
}

Timeline CpuFractalEngine::record_timeline(const TimelineWish& wish) {
  validate(wish);
  const MapMethod& method = config_.method;
  const WatchedCall call(watch_, 4 * launch_shape(method, fractal_).blocks());
  // The generation after this one is written, as a step would, and not made the present one.
  const auto plain = [&] {
    const Stopwatch stopwatch;
    step_life(method, fractal_, tables_.view(), now_.data(), next_.data(), wish.rule, call);
    return stopwatch.milliseconds();
  };
  const auto recorded = [&](RunRecorder& recorder) {
    const Stopwatch stopwatch;
    record_life(method, fractal_, tables_.view(), now_.data(), next_.data(), wish.rule, call, recorder);
    return stopwatch.milliseconds();
  };
  plain();
  const double plain_milliseconds = plain();
  RunRecorder first(wish.most_spans);
  recorded(first);
  RunRecorder recorder(wish.most_spans);
  const double milliseconds = recorded(recorder);
  call.check();
  Timeline timeline = recorder.timeline();
  timeline.plain_milliseconds = plain_milliseconds;
  timeline.milliseconds = milliseconds;
  std::uint64_t runs = 0;
  for (const TimelineWorker& worker : timeline.workers) runs += worker.spans;
  timeline.launches.push_back({"step_life", runs, {}, {}});
  return timeline;
}

void CpuFractalEngine::read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const {
  check_cell_range(fractal_, first, cells.size());
  const WatchedCall call(watch_, cells.size());
  with(now_, [&](auto held) {
    for_each_canonical(layout_, fractal_, first, cells.size(), call,
                       [=](std::uint64_t i, std::uint64_t at) { cells[i] = held.load(at); });
  });
}

void CpuFractalEngine::write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) {
  check_cell_range(fractal_, first, cells.size());
  const WatchedCall call(watch_, cells.size());
  with(now_, [&](auto held) {
    for_each_canonical(layout_, fractal_, first, cells.size(), call,
                       [=](std::uint64_t i, std::uint64_t at) { held.store(at, cells[i] ? 1 : 0); });
  });
}

}  // namespace loom::cpu
