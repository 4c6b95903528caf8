#include "compute/cpu/life/count.h"

#include "compute/cpu/life/tile_loop.h"
#include "compute/map/dispatch.h"
#include "compute/workload/counting.h"

namespace loom::cpu {

#pragma omp declare reduction(+ : ThreadCount : omp_out += omp_in)

ThreadCount count_threads(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables) {
  return with_map(method, fractal, tables, []<typename Map>(const Map& map, const auto&) {
    const CountingStorage<Map> storage(map.tiled);
    using Cell = Coord<typename Map::Index>;
    const LaunchShape shape = map.launch_shape();
    const TileChunks<typename Map::Index> runs(shape);
    ThreadCount count;
#pragma omp parallel for schedule(static) reduction(+ : count)
    for (std::int64_t r = 0; r < runs.count(); ++r) {
      runs.for_each_tile(r, [&](Cell tile) {
        ++count.tiles_launched;
        for_each_thread(shape, [&](Coord32) { ++count.threads_launched; });
        const std::uint64_t before = count.threads_active;
        for_each_cell(map, storage, shape, tile, [&](Cell cell, std::uint64_t at) {
          ++count.threads_active;
          if (!is_stored_at(storage, cell, at)) ++count.threads_misplaced;
        });
        if (count.threads_active > before) ++count.tiles_occupied;
      });
    }
    return count;
  });
}

}  // namespace loom::cpu
