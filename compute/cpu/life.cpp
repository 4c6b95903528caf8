#include "compute/cpu/life.h"

#include "compute/cpu/block_walk.h"
#include "compute/fractal/storage.h"
#include "compute/map/dispatch.h"
#include "compute/workload/life_neighbours.h"

namespace loom::cpu {
namespace {

template <typename Int, template <typename> typename Map>
void step(const Map<Int>& map, const ExpandedStorage<Int>& storage, bool, const std::uint8_t* now,
          std::uint8_t* next, LifeRule rule) {
  for_each_block<Int>(map.launch_shape(), [&](Coord<Int> block) {
    const Coord<Int> place = map.place(block);
    for_each_thread(map.blocked, [&](Coord32 thread) {
      if (!map.has_cell(place, thread)) return;
      const Coord<Int> cell = cell_in_block(map.blocked, place, thread);
      const std::uint64_t offset = storage.offset_of(cell);
      next[offset] = next_state(rule, now[offset], count_on_expanded(map.blocked, now, cell, offset));
    });
  });
}

template <typename Int>
void step(const LambdaMap<Int>& map, const BlockedCompactStorage<Int>& storage, bool halo,
          const std::uint8_t* now, std::uint8_t* next, LifeRule rule) {
  const BlockedFractal& fractal = map.blocked;
  for_each_block<Int>(map.launch_shape(), [&](Coord<Int> block) {
    const Coord<Int> place = map.place(block);
    BlockNeighbours neighbours;
    for (std::uint32_t i = 0; i < 9; ++i) neighbours.base[i] = neighbour_base(storage, place, i);
    const std::uint64_t base = storage.block_base(block);

    const auto advance = [&](const auto& count) {
      for_each_thread(fractal, [&](Coord32 thread) {
        if (!map.has_cell(place, thread)) return;
        const std::uint64_t at = base + thread.y * fractal.rho_x + thread.x;
        next[at] = next_state(rule, now[at], count(static_cast<int>(thread.x), static_cast<int>(thread.y)));
      });
    };
    if (halo) {
      std::uint8_t tile[kMaxTileArea];
      const int pitch = static_cast<int>(fractal.rho_x) + 2;
      for (int y = -1; y <= static_cast<int>(fractal.rho_y); ++y) {
        for (int x = -1; x <= static_cast<int>(fractal.rho_x); ++x) {
          tile[(y + 1) * pitch + x + 1] = read_across_blocks(fractal, now, neighbours, x, y);
        }
      }
      advance([&](int x, int y) { return count_in_tile(fractal, tile, x, y); });
    } else {
      advance([&](int x, int y) { return count_across_blocks(fractal, now, neighbours, x, y); });
    }
  });
}

}  // namespace

void step_life(MapKind map, bool halo, const BlockedFractal& fractal, const std::uint8_t* now,
               std::uint8_t* next, LifeRule rule) {
  with_map(map, fractal, [&](const auto& thread_map, const auto& storage) {
    step(thread_map, storage, halo, now, next, rule);
  });
}

}  // namespace loom::cpu
