#include "compute/cpu/life/single_write.h"

#include "compute/cpu/life/block_walk.h"
#include "compute/map/dispatch.h"
#include "compute/workload/single_write.h"

namespace loom::cpu {

void single_write(const MapMethod& method, const BlockedFractal& fractal, const MapTables& tables,
                  std::uint8_t* cells, std::uint32_t generation, const WatchedCall& call) {
  with_map(method, fractal, tables,
           [&, cells, generation]<typename Map, typename Storage>(const Map& map, const Storage& storage) {
             using Cell = Coord<typename Map::Index>;
             const LaunchShape shape = map.launch_shape();
             for_each_block<typename Map::Index>(shape, call, [=](Cell block) {
               for_each_cell(map, storage, shape, block, [=](Cell cell, std::uint64_t at) {
                 cells[at] = single_write_value(cell, generation);
               });
             });
           });
}

}  // namespace loom::cpu
