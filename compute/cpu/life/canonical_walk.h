#pragma once

#include <omp.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "compute/engine/fractal_engine.h"
#include "compute/engine/progress_monitor.h"
#include "compute/geometry/canonical_order.h"
#include "compute/geometry/stored_cells.h"
#include "compute/workload/random_start.h"

namespace loom::cpu {

/// The positions of cells in canonical order, for loops over many of them. In both layouts, the position of a
/// cell is a sum with one term per base-k digit of its index. The terms of the lowest digits are therefore
/// computed once, and a look-up replaces lambda (and nu) for all but one of kMostCells cells.
template <typename Int, typename Storage>
class CanonicalPlaces {
 public:
  /// For loops over about `count` cells.
  CanonicalPlaces(const TiledFractal& fractal, const Storage& storage, std::uint64_t count)
      : order_(fractal), storage_(storage) {
    // A row of the orthotope has k^ceil(r/2) indices; indices that differ only in the lowest digits are in
    // the same row.
    // Turned replicas have no such terms.
    for (int mu = 1; mu <= fractal.level && !fractal.is_turned(); mu += 2) {
      const std::uint64_t k = fractal.level_shape(mu).k;
      if (cells_ * k > kMostCells || cells_ * k * 4 > count) break;
      cells_ *= static_cast<std::uint32_t>(k);
    }
    const std::uint64_t first = storage_.index_of(order_.cell(0));
    for (std::uint32_t i = 0; i < cells_; ++i) parts_[i] = storage_.index_of(order_.cell(i)) - first;
  }

  /// Calls `visit(i, position of cell i)` for i in [first, last).
  template <typename Visit>
  void for_each(std::uint64_t first, std::uint64_t last, const Visit& visit) const {
    for (std::uint64_t i = first; i < last;) {
      const auto low = static_cast<std::uint32_t>(i % cells_);
      const std::uint64_t base = storage_.index_of(order_.cell(i - low));
      for (std::uint32_t at = low; at < cells_ && i < last; ++at, ++i) visit(i, base + parts_[at]);
    }
  }

 private:
  static constexpr std::uint32_t kMostCells = 1024;
  CanonicalOrder<Int> order_;
  Storage storage_;
  std::uint32_t cells_ = 1;  ///< k to the number of digits in the look-up table
  std::array<std::uint64_t, kMostCells> parts_;
};

/// Cells that a thread processes between two tests for cancellation: a fraction of a millisecond.
inline constexpr std::uint64_t kCellsInRun = std::uint64_t{1} << 14;

/// Calls `visit(i, position of canonical cell first + i)` for `count` cells, in parallel; a cell is a unit of
/// `call`. Throws OperationCancelled.
template <typename Int, typename Storage, typename Visit>
void for_each_canonical(const TiledFractal& fractal, const Storage& storage, std::uint64_t first,
                        std::uint64_t count, const ProgressScope& call, const Visit& visit) {
  const CanonicalPlaces<Int, Storage> places(fractal, storage, count);
  const auto runs = static_cast<std::int64_t>((count + kCellsInRun - 1) / kCellsInRun);
#pragma omp parallel for schedule(static)
  for (std::int64_t r = 0; r < runs; ++r) {
    if (call.cancelled()) continue;
    const std::uint64_t begin = first + static_cast<std::uint64_t>(r) * kCellsInRun;
    const std::uint64_t end = std::min(begin + kCellsInRun, first + count);
    places.for_each(begin, end, [&](std::uint64_t i, std::uint64_t at) { visit(i - first, at); });
    call.advance(end - begin);
  }
  call.check();
}

/// Calls `visit(index, position)` for all cells whose tiles are held, in parallel; a cell is a unit of
/// `call`. Throws OperationCancelled.
template <typename Int, typename Storage, typename Visit>
void for_each_held(const TiledFractal& fractal, const Storage& storage, const ProgressScope& call,
                   const Visit& visit) {
  const CanonicalOrder<Int> order(fractal);
  const CanonicalPlaces<Int, Storage> places(fractal, storage, order.held());
  const auto runs = static_cast<std::int64_t>((order.held() + kCellsInRun - 1) / kCellsInRun);
#pragma omp parallel for schedule(static)
  for (std::int64_t r = 0; r < runs; ++r) {
    if (call.cancelled()) continue;
    const std::uint64_t first = static_cast<std::uint64_t>(r) * kCellsInRun;
    const std::uint64_t end = std::min(first + kCellsInRun, order.held());
    for (std::uint64_t at = first; at < end;) {
      const std::uint64_t count = std::min(end - at, order.held_together(at));
      const std::uint64_t index = order.held_index(at);
      places.for_each(index, index + count, visit);
      at += count;
    }
    call.advance(end - first);
  }
  call.check();
}

/// The same for a generation in any storage: `visit(index, position, cells)`; `cells` accesses cells by
/// position.
template <typename Visit>
void for_each_held(StorageFormat stored, const TiledFractal& fractal, std::uint8_t* memory,
                   const ProgressScope& call, const Visit& visit) {
  with_stored(stored, fractal, memory, [&]<typename Int>(Int, const auto& storage, const auto& cells) {
    for_each_held<Int>(fractal, storage, call,
                       [&visit, cells](std::uint64_t index, std::uint64_t at) { visit(index, at, cells); });
  });
}

/// for_each_canonical() for a generation in any storage: `visit(i, position, cells)`.
template <typename Visit>
void for_each_stored(StorageFormat stored, const TiledFractal& fractal, std::uint8_t* memory,
                     std::uint64_t first, std::uint64_t count, const ProgressScope& call,
                     const Visit& visit) {
  with_stored(stored, fractal, memory, [&]<typename Int>(Int, const auto& storage, const auto& cells) {
    for_each_canonical<Int>(fractal, storage, first, count, call,
                            [&visit, cells](std::uint64_t i, std::uint64_t at) { visit(i, at, cells); });
  });
}

/// Population and hash per thread, on separate cache lines.
class CensusSums {
 public:
  CensusSums() : parts_(static_cast<std::size_t>(omp_get_max_threads())) {}
  /// Adds canonical cell `index` in this state.
  void add(std::uint64_t index, std::uint8_t state) { own().add(index, state); }
  void add(const Census& part) {
    own().population += part.population;
    own().hash += part.hash;
  }
  Census total() const {
    Census census;
    for (const Part& part : parts_) {
      census.population += part.census.population;
      census.hash += part.census.hash;
    }
    return census;
  }

 private:
  Census& own() { return parts_[static_cast<std::size_t>(omp_get_thread_num())].census; }
  struct alignas(64) Part {
    Census census;
  };
  std::vector<Part> parts_;
};

}  // namespace loom::cpu
