#include "compute/cpu/life/cpu_fractal_engine.h"

#include "compute/core/error.h"
#include "compute/core/stopwatch.h"
#include "compute/cpu/life/canonical_walk.h"
#include "compute/engine/work_costs.h"
#include "compute/geometry/stored_cells.h"
#include "compute/workload/random_start.h"

namespace loom::cpu {

CpuFractalEngine::CpuFractalEngine(const FractalConfig& config, std::uint64_t bytes)
    : CpuCellEngine(config, bytes),
      fractal_(make_tiled_fractal(config.fractal, config.level, config.tile_size)),
      stored_(storage_format(config.method)) {}

std::uint64_t CpuFractalEngine::held_cells() const {
  return cells_held(fractal_);
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

}  // namespace loom::cpu
