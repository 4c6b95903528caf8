#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "compute/cpu/life/tile_loop.h"
#include "compute/geometry/storage.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/dispatch.h"
#include "compute/workload/game_of_life.h"
#include "compute/workload/life_neighbours.h"

namespace loom::cpu {

// Rule is TwoStateRule or LifeRule throughout.
//
// A generation of life on one tile by rows, the CPU's form of compute/cuda/life/row_tiles.cuh: the tile and
// its halo are copied to a contiguous buffer, neighbourhoods are added for sixteen cells at a time, each
// thread selects its cell, and whole rows are written. The code is compiled once and relies on no inlining of
// its callers, and it uses only the baseline vector instructions, so that its speed does not depend on the
// build.

/// Whether a tile's rows are long enough for this form to be faster on expanded storage.
inline bool pays_in_rows(const TiledFractal& fractal) {
  return fractal.rho_x >= 8;
}

/// The memory of a tile and its halo.
struct RowsAround {
  /// Pointers into the row above the tile (0..2), the rows of the tile (3..5) and the row below it (6..8):
  /// the cell left of the tile's columns, the first column, and the cell right of them. Null if nothing is
  /// there; those cells are dead.
  std::array<const std::uint8_t*, 9> at{};
  std::uint64_t pitch = 0;  ///< distance between two rows of the tile
};

/// The threads of a tile, which have the same positions in every tile, and the step of one tile.
class RowTile {
 public:
  /// `position_of(number)` is the ThreadPosition of a thread, 0 <= number < threads.
  template <typename PositionOf>
  RowTile(const TiledFractal& fractal, std::uint32_t threads, const PositionOf& position_of)
      : rho_x_(fractal.rho_x), rho_y_(fractal.rho_y), threads_(threads) {
    for (std::uint32_t number = 0; number < threads; ++number) {
      const auto mine = position_of(number);
      places_[number] =
          mine.present ? static_cast<std::uint16_t>(mine.at.y * pitch() + kOwn + mine.at.x) : kIdle;
    }
  }

  /// Computes the next generation of the tile into rows that begin at `next`, with the pitch of `around`.
  void step(const RowsAround& around, TwoStateRule rule, std::uint8_t* next) const;
  void step(const RowsAround& around, LifeRule rule, std::uint8_t* next) const;

 private:
  static constexpr std::uint16_t kIdle = 0xffff;
  static constexpr std::uint32_t kOwn = 16;  ///< index of a row's first own cell
  /// A row of whole vectors with one more vector on each side.
  std::uint32_t pitch() const { return ((rho_x_ + 15) & ~15u) + 2 * kOwn; }
  /// The buffer for a tile of 8 x 128 cells, which is the largest: a tile of 1024 cells with shorter rows
  /// would have scale 1 in x or more than 8 in y.
  static constexpr std::uint32_t kMaxBytes = (16 + 2 * kOwn) * (128 + 2);

  void stage(const RowsAround& around, std::uint8_t* staged) const;
  /// `living` gives the living ones of a vector of cells.
  template <typename Living>
  void add_up(const std::uint8_t* staged, std::uint8_t* sums, const Living& living) const;
  /// Calls `use(place)` for the threads' cells.
  template <typename Use>
  void for_each_place(const Use& use) const;
  /// `states_of` gives the states of one cell, or of as many as an integer or a vector holds.
  template <typename StatesOf>
  void write(const std::uint8_t* rows, std::uint64_t to_pitch, std::uint8_t* next,
             const StatesOf& states_of) const;

