#include <type_traits>

#include "compute/cuda/life.h"
#include "compute/cuda/place.cuh"
#include "compute/map/dispatch.h"
#include "compute/workload/life_neighbours.h"

namespace loom::cuda {
namespace {

/// Life on expanded storage, under any map: one cell or none for each thread.
template <typename Map, typename Int>
__global__ void __launch_bounds__(kMaxBlockThreads)
    life_expanded_kernel(const __grid_constant__ TileLayout layout, const __grid_constant__ Map map,
                         const __grid_constant__ ExpandedStorage<Int> storage,
                         const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next,
                         LifeRule rule) {
  const ThreadCell<Int> mine = find_cell(map, storage, layout);
  if (!mine.present) return;
  next[mine.offset] =
      next_state(rule, now[mine.offset], count_on_expanded(map.blocked, now, mine.cell, mine.offset));
}

}  // namespace

void step_life_expanded(const MapMethod& method, const BlockedFractal& fractal, const MapTables& tables,
                        const std::uint8_t* now, std::uint8_t* next, LifeRule rule, const Stream& stream) {
  with_map(
      method, fractal, tables, [&]<typename Map, typename Storage>(const Map& map, const Storage& storage) {
        using Int = typename Map::Index;
        if constexpr (std::is_same_v<Storage, ExpandedStorage<Int>>) {
          launch_tiles(life_expanded_kernel<Map, Int>, map, method, 0, stream, map, storage, now, next, rule);
        }
      });
}

}  // namespace loom::cuda
