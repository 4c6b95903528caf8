#include "compute/cpu/life/reduction.h"

#include "compute/cpu/life/block_walk.h"
#include "compute/map/dispatch.h"
#include "compute/workload/reduction.h"

namespace loom::cpu {

std::uint64_t reduce(const MapMethod& method, const BlockedFractal& fractal, const MapTables& tables,
                     const std::uint8_t* cells, const WatchedCall& call) {
  return with_map(method, fractal, tables,
                  [&, cells]<typename Map, typename Storage>(const Map& map, const Storage& storage) {
                    using Cell = Coord<typename Map::Index>;
                    const LaunchShape shape = map.launch_shape();
                    return sum_over_blocks<typename Map::Index>(shape, call, [=](Cell block) {
                      std::uint64_t sum = 0;
                      for_each_cell(map, storage, shape, block, [&sum, cells](Cell cell, std::uint64_t at) {
                        sum += reduction_value(cell, cells[at]);
                      });
                      return sum;
                    });
                  });
}

}  // namespace loom::cpu