  std::uint32_t rho_x_;
  std::uint32_t rho_y_;
  std::uint32_t threads_;
  std::array<std::uint16_t, kMaxBlockThreads> places_;  ///< index of each thread's cell among the sums
};

// One generation of life for each kind of storage. The caller supplies the loop over tiles, of a type of its
// own file: then the compiler inlines the step into it. Loop has `for_each_tile<Int>(shape, visit)`.

/// Each thread reads the neighbours of its own cell.
template <typename Rule, typename Map, typename Loop, typename Int = typename Map::Index>
void life_by_threads(const Map& map, const ExpandedStorage<Int>& storage, ByteCells now, ByteCells next,
                     const Rule& rule, const Loop& loop) {
  const LaunchShape shape = map.launch_shape();
  loop.template for_each_tile<Int>(shape, [=](Coord<Int> omega) {
    const Coord<Int> place = map.place(omega);
    if (!has_place(map, place)) return;
    const Symmetry symmetry = symmetry_of(map, omega);
    for_each_thread(shape, [&](Coord32 thread) {
      const ThreadPosition mine = position_in(map, place, thread, symmetry);
      if (!mine.present) return;
      const Coord<Int> cell = cell_in_tile(map.tiled, place, mine.at);
      const std::uint64_t offset = storage.offset_of(cell);
      next.store(offset, next_state(rule, now.load(offset),
                                    count_on_expanded(rule, map.tiled, now.bytes, cell, offset)));
    });
  });
}

template <typename Int, typename Arithmetic>
TileNeighbours neighbours_of(const TiledCompactStorage<Int>& storage, const Arithmetic& arithmetic,
                             Coord<Int> place) {
  TileNeighbours neighbours;
  for (std::uint32_t which = 0; which < 9; ++which)
    neighbours.base[which] = neighbour_base(storage, arithmetic, place, which);
  return neighbours;
}

template <typename Rule, typename Map, typename Loop, typename Int = typename Map::Index>
void life_by_threads(const Map& map, const TiledCompactStorage<Int>& storage, ByteCells now, ByteCells next,
                     const Rule& rule, const Loop& loop) {
  const TiledFractal& fractal = map.tiled;
  const LaunchShape shape = map.launch_shape();
  loop.template for_each_tile<Int>(shape, [&](Coord<Int> omega) {
    const Coord<Int> place = map.place(omega);
    const TileNeighbours neighbours = neighbours_of(storage, map.arithmetic, place);
    const std::uint64_t base = storage.tile_base(omega);
    const Symmetry symmetry = symmetry_of(map, omega);
    for_each_thread(shape, [&](Coord32 thread) {
      const ThreadPosition mine = position_in(map, place, thread, symmetry);
      if (!mine.present) return;
      const std::uint64_t at = base + mine.at.y * fractal.rho_x + mine.at.x;
      next.store(
          at, next_state(rule, now.load(at),
                         count_across_tiles(rule, fractal, now.bytes, neighbours, static_cast<int>(mine.at.x),
                                            static_cast<int>(mine.at.y))));
    });
  });
}

/// The memory of the tile at grid coordinate `place`, and of its halo.
template <typename Map, typename Int>
RowsAround rows_around(const Map& map, const ExpandedStorage<Int>& storage, Coord<Int>, Coord<Int> place,
                       const std::uint8_t* now) {
  const TiledFractal& fractal = map.tiled;
  const std::uint64_t pitch = storage.pitch();
  const std::uint8_t* const corner = now + storage.tile_origin(place, place);
  RowsAround around{.at = {}, .pitch = pitch};
  for (std::uint32_t which = 0; which < 9; ++which) {
    if (!in_grid(fractal, neighbour_place(place, which))) continue;
    const std::uint32_t column = which % 3;
    const std::uint32_t row = which / 3;
    const std::uint8_t* at = corner;
    if (row == 0) at -= pitch;
    if (row == 2) at += fractal.rho_y * pitch;
    if (column == 0) at -= 1;
    if (column == 2) at += fractal.rho_x;
    around.at[which] = at;
  }
  return around;
}
template <typename Map, typename Int>
RowsAround rows_around(const Map& map, const TiledCompactStorage<Int>& storage, Coord<Int> omega,
                       Coord<Int> place, const std::uint8_t* now) {
  const TiledFractal& fractal = map.tiled;
  const TileNeighbours neighbours = neighbours_of(storage, map.arithmetic, place);
  RowsAround around{.at = {}, .pitch = fractal.rho_x};
  for (std::uint32_t which = 0; which < 9; ++which) {
    if (neighbours.base[which] == kNoIndex) continue;
    const std::uint8_t* at = now + neighbours.base[which];
    if (which % 3 == 0) at += fractal.rho_x - 1;                    // its last column
    if (which / 3 == 0) at += (fractal.rho_y - 1) * fractal.rho_x;  // its last row
    around.at[which] = at;
  }
  around.at[4] = now + storage.tile_base(omega);
  return around;
}

/// Processes tiles by rows.
template <typename Rule, typename Map, typename Storage, typename Loop, typename Int = typename Map::Index>
void life_by_rows(const Map& map, const Storage& storage, ByteCells now, ByteCells next, const Rule& rule,
                  const Loop& loop) {
  constexpr bool kIsExpanded = std::is_same_v<Storage, ExpandedStorage<Int>>;
  const LaunchShape shape = map.launch_shape();
  const auto tile_in = [&](std::size_t symmetry) {
    return RowTile(map.tiled, shape.threads_x * shape.threads_y, [&](std::uint32_t number) {
      const Coord32 thread{number % shape.threads_x, number / shape.threads_x};
      return position_in(map, {}, thread, static_cast<Symmetry>(symmetry));
    });
  };
  constexpr std::size_t kOrientations = Map::kTurned ? kSymmetryCount : 1;
  const auto tile = [&]<std::size_t... kSymmetry>(std::index_sequence<kSymmetry...>) {
    return std::array<RowTile, kOrientations>{tile_in(kSymmetry)...};
  }
  (std::make_index_sequence<kOrientations>());
  loop.template for_each_tile<Int>(shape, [&](Coord<Int> omega) {
    const Coord<Int> place = map.place(omega);
    if (kIsExpanded && !has_place(map, place)) return;
    tile[static_cast<std::size_t>(symmetry_of(map, omega))].step(
        rows_around(map, storage, omega, place, now.bytes), rule,
        next.bytes + storage.tile_origin(omega, place));
  });
}

/// Bounding box: threads test their points one by one and most are idle; rows hold few cells and offer no
/// gain. lambda: rows are faster if they are long enough. Compact: the halo option is the copy of a tile with
/// its halo, which this form makes.
template <typename Rule, typename Map, typename Storage, typename Loop>
void life_step(const Map& map, const Storage& storage, bool halo, ByteCells now, ByteCells next,
               const Rule& rule, const Loop& loop) {
  using Int = typename Map::Index;
  constexpr bool kIsCompact = std::is_same_v<Storage, TiledCompactStorage<Int>>;
  if constexpr (!kIsBox<Map>) {
    if (kIsCompact ? halo : pays_in_rows(map.tiled)) {
      life_by_rows(map, storage, now, next, rule, loop);
      return;
    }
  }
  life_by_threads(map, storage, now, next, rule, loop);
}

}  // namespace loom::cpu
