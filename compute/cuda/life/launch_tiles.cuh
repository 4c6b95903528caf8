#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "compute/core/coord.h"
#include "compute/core/fast_divisor.h"
#include "compute/cuda/check.h"
#include "compute/cuda/launch_slices.h"
#include "compute/cuda/stream.h"
#include "compute/map/tiling.h"

namespace loom::cuda {

/// The assignment of a thread block's threads to its tiles, the rho x rho tiles of a thread map; the first
/// parameter of every map kernel. A thread block of the bounding box has dimensions (rho_x, rho_y, tiles).
/// Other maps number their threads along x, tile by tile for the tiles that are processed in parallel,
/// rounded up to whole warps if their arithmetic requires it.
struct TileLayout {
  FastDivisor<std::uint32_t> threads_of_tile;
  FastDivisor<std::uint32_t> rho_x;
  FastDivisor<std::uint32_t> rho_y;
  std::uint32_t tiles_x = 1;
  std::uint32_t tiles_y = 1;
  std::uint32_t parallel = 1;          ///< tiles that are processed in parallel
  std::uint32_t tiles_of_product = 1;  ///< tiles that one matrix product maps
  std::uint64_t grid_x = 1;            ///< size of the thread map's grid in tiles
  std::uint64_t grid_y = 1;
  Coord64 first;  ///< the thread block that is at blockIdx (0, 0)
  LOOM_HOST_DEVICE std::uint32_t tiles() const { return tiles_x * tiles_y; }
};

/// The calling thread block's coordinate in a launch that may have been divided.
__device__ __forceinline__ Coord64 block_in_launch(const TileLayout& layout) {
  return {layout.first.x + blockIdx.x, layout.first.y + blockIdx.y};
}

/// Threads per thread block of a method.
template <typename Map>
std::uint32_t threads_of(const MapMethod& method, const Map& map) {
  return gpu_launch(method, map.tiled, map.launch_shape()).threads;
}

/// The largest number of steps per thread block (LaunchSlices): at each position, a test whether it is a cell
/// and reads of its neighbours; for each tile, the map of its coordinate and, for the compact map, of its
/// neighbours.
template <typename Map>
std::uint64_t steps_of_tiles(const MapMethod& method, const Map& map, const Tiling& tiling) {
  const auto level = static_cast<std::uint64_t>(map.tiled.level);
  const std::uint64_t of_place = 8 + 2 * level;
  const std::uint64_t places = method.map == MapKind::kCompact ? 10 : 1;
  const bool box = method.map == MapKind::kBoundingBox;
  const std::uint64_t of_tile =
      map.tiled.points_per_tile() * (box ? 4 + level / 4 : 8) + (box ? 0 : places * of_place);
  return tiling.tiles() * of_tile;
}

/// Launches the thread blocks of a method over its grid. Grids beyond CUDA's limits (2^31 - 1 thread blocks
/// in x, 65535 in y) and long work are divided into several launches of whole or partial rows of thread
/// blocks.
template <typename Map, typename... Parameters, typename... Arguments>
void launch_tiles(void (*kernel)(TileLayout, Parameters...), const Map& map, const MapMethod& method,
                  std::size_t shared_bytes, const LaunchSlices& slices, const Stream& stream,
                  const Arguments&... arguments) {
  constexpr std::uint64_t kMaxX = (std::uint64_t{1} << 31) - 1;
  constexpr std::uint64_t kMaxY = 65535;
  const LaunchShape shape = map.launch_shape();
  const GpuLaunch launch = gpu_launch(method, map.tiled, shape);
  const bool box = method.map == MapKind::kBoundingBox;
  const dim3 threads =
      box ? dim3(shape.threads_x, shape.threads_y, launch.tiling.tiles()) : dim3(launch.threads);
  TileLayout layout{.threads_of_tile = FastDivisor<std::uint32_t>(launch.threads_of_tile),
                    .rho_x = FastDivisor<std::uint32_t>(map.tiled.rho_x),
                    .rho_y = FastDivisor<std::uint32_t>(map.tiled.rho_y),
                    .tiles_x = launch.tiling.x,
                    .tiles_y = launch.tiling.y,
                    .parallel = launch.tiling.parallel,
                    .tiles_of_product = method.arithmetic == MapArithmetic::kTensor2 ? 4u : 1u,
                    .grid_x = shape.tiles_x,
                    .grid_y = shape.first_y + shape.tiles_y,
                    .first = {}};
  const std::uint64_t most =
      slices.max_items(steps_of_tiles(method, map, launch.tiling), slices.multiprocessors);
  const std::uint64_t part_x = std::min(kMaxX, std::min(most, launch.blocks_x));
  const std::uint64_t part_y = std::clamp<std::uint64_t>(most / launch.blocks_x, 1, kMaxY);
  for (std::uint64_t y = 0; y < launch.blocks_y; y += part_y) {
    for (std::uint64_t x = 0; x < launch.blocks_x; x += part_x) {
      if (x > 0 || y > 0) slices.between();
      const dim3 blocks(static_cast<unsigned>(std::min(part_x, launch.blocks_x - x)),
                        static_cast<unsigned>(std::min(part_y, launch.blocks_y - y)));
      layout.first = {x, shape.first_y + y};  // a partition has a single row of tiles per thread block
      kernel<<<blocks, threads, shared_bytes, stream.get()>>>(layout, arguments...);
      LOOM_CUDA(cudaGetLastError());
    }
  }
}

}  // namespace loom::cuda
