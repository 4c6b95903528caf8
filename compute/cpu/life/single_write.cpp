#include "compute/cpu/life/single_write.h"

#include "compute/cpu/life/tile_loop.h"
#include "compute/map/dispatch.h"
#include "compute/workload/single_write.h"

namespace loom::cpu {

void single_write(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                  std::uint8_t* cells, std::uint32_t generation, const ProgressScope& call) {
  const auto write = [&call, generation]<typename Map, typename Storage, typename Cells>(
                         const Map& map, const Storage& storage, Cells held) {
    using Cell = Coord<typename Map::Index>;
    const LaunchShape shape = map.launch_shape();
    for_each_tile<typename Map::Index>(shape, call, [=](Cell tile) {
      for_each_cell(map, storage, shape, tile, [=](Cell cell, std::uint64_t at) {
        held.store(at, single_write_value(cell, generation));
      });
    });
  };
  with_map(method, fractal, tables,
           [&](const auto& map, const auto& storage) { write(map, storage, ByteCells{cells}); });
}

}  // namespace loom::cpu
