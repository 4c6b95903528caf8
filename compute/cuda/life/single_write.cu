#include <type_traits>

#include "compute/cuda/life/byte_kernels.h"
#include "compute/cuda/life/row_tiles.cuh"
#include "compute/cuda/life/thread_cell.cuh"
#include "compute/map/dispatch.h"
#include "compute/workload/cell_work.h"

namespace loom::cuda {
namespace {

template <typename Map, typename Storage>
__global__ void __launch_bounds__(kMaxBlockThreads)
    single_write_kernel(const __grid_constant__ TileLayout layout, const __grid_constant__ Map map,
                        const __grid_constant__ Storage storage, std::uint8_t* __restrict__ cells,
                        std::uint32_t generation) {
  for_each_cell(map, storage, layout,
                [&](const auto& mine) { cells[mine.offset] = single_write_value(mine.cell, generation); });
}

/// The same on expanded storage, written row by row.
template <typename Map, typename Storage>
__global__ void __launch_bounds__(kMaxBlockThreads)
    single_write_rows_kernel(const __grid_constant__ TileLayout layout, const __grid_constant__ Map map,
                             const __grid_constant__ Storage storage, const __grid_constant__ RowWork work,
                             std::uint8_t* __restrict__ cells, std::uint32_t generation) {
  write_in_rows(map, storage, layout, work, cells,
                [&](const auto& mine) { return single_write_value(mine.cell, generation); });
}

}  // namespace

void single_write(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                  std::uint8_t* cells, std::uint32_t generation, const LaunchSlices& slices,
                  const Stream& stream) {
  with_kernel_map(
      method, fractal, tables, [&]<typename Map, typename Storage>(const Map& map, const Storage& storage) {
        using Int = typename Map::Index;
        if constexpr (kWorksOnRows<Map> && std::is_same_v<Storage, ExpandedStorage<Int>>) {
          if (writes_rows(fractal)) {
            launch_tiles(single_write_rows_kernel<Map, Storage>, map, method, staged_states(method, fractal),
                         slices, stream, map, storage,
                         row_work(fractal, fractal.width, threads_of(method, map)), cells, generation);
            return;
          }
        }
        launch_tiles(single_write_kernel<Map, Storage>, map, method, 0, slices, stream, map, storage, cells,
                     generation);
      });
}

}  // namespace loom::cuda
