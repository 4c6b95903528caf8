#include "compute/cuda/kernel_occupancy.h"
#include "compute/cuda/life/life.h"
#include "compute/cuda/life/life_expanded.cuh"

namespace loom::cuda {
namespace {

template <typename Rule, typename Use>
void with_kernel(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                 const Use& use) {
  with_kernel_map(method, fractal, tables, [&](const auto& map, const auto& storage) {
    with_expanded_kernel<Rule, NoRecorder>(method, fractal, tables, map, storage, use);
  });
}

/// The kernels differ in the number of arguments between the map and the cells.
constexpr const char* name_of_kernel(std::size_t arguments) {
  if (arguments == 1) return "life_expanded_kernel";
  return arguments == 2 ? "life_expanded_gathered_kernel" : "life_expanded_rows_kernel";
}

}  // namespace

void step_life_expanded(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                        const std::uint8_t* now, std::uint8_t* next, LifeRule rule,
                        const LaunchSlices& slices, const Stream& stream) {
  with_states(rule, [&]<typename Rule>(const Rule& of) {
    with_kernel<Rule>(method, fractal, tables,
                      [&](auto* kernel, const auto& map, std::size_t shared_bytes, const auto&... arguments) {
                        launch_tiles(kernel, map, method, shared_bytes, slices, stream, map, arguments...,
                                     now, next, LifeRuleTable(of), NoRecorder{});
                      });
  });
}

KernelInfo life_expanded_info(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                              const LifeRule& rule) {
  KernelInfo found;
  with_states(rule, [&]<typename Rule>(const Rule&) {
    with_kernel<Rule>(method, fractal, tables,
                      [&](auto* kernel, const auto& map, std::size_t shared_bytes, const auto&... arguments) {
                        found = {
                            .name = name_of_kernel(sizeof...(arguments)),
                            .occupancy = kernel_occupancy(kernel, threads_of(method, map), shared_bytes)};
                      });
  });
  return found;
}

}  // namespace loom::cuda
