#pragma once

#include "compute/cpu/life/block_walk.h"
#include "compute/geometry/storage.h"
#include "compute/map/dispatch.h"
#include "compute/workload/game_of_life.h"
#include "compute/workload/life_neighbours.h"

namespace loom::cpu {

// One generation of life, on each kind of storage. The loop over blocks is the caller's: the one that is
// timed, or the one that a timeline records. Loop has `for_each_block<Int>(shape, visit)`.

template <typename Map, typename Cells, typename Loop, typename Int = typename Map::Index>
void life_step(const Map& map, const ExpandedStorage<Int>& storage, bool, Cells now, Cells next,
               LifeRule rule, const Loop& loop) {
  const LaunchShape shape = map.launch_shape();
  loop.template for_each_block<Int>(shape, [=](Coord<Int> block) {
    const Coord<Int> place = map.place(block);
    if (!has_place(map, place)) return;
    for_each_thread(shape, [&](Coord32 thread) {
      const ThreadPosition mine = map.position(place, thread);
      if (!mine.present) return;
      const Coord<Int> cell = cell_in_block(map.blocked, place, mine.at);
      const std::uint64_t offset = storage.offset_of(cell);
      next.store(offset,
                 next_state(rule, now.load(offset), count_on_expanded(map.blocked, now.bytes, cell, offset)));
    });
  });
}

template <typename Map, typename Cells, typename Loop, typename Int = typename Map::Index>
void life_step(const Map& map, const BlockedCompactStorage<Int>& storage, bool halo, Cells now, Cells next,
               LifeRule rule, const Loop& loop) {
  const BlockedFractal& fractal = map.blocked;
  const LaunchShape shape = map.launch_shape();
  loop.template for_each_block<Int>(shape, [&](Coord<Int> block) {
    const Coord<Int> place = map.place(block);
    BlockNeighbours neighbours;
    for (std::uint32_t i = 0; i < 9; ++i)
      neighbours.base[i] = neighbour_base(storage, map.arithmetic, place, i);
    const std::uint64_t base = storage.block_base(block);

    const auto advance = [&](const auto& count) {
      for_each_thread(shape, [&](Coord32 thread) {
        const ThreadPosition mine = map.position(place, thread);
        if (!mine.present) return;
        const std::uint64_t at = base + mine.at.y * fractal.rho_x + mine.at.x;
        next.store(at, next_state(rule, now.load(at),
                                  count(static_cast<int>(mine.at.x), static_cast<int>(mine.at.y))));
      });
    };
    if (halo) {
      std::uint8_t tile[kMaxTileArea];
      const int pitch = static_cast<int>(fractal.rho_x) + 2;
      for (int y = -1; y <= static_cast<int>(fractal.rho_y); ++y) {
        for (int x = -1; x <= static_cast<int>(fractal.rho_x); ++x) {
          tile[(y + 1) * pitch + x + 1] = read_across_blocks(fractal, now.bytes, neighbours, x, y);
        }
      }
      advance([&](int x, int y) { return count_in_tile(tile + (y + 1) * pitch + x + 1, pitch); });
    } else {
      advance([&](int x, int y) { return count_across_blocks(fractal, now.bytes, neighbours, x, y); });
    }
  });
}

/// One generation under a method, by a loop.
template <typename Loop>
void step_life_by(const MapMethod& method, const BlockedFractal& fractal, const MapTables& tables,
                  std::uint8_t* now, std::uint8_t* next, LifeRule rule, const Loop& loop) {
  with_map(method, fractal, tables, [&](const auto& map, const auto& storage) {
    life_step(map, storage, method.halo, ByteCells{now}, ByteCells{next}, rule, loop);
  });
}

}  // namespace loom::cpu
