#include "compute/cuda/launch.cuh"
#include "compute/cuda/life/byte_boundary.h"
#include "compute/workload/cell_work.h"

namespace loom::cuda {
namespace {

template <typename Rule>
__global__ void step_cells_kernel(BoundaryCells boundary, const std::uint8_t* __restrict__ now,
                                  std::uint8_t* __restrict__ list, Rule rule) {
  for (std::uint64_t i = grid_thread(); i < boundary.count; i += grid_stride())
    list[i] = next_boundary_state(now, boundary.places, boundary.beside, boundary.count, i, rule);
}

__global__ void place_cells_kernel(BoundaryCells boundary, const std::uint8_t* __restrict__ list,
                                   std::uint8_t* __restrict__ next) {
  for (std::uint64_t i = grid_thread(); i < boundary.count; i += grid_stride())
    next[boundary.places[i]] = list[i];
}

__global__ void gather_bytes_kernel(const std::uint8_t* __restrict__ from,
                                    const std::uint64_t* __restrict__ places, std::uint64_t count,
                                    std::uint8_t* __restrict__ list) {
  for (std::uint64_t i = grid_thread(); i < count; i += grid_stride()) list[i] = from[places[i]];
}

}  // namespace

void step_boundary(const BoundaryCells& boundary, const std::uint8_t* now, std::uint8_t* list, LifeRule rule,
                   const Stream& stream) {
  with_states(rule, [&]<typename Rule>(const Rule& of) {
    launch_items(step_cells_kernel<Rule>, boundary.count, stream, boundary, now, list, of);
  });
}

void scatter_boundary(const BoundaryCells& boundary, const std::uint8_t* list, std::uint8_t* next,
                      const Stream& stream) {
  launch_items(place_cells_kernel, boundary.count, stream, boundary, list, next);
}

void gather_bytes(const std::uint8_t* from, const std::uint64_t* places, std::uint64_t count,
                  std::uint8_t* list, const Stream& stream) {
  launch_items(gather_bytes_kernel, count, stream, from, places, count, list);
}

}  // namespace loom::cuda
