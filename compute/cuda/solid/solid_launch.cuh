#pragma once

#include <algorithm>
#include <cstdint>

#include "compute/core/fast_divisor.h"
#include "compute/cuda/check.h"
#include "compute/cuda/solid/solid_kernels.h"

namespace loom::cuda {

/// The assignment of a thread block's threads to tiles; the first parameter of every map kernel.
struct SolidLayout {
  FastDivisor<std::uint32_t> threads_of_tile;
  std::uint32_t tiles = 1;
  std::uint32_t rounds = 1;  ///< tiles per thread
  std::uint32_t groups = 1;  ///< of threads: tiles / rounds
  std::uint64_t grid_tiles = 1;
  std::uint64_t first_block = 0;  ///< of this launch
};

/// The group of tiles and the index in a tile of the calling thread.
struct SolidThread {
  std::uint32_t group = 0;
  std::uint32_t number = 0;
};
__device__ __forceinline__ SolidThread solid_thread(const SolidLayout& layout) {
  const std::uint32_t group = layout.threads_of_tile.divide(threadIdx.x);
  return {group, threadIdx.x - group * layout.threads_of_tile.value()};
}
/// The number of the thread block's first tile.
__device__ __forceinline__ std::uint64_t first_tile(const SolidLayout& layout) {
  return (layout.first_block + blockIdx.x) * layout.tiles;
}

/// Computes the expanded coordinates of the thread block's tiles. The caller must pass a barrier afterwards.
__device__ __forceinline__ void find_places(const SolidMap& map, const SolidLayout& layout, Coord3* places) {
  const std::uint64_t first = first_tile(layout);
  for (std::uint32_t tile = threadIdx.x; tile < layout.tiles; tile += blockDim.x) {
    if (first + tile < layout.grid_tiles) places[tile] = map.place(first + tile);
  }
}

/// Calls `use(cell, offset, is first cell of its tile)` for each cell of the calling thread. All threads of
/// the thread block must take part; the dynamic shared memory must hold the tiles' coordinates.
template <typename Use>
__device__ __forceinline__ void for_each_solid_cell(const SolidMap& map, const SolidLayout& layout,
                                                    const Use& use) {
  extern __shared__ uint4 dynamic[];
  auto* const places = reinterpret_cast<Coord3*>(dynamic);
  find_places(map, layout, places);
  __syncthreads();
  const SolidThread mine = solid_thread(layout);
  const std::uint64_t first = first_tile(layout);
  for (std::uint32_t round = 0; round < layout.rounds; ++round) {
    const std::uint32_t tile = mine.group * layout.rounds + round;
    if (first + tile >= layout.grid_tiles) return;
    const SolidPosition position = map.position(places[tile], mine.number);
    if (position.present)
      use(tile, map.cell(places[tile], position.at), map.offset(first + tile, places[tile], position.at));
  }
}

/// Launches the thread blocks of a program, in several launches if there are more than CUDA allows or if they
/// would run too long.
template <typename... Parameters, typename... Arguments>
void launch_solid(void (*kernel)(SolidLayout, Parameters...), const SolidProgram& program,
                  std::uint32_t shared_bytes, const LaunchSlices& slices, const Stream& stream,
                  const Arguments&... arguments) {
  constexpr std::uint64_t kMaxBlocks = (std::uint64_t{1} << 31) - 1;
  const SolidMap& map = program.map;
  const SolidLaunch& launch = program.launch;
  SolidLayout layout{.threads_of_tile = FastDivisor<std::uint32_t>(map.threads_per_tile()),
                     .tiles = launch.tiling.tiles,
                     .rounds = launch.tiling.rounds,
                     .groups = launch.tiling.parallel,
                     .grid_tiles = map.tiles()};
  // A thread reads 27 bytes per tile; lambda and nu take a few steps per level.
  const auto levels = static_cast<std::uint64_t>(map.tiled.level);
  const std::uint64_t steps = launch.tiling.tiles * (8 * map.threads_per_tile() + 27 * (4 + 2 * levels));
  const std::uint64_t part = std::min(kMaxBlocks, slices.max_items(steps, slices.multiprocessors));
  for (std::uint64_t first = 0; first < launch.blocks; first += part) {
    if (first > 0) slices.between();
    layout.first_block = first;
    const auto blocks = static_cast<unsigned>(std::min(part, launch.blocks - first));
    kernel<<<blocks, launch.threads, shared_bytes, stream.get()>>>(layout, arguments...);
    LOOM_CUDA(cudaGetLastError());
  }
}

/// The shared memory that for_each_solid_cell() needs.
inline std::uint32_t bytes_of_places(const SolidProgram& program) {
  return program.launch.tiling.tiles * static_cast<std::uint32_t>(sizeof(Coord3));
}

}  // namespace loom::cuda
