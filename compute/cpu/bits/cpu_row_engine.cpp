#include "compute/cpu/bits/cpu_row_engine.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "compute/core/error.h"
#include "compute/cpu/bits/row_step.h"
#include "compute/cpu/life/canonical_walk.h"
#include "compute/cpu/life/resolve.h"
#include "compute/engine/work_costs.h"
#include "compute/workload/random_start.h"
#include "compute/workload/reduction.h"
#include "compute/workload/single_write.h"

namespace loom::cpu {
namespace {

/// Calls `visit(row)` for every row, in parallel; a row is a unit of `call`.
template <typename Visit>
void for_each_row(const BitRows& rows, const WatchedCall& call, const Visit& visit) {
#pragma omp parallel for schedule(static)
  for (std::int64_t y = 0; y < static_cast<std::int64_t>(rows.height); ++y) {
    if (call.cancelled()) continue;
    visit(static_cast<std::uint64_t>(y));
    call.advance(1);
  }
}

/// Calls `visit(x)` for the set bits of a row.
template <typename Visit>
void for_each_point(const std::uint64_t* row, std::uint64_t words, const Visit& visit) {
  for (std::uint64_t i = 0; i < words; ++i) {
    for (std::uint64_t word = row[i]; word != 0; word &= word - 1)
      visit(64 * i + static_cast<std::uint64_t>(std::countr_zero(word)));
  }
}

}  // namespace

CpuRowEngine::CpuRowEngine(const FractalConfig& config)
    : CpuFractalEngine(config, bytes_needed(config) / 3),
      rows_(fractal_),
      mask_(bytes_),
      outside_(rows_.pitch) {}

const std::uint64_t* CpuRowEngine::mask(const WatchedCall& call) {
  auto* const words = reinterpret_cast<std::uint64_t*>(mask_.data());
  if (masked_) return words;
  const auto fill = [&]<typename Int>(const NbbTransform<Int>& transform) {
    for_each_row(rows_, call, [&](std::uint64_t y) {
      for (std::uint64_t i = 0; i < rows_.pitch; ++i) {
        std::uint64_t word = 0;
        for (std::uint64_t x = 64 * i; x < std::min(64 * i + 64, rows_.width); ++x) {
          const Coord<Int> point{static_cast<Int>(x), static_cast<Int>(y)};
          word |= std::uint64_t{is_member(transform, fractal_.level, point)} << (x % 64);
        }
        words[y * rows_.pitch + i] = word;
      }
    });
  };
  if (fractal_.fits_32_bits()) {
    fill(NbbTransform<std::uint32_t>(fractal_.shape));
  } else {
    fill(NbbTransform<std::uint64_t>(fractal_.shape));
  }
  masked_ = !call.cancelled();
  return words;
}

void CpuRowEngine::fill_random(std::uint8_t* cells, std::uint64_t seed, std::uint64_t threshold,
                               const WatchedCall& call) {
  std::memset(cells, 0, bytes_);
  const RowCells held{reinterpret_cast<std::uint32_t*>(cells)};
  for_each_canonical_in<RowStorage>(fractal_, 0, fractal_.cells, call,
                                    [=](std::uint64_t i, std::uint64_t at) {
                                      if (random_cell(seed, i, threshold)) held.store(at, 1);
                                    });
}

bool CpuRowEngine::run_once(const Work& work, const WatchedCall& call, std::uint64_t& sum) {
  switch (work.workload) {
    case Workload::kSingleWrite: {
      const std::uint64_t* const points = mask(call);
      auto* const next = reinterpret_cast<std::uint64_t*>(next_.data());
      const auto generation = static_cast<std::uint32_t>(generation_);
      for_each_row(rows_, call, [&](std::uint64_t y) {
        std::uint64_t* const row = next + y * rows_.pitch;
        std::fill_n(row, rows_.pitch, std::uint64_t{0});
        for_each_point(points + y * rows_.pitch, rows_.pitch, [&](std::uint64_t x) {
          row[x / 64] |= std::uint64_t{single_write_value(Coord64{x, y}, generation)} << (x % 64);
        });
      });
      break;
    }
    case Workload::kReduction: {
      const auto* const now = reinterpret_cast<const std::uint64_t*>(now_.data());
      std::atomic<std::uint64_t> found{0};
      for_each_row(rows_, call, [&](std::uint64_t y) {
        std::uint64_t part = 0;
        for_each_point(now + y * rows_.pitch, rows_.pitch, [&](std::uint64_t x) {
          part += reduction_value(Coord64{x, y}, 1);
        });
        found.fetch_add(part, std::memory_order_relaxed);
      });
      if (call.cancelled()) return false;
      sum = found;
      return true;
    }
    case Workload::kLife:
      step_rows(rows_, reinterpret_cast<const std::uint64_t*>(now_.data()), mask(call),
                reinterpret_cast<std::uint64_t*>(next_.data()), outside_.data(), work.rule, call);
      break;
  }
  if (call.cancelled()) return false;
  now_.swap(next_);
  ++generation_;
  return true;
}

void CpuRowEngine::run_times(std::uint32_t times, const Work& work, const WatchedCall& call,
                             std::uint32_t& done, std::uint64_t& sum) {
  while (done < times && !call.cancelled() && run_once(work, call, sum)) ++done;
}

std::optional<bool> CpuRowEngine::cell(Coord64 expanded) const {
  const std::uint64_t at = row_place(fractal_, expanded);
  if (at == ~std::uint64_t{0}) return std::nullopt;
  return cells_of(now_).load(at) != 0;
}

std::uint64_t CpuRowEngine::edit(std::span<const CellEdit> edits) {
  std::uint64_t edited = 0;
  for (const CellEdit& edit : edits) {
    const std::uint64_t at = row_place(fractal_, edit.cell);
    if (at == ~std::uint64_t{0}) continue;
    cells_of(now_).store(at, edit.alive ? 1 : 0);
    ++edited;
  }
  return edited;
}

Census CpuRowEngine::census() const {
  const WatchedCall call(watch_, fractal_.cells);
  CensusSums sums;
  for_each_canonical_in<RowStorage>(fractal_, 0, fractal_.cells, call,
                                    [&, held = cells_of(now_)](std::uint64_t i, std::uint64_t at) {
                                      if (held.load(at)) sums.add(i);
                                    });
  return sums.total();
}

ThreadCount CpuRowEngine::count_threads() const {
  // A thread a word; it has cells where its mask does.
  ThreadCount count;
  count.blocks_launched = rows_.height;
  count.threads_launched = rows_.words();
  const WatchedCall unwatched;
  const auto* const points = const_cast<CpuRowEngine*>(this)->mask(unwatched);
  for (std::uint64_t y = 0; y < rows_.height; ++y) {
    std::uint64_t active = 0;
    for (std::uint64_t i = 0; i < rows_.pitch; ++i) active += points[y * rows_.pitch + i] != 0 ? 1 : 0;
    count.threads_active += active;
    count.blocks_occupied += active > 0 ? 1 : 0;
  }
  return count;
}

Timeline CpuRowEngine::record_timeline(const TimelineWish&) {
  throw InputError("a timeline is recorded of cells held as bytes; allowed: --storage bytes");
}

void CpuRowEngine::read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const {
  check_cell_range(fractal_, first, cells.size());
  const WatchedCall call(watch_, cells.size());
  for_each_canonical_in<RowStorage>(
      fractal_, first, cells.size(), call,
      [&, held = cells_of(now_)](std::uint64_t i, std::uint64_t at) { cells[i] = held.load(at); });
}

void CpuRowEngine::write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) {
  check_cell_range(fractal_, first, cells.size());
  const WatchedCall call(watch_, cells.size());
  for_each_canonical_in<RowStorage>(
      fractal_, first, cells.size(), call,
      [&, held = cells_of(now_)](std::uint64_t i, std::uint64_t at) { held.store(at, cells[i] ? 1 : 0); });
}

void CpuRowEngine::paint(const Viewport& viewport, std::uint16_t* pixels) {
  cpu::resolve(config_.method, fractal_, now_.data(), viewport, watch_, pixels, pixel_counts_);
}

}  // namespace loom::cpu
