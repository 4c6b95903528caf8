#include "compute/cpu/life/reduction.h"

#include "compute/cpu/life/tile_loop.h"
#include "compute/map/dispatch.h"
#include "compute/workload/reduction.h"

namespace loom::cpu {

std::uint64_t reduce(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                     std::uint8_t* cells, const ProgressScope& call) {
  const auto sum_of = [&call]<typename Map, typename Storage, typename Cells>(
                          const Map& map, const Storage& storage, Cells held) {
    using Cell = Coord<typename Map::Index>;
    const LaunchShape shape = map.launch_shape();
    return sum_over_tiles<typename Map::Index>(shape, call, [=](Cell tile) {
      std::uint64_t sum = 0;
      for_each_cell(map, storage, shape, tile, [&sum, held](Cell cell, std::uint64_t at) {
        sum += reduction_value(cell, held.load(at));
      });
      return sum;
    });
  };
  return with_map(method, fractal, tables, [&](const auto& map, const auto& storage) {
    return sum_of(map, storage, ByteCells{cells});
  });
}

}  // namespace loom::cpu
