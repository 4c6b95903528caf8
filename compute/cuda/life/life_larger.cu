#include "compute/cuda/kernel_occupancy.h"
#include "compute/cuda/life/life.h"
#include "compute/cuda/life/life_larger.cuh"

namespace loom::cuda {

void step_larger_life(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                      const std::uint8_t* now, std::uint8_t* next, const LifeRule& rule,
                      const LaunchSlices& slices, const Stream& stream) {
  with_kernel_map(method, fractal, tables, [&](const auto& map, const auto& storage) {
    with_larger_kernel<NoRecorder>(
        method, fractal, rule, map, storage, [&](auto* kernel, const BoxWork& work) {
          launch_larger(kernel, work, map, storage, method, now, next, rule, NoRecorder{}, slices, stream);
        });
  });
}

KernelInfo larger_life_info(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                            const LifeRule& rule) {
  KernelInfo found{.name = "larger_life_kernel", .occupancy = {}};
  with_kernel_map(method, fractal, tables, [&](const auto& map, const auto& storage) {
    with_larger_kernel<NoRecorder>(
        method, fractal, rule, map, storage, [&](auto* kernel, const BoxWork& work) {
          found.occupancy = kernel_occupancy(kernel, threads_of(method, map), work.bytes);
        });
  });
  return found;
}

}  // namespace loom::cuda
