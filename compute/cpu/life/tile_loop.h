#pragma once

#include <algorithm>
#include <cstdint>

#include "compute/core/coord.h"
#include "compute/cpu/run_recorder.h"
#include "compute/engine/progress_monitor.h"
#include "compute/map/thread_map.h"

namespace loom::cpu {

/// The tiles of a launch in chunks, the unit of work of OpenMP threads.
template <typename Int>
class TileChunks {
 public:
  explicit TileChunks(const LaunchShape& shape)
      : shape_(shape),
        run_(std::max<std::uint64_t>(1, kThreadsInRun / (std::uint64_t{shape.threads_x} * shape.threads_y))) {
  }

  std::int64_t count() const { return static_cast<std::int64_t>((shape_.tiles() + run_ - 1) / run_); }
  /// The row-major number of the first tile of chunk `r`.
  std::uint64_t first_of(std::int64_t r) const { return static_cast<std::uint64_t>(r) * run_; }
  /// Tiles in chunk `r`.
  std::uint64_t size(std::int64_t r) const {
    return std::min(run_, shape_.tiles() - static_cast<std::uint64_t>(r) * run_);
  }

  /// Visits the tiles of chunk `r`: `visit(Coord<Int> tile)`.
  template <typename Visit>
  void for_each_tile(std::int64_t r, const Visit& visit) const {
    const std::uint64_t first = static_cast<std::uint64_t>(r) * run_;
    const std::uint64_t last = std::min(first + run_, shape_.tiles());
    Coord<Int> tile{static_cast<Int>(first % shape_.tiles_x),
                    static_cast<Int>(shape_.first_y + first / shape_.tiles_x)};
    for (std::uint64_t b = first; b < last; ++b) {
      visit(tile);
      if (++tile.x == shape_.tiles_x) {
        tile.x = 0;
        ++tile.y;
      }
    }
  }

 private:
  static constexpr std::uint64_t kThreadsInRun = 16384;
  LaunchShape shape_;
  std::uint64_t run_;
};

// Static scheduling: each OpenMP thread processes the same chunks every time, so that a generation's cells
// are still in its core's cache when the next generation is computed; dynamic scheduling took up to 1.8 times
// as long on two cores. A single chunk runs on the calling thread, because waking the other threads would
// take longer than the work. A chunk ends within a millisecond; cancellation is tested between chunks.

/// Visits the tiles of one chunk, in a function of its own: what surrounds it costs its loops nothing.
template <typename Int, typename Visit>
[[gnu::noinline]] void visit_chunk(TileChunks<Int> chunks, std::int64_t r, const Visit& visit) {
  // A local copy that nothing else points to: if `visit` holds its map by value, the compiler can prove that
  // writes to cells do not change the map, and does not reload the map for every thread.
  const Visit own = visit;
  chunks.for_each_tile(r, own);
}

/// Visits every tile of a launch as the GPU would, in parallel over OpenMP threads: `visit(Coord<Int>
/// tile)`. Tiles may be visited in any order and concurrently. A tile is a unit of `call`; if it is
/// cancelled, some tiles have not been visited. `recorder` notes which thread ran which chunk and when, and
/// may be null.
template <typename Int, typename Visit>
void for_each_tile(const LaunchShape& shape, const ProgressScope& call, const Visit& visit,
                   RunRecorder* recorder = nullptr) {
  const TileChunks<Int> runs(shape);
  if (recorder != nullptr) recorder->expect(static_cast<std::uint64_t>(runs.count()));
#pragma omp parallel for schedule(static) if (runs.count() > 1)
  for (std::int64_t r = 0; r < runs.count(); ++r) {
    if (call.cancelled()) continue;
    const std::uint64_t begin = recorder == nullptr ? 0 : RunRecorder::now();
    visit_chunk(runs, r, visit);
    if (recorder != nullptr)
      recorder->note(static_cast<std::uint64_t>(r),
                     {.begin = begin, .block = runs.first_of(r), .count = runs.size(r)});
    call.advance(runs.size(r));
  }
}

/// The sum of `value(Coord<Int> tile)`, an unsigned 64-bit number, over every tile of a launch. A tile is a
/// unit of `call`.
template <typename Int, typename Value>
std::uint64_t sum_over_tiles(const LaunchShape& shape, const ProgressScope& call, const Value& value) {
  const TileChunks<Int> runs(shape);
  std::uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) if (runs.count() > 1)
  for (std::int64_t r = 0; r < runs.count(); ++r) {
    if (call.cancelled()) continue;
    const Value own = value;
    runs.for_each_tile(r, [&](Coord<Int> tile) { sum += own(tile); });
    call.advance(runs.size(r));
  }
  return sum;
}

/// Visits every thread of a tile, row by row: `visit(Coord32 thread)`.
template <typename Visit>
void for_each_thread(const LaunchShape& shape, const Visit& visit) {
  for (std::uint32_t y = 0; y < shape.threads_y; ++y) {
    for (std::uint32_t x = 0; x < shape.threads_x; ++x) visit(Coord32{x, y});
  }
}

/// Visits every thread of a map's tile that has a cell: `visit(Coord<Int> cell, std::uint64_t index)`, with
/// the cell's expanded coordinate and its position in storage.
template <typename Map, typename Storage, typename Visit, typename Int = typename Map::Index>
void for_each_cell(const Map& map, const Storage& storage, const LaunchShape& shape, Coord<Int> tile,
                   const Visit& visit) {
  const Coord<Int> place = map.place(tile);
  if (!has_place(map, place)) return;
  const std::uint64_t origin = storage.tile_origin(tile, place);
  const Symmetry symmetry = symmetry_of(map, tile);
  for_each_thread(shape, [&](Coord32 thread) {
    const ThreadPosition mine = position_in(map, place, thread, symmetry);
    if (!mine.present) return;
    visit(cell_in_tile(map.tiled, place, mine.at),
          origin + std::uint64_t{mine.at.y} * storage.pitch() + mine.at.x);
  });
}

}  // namespace loom::cpu
