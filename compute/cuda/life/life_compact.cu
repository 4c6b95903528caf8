#include "compute/cuda/kernel_occupancy.h"
#include "compute/cuda/life/life.h"
#include "compute/cuda/life/life_compact.cuh"

namespace loom::cuda {
namespace {

template <typename Map, typename Int>
__global__ void __launch_bounds__(kMaxBlockThreads)
    life_compact_kernel(const __grid_constant__ TileLayout layout, const __grid_constant__ Map map,
                        const __grid_constant__ TiledCompactStorage<Int> storage,
                        const __grid_constant__ NeighbourList list, const std::uint8_t* __restrict__ now,
                        std::uint8_t* __restrict__ next, LifeRule rule) {
  life_compact_block(layout, map, storage, list, now, next, rule);
}

template <typename Map, typename Int>
__global__ void __launch_bounds__(kMaxBlockThreads)
    life_compact_rows_kernel(const __grid_constant__ TileLayout layout, const __grid_constant__ Map map,
                             const __grid_constant__ TiledCompactStorage<Int> storage,
                             const __grid_constant__ NeighbourList list, const __grid_constant__ Staging work,
                             const HaloCell* __restrict__ halo, std::uint32_t halo_cells,
                             const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next,
                             const __grid_constant__ LifeRuleTable rule) {
  life_compact_rows_block(layout, map, storage, list, work, halo, halo_cells, now, next, rule);
}

struct Kernels {
  template <typename Map, typename Int>
  static auto compact() {
    return life_compact_kernel<Map, Int>;
  }
  template <typename Map, typename Int>
  static auto compact_rows() {
    return life_compact_rows_kernel<Map, Int>;
  }
};

template <typename Use>
void with_kernel(const MapMethod& method, bool halo, const TiledFractal& fractal, const MapTables& tables,
                 const Use& use) {
  with_kernel_map(method, fractal, tables, [&](const auto& map, const auto& storage) {
    with_compact_kernel<Kernels>(method, halo, fractal, tables, map, storage, use);
  });
}

}  // namespace

void step_life_compact(const MapMethod& method, bool halo, const TiledFractal& fractal,
                       const MapTables& tables, const std::uint8_t* now, std::uint8_t* next, LifeRule rule,
                       const LaunchSlices& slices, const Stream& stream) {
  with_kernel(method, halo, fractal, tables,
              [&](auto* kernel, const auto& map, std::size_t shared_bytes, const auto&... arguments) {
                launch_tiles(kernel, map, method, shared_bytes, slices, stream, map, arguments..., now, next,
                             LifeRuleTable(rule));
              });
}

KernelInfo life_compact_info(const MapMethod& method, bool halo, const TiledFractal& fractal,
                             const MapTables& tables) {
  KernelInfo found{.name = halo ? "life_compact_rows_kernel" : "life_compact_kernel", .occupancy = {}};
  with_kernel(method, halo, fractal, tables,
              [&](auto* kernel, const auto& map, std::size_t shared_bytes, const auto&...) {
                found.occupancy = kernel_occupancy(kernel, threads_of(method, map), shared_bytes);
              });
  return found;
}

}  // namespace loom::cuda
