#include "compute/cpu/life/life.h"
#include "compute/cpu/life/life_step.h"
#include "compute/cpu/life/tile_loop.h"
#include "compute/map/dispatch.h"
#include "compute/workload/cell_work.h"

namespace loom::cpu {

#pragma omp declare reduction(+ : ThreadCount : omp_out += omp_in)

ThreadCount count_threads(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables) {
  // The intra-block mapping as a value: what counts need not be fast, and this is a third of the code.
  return with_kernel_map(method, fractal, tables, []<typename Map>(const Map& map, const auto&) {
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

std::uint64_t reduce(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                     std::uint8_t* cells, const ProgressScope& call) {
  return with_map(method, fractal, tables, [&]<typename Map>(const Map& map, const auto& storage) {
    using Cell = Coord<typename Map::Index>;
    const LaunchShape shape = map.launch_shape();
    const ByteCells held{cells};
    return sum_over_tiles<typename Map::Index>(shape, call, [=](Cell tile) {
      std::uint64_t sum = 0;
      for_each_cell(map, storage, shape, tile, [&sum, held](Cell cell, std::uint64_t at) {
        sum += reduction_value(cell, held.load(at));
      });
      return sum;
    });
  });
}

void single_write(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                  std::uint8_t* cells, std::uint32_t generation, const ProgressScope& call) {
  with_map(method, fractal, tables, [&]<typename Map>(const Map& map, const auto& storage) {
    using Cell = Coord<typename Map::Index>;
    const LaunchShape shape = map.launch_shape();
    const ByteCells held{cells};
    for_each_tile<typename Map::Index>(shape, call, [=](Cell tile) {
      for_each_cell(map, storage, shape, tile, [=](Cell cell, std::uint64_t at) {
        held.store(at, single_write_value(cell, generation));
      });
    });
  });
}

}  // namespace loom::cpu
