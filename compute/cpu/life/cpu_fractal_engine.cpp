#include "compute/cpu/life/cpu_fractal_engine.h"

#include <fmt/format.h>
#include <omp.h>

#include <cstring>
#include <stdexcept>

#include "compute/core/error.h"
#include "compute/cpu/life/count.h"
#include "compute/cpu/life/life.h"
#include "compute/cpu/life/reduction.h"
#include "compute/cpu/life/resolve.h"
#include "compute/cpu/life/single_write.h"
#include "compute/cpu/stopwatch.h"
#include "compute/engine/work_costs.h"
#include "compute/geometry/canonical_order.h"
#include "compute/map/dispatch.h"
#include "compute/workload/random_start.h"

namespace loom::cpu {
namespace {

/// Calls `visit(i, storage index of canonical cell first + i)` for `count` cells, in parallel.
template <typename Visit>
void for_each_canonical(MapKind map, const BlockedFractal& fractal, std::uint64_t first, std::uint64_t count,
                        const Visit& visit) {
  with_storage(map, fractal,
               [&]<typename Int, template <typename> typename Storage>(const Storage<Int>& storage) {
                 const CanonicalOrder<Int> order(fractal);
#pragma omp parallel for schedule(static)
                 for (std::int64_t i = 0; i < static_cast<std::int64_t>(count); ++i) {
                   visit(static_cast<std::uint64_t>(i),
                         storage.index_of(order.cell(first + static_cast<std::uint64_t>(i))));
                 }
               });
}

}  // namespace

CpuFractalEngine::CpuFractalEngine(const FractalConfig& config)
    : config_(config),
      fractal_(make_blocked(config.fractal, config.level, config.block)),
      bytes_(storage_bytes(config.method.map, fractal_)),
      tables_(fractal_),
      now_(bytes_),
      next_(bytes_) {}

std::string CpuFractalEngine::backend_name() const {
  const int threads = omp_get_max_threads();
  return fmt::format("cpu: {} thread{}", threads, threads == 1 ? "" : "s");
}

StepReport CpuFractalEngine::report() const {
  StepReport report;
  report.bytes_held = bytes_held();
  return report;
}

StepReport CpuFractalEngine::reset(const RandomStart& start) {
  const Stopwatch watch;
  std::memset(now_.data(), 0, bytes_);
  const std::uint64_t threshold = density_threshold(start.density);
  for_each_canonical(config_.method.map, fractal_, 0, fractal_.cells, [&](std::uint64_t i, std::uint64_t at) {
    now_[at] = random_cell(start.seed, i, threshold);
  });
  generation_ = 0;
  StepReport done = report();
  done.milliseconds = watch.milliseconds();
  return done;
}

StepReport CpuFractalEngine::clear() {
  const Stopwatch watch;
  std::memset(now_.data(), 0, bytes_);
  generation_ = 0;
  StepReport done = report();
  done.milliseconds = watch.milliseconds();
  return done;
}

StepReport CpuFractalEngine::run(std::uint32_t times, const Work& work) {
  const MapMethod method = config_.method;
  StepReport done = work_costs(fractal_, work.workload, times);
  const Stopwatch watch;
  for (std::uint32_t i = 0; i < times; ++i) {
    switch (work.workload) {
      case Workload::kSingleWrite:
        single_write(method, fractal_, tables_.view(), now_.data(), static_cast<std::uint32_t>(generation_));
        ++generation_;
        break;
      case Workload::kReduction:
        done.sum = reduce(method, fractal_, tables_.view(), now_.data());
        break;
      case Workload::kLife:
        step_life(method, config_.method.halo, fractal_, tables_.view(), now_.data(), next_.data(),
                  work.rule);
        now_.swap(next_);
        ++generation_;
        break;
    }
  }
  done.milliseconds = watch.milliseconds();
  done.bytes_held = bytes_held();
  return done;
}

StepReport CpuFractalEngine::resolve(const Viewport& viewport, MemorySpace space, ImageView& image) {
  if (space != MemorySpace::kHost) throw InputError("the CPU backend resolves into host memory only");
  const Stopwatch watch;
  const std::size_t area =
      static_cast<std::size_t>(viewport.width()) * static_cast<std::size_t>(viewport.height());
  if (pixels_.size() < area) pixels_.resize(area);
  cpu::resolve(config_.method.map, fractal_, now_.data(), viewport, pixels_.data(), pixel_counts_);
  image = ImageView{.pixels = pixels_.data(),
                    .format = PixelFormat::kDensity16,
                    .width = viewport.width(),
                    .height = viewport.height(),
                    .row_bytes = static_cast<std::size_t>(viewport.width()) * sizeof(std::uint16_t),
                    .space = MemorySpace::kHost};
  StepReport done = report();
  done.milliseconds = watch.milliseconds();
  return done;
}

std::optional<bool> CpuFractalEngine::cell(Coord64 expanded) const {
  const std::uint64_t at = storage_index(config_.method.map, fractal_, expanded);
  return at == kNoIndex ? std::nullopt : std::optional<bool>(now_[at] != 0);
}

bool CpuFractalEngine::edit(Coord64 expanded, bool alive) {
  const std::uint64_t at = storage_index(config_.method.map, fractal_, expanded);
  if (at == kNoIndex) return false;
  now_[at] = alive ? 1 : 0;
  return true;
}

Census CpuFractalEngine::census() const {
  std::uint64_t population = 0;
  std::uint64_t hash = 0;
  with_storage(config_.method.map, fractal_,
               [&]<typename Int, template <typename> typename Storage>(const Storage<Int>& storage) {
                 const CanonicalOrder<Int> order(fractal_);
#pragma omp parallel for schedule(static) reduction(+ : population, hash)
                 for (std::int64_t i = 0; i < static_cast<std::int64_t>(fractal_.cells); ++i) {
                   const auto index = static_cast<std::uint64_t>(i);
                   if (now_[storage.index_of(order.cell(index))]) {
                     ++population;
                     hash += hash_term(index);
                   }
                 }
               });
  return {population, hash};
}

ThreadCount CpuFractalEngine::count_threads() const {
  return cpu::count_threads(config_.method, fractal_, tables_.view());
}

void CpuFractalEngine::read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const {
  check_cell_range(fractal_, first, cells.size());
  for_each_canonical(config_.method.map, fractal_, first, cells.size(),
                     [&](std::uint64_t i, std::uint64_t at) { cells[i] = now_[at]; });
}

void CpuFractalEngine::write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) {
  check_cell_range(fractal_, first, cells.size());
  for_each_canonical(config_.method.map, fractal_, first, cells.size(),
                     [&](std::uint64_t i, std::uint64_t at) { now_[at] = cells[i] ? 1 : 0; });
}

}  // namespace loom::cpu
