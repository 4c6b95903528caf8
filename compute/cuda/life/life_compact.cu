#include "compute/cuda/kernel_occupancy.h"
#include "compute/cuda/life/life.h"
#include "compute/cuda/life/life_compact.cuh"

namespace loom::cuda {
namespace {

template <typename Rule, typename Use>
void with_kernel(const MapMethod& method, bool halo, const TiledFractal& fractal, const MapTables& tables,
                 const Use& use) {
  with_kernel_map(method, fractal, tables, [&](const auto& map, const auto& storage) {
    with_compact_kernel<Rule, NoRecorder>(method, halo, fractal, tables, map, storage, use);
  });
}

}  // namespace

void step_life_compact(const MapMethod& method, bool halo, const TiledFractal& fractal,
                       const MapTables& tables, const std::uint8_t* now, std::uint8_t* next, LifeRule rule,
                       const LaunchSlices& slices, const Stream& stream) {
  with_states(rule, [&]<typename Rule>(const Rule& of) {
    with_kernel<Rule>(method, halo, fractal, tables,
                      [&](auto* kernel, const auto& map, std::size_t shared_bytes, const auto&... arguments) {
                        launch_tiles(kernel, map, method, shared_bytes, slices, stream, map, arguments...,
                                     now, next, LifeRuleTable(of), NoRecorder{});
                      });
  });
}

KernelInfo life_compact_info(const MapMethod& method, bool halo, const TiledFractal& fractal,
                             const MapTables& tables, const LifeRule& rule) {
  KernelInfo found{.name = halo ? "life_compact_rows_kernel" : "life_compact_kernel", .occupancy = {}};
  with_states(rule, [&]<typename Rule>(const Rule&) {
    with_kernel<Rule>(method, halo, fractal, tables,
                      [&](auto* kernel, const auto& map, std::size_t shared_bytes, const auto&...) {
                        found.occupancy = kernel_occupancy(kernel, threads_of(method, map), shared_bytes);
                      });
  });
  return found;
}

}  // namespace loom::cuda
