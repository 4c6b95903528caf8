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

/// How the threads of a thread block share its tiles, the rho x rho blocks of a thread map: what every map
/// kernel takes as its first parameter. A bounding box's thread block has dimensions (rho_x, rho_y, tiles);
/// the other maps number their threads along x, tile by tile for as many tiles as they work on at once,
/// filled up to whole warps where their arithmetic needs these.
struct TileLayout {
  FastDivisor<std::uint32_t> threads_of_tile;
  FastDivisor<std::uint32_t> rho_x;
  FastDivisor<std::uint32_t> rho_y;
  std::uint32_t tiles_x = 1;
  std::uint32_t tiles_y = 1;
  std::uint32_t parallel = 1;          ///< tiles at once
  std::uint32_t tiles_of_product = 1;  ///< that one matrix product places
  std::uint64_t grid_x = 1;            ///< where the blocks of the thread map's grid end
  std::uint64_t grid_y = 1;
  Coord64 first;  ///< the thread block that is at blockIdx (0, 0)
  LOOM_HOST_DEVICE std::uint32_t tiles() const { return tiles_x * tiles_y; }
};

/// Threads of a thread block of a method.
template <typename Map>
std::uint32_t threads_of(const MapMethod& method, const Map& map) {
  return gpu_launch(method, map.blocked, map.launch_shape()).threads;
}

/// Steps of a thread block at most (LaunchSlices): at each position a look whether it is a cell, and at the
/// bytes around; for each tile its place, and under the compact map those of its neighbours.
template <typename Map>
std::uint64_t steps_of_tiles(const MapMethod& method, const Map& map, const Tiling& tiling) {
  const auto level = static_cast<std::uint64_t>(map.blocked.level);
  const std::uint64_t of_place = 8 + 2 * level;
  const std::uint64_t places = method.map == MapKind::kCompact ? 10 : 1;
  const bool box = method.map == MapKind::kBoundingBox;
  const std::uint64_t of_tile =
      map.blocked.block_area() * (box ? 4 + level / 4 : 8) + (box ? 0 : places * of_place);
  return tiling.tiles() * of_tile;
}

/// Launches the thread blocks of a method over its grid. Grids beyond CUDA's limits (2^31 - 1 blocks in x,
/// 65535 in y), and those that could take long, are launched in parts: rows of thread blocks, or parts of
/// one.
template <typename Map, typename... Parameters, typename... Arguments>
void launch_tiles(void (*kernel)(TileLayout, Parameters...), const Map& map, const MapMethod& method,
                  std::size_t shared_bytes, const LaunchSlices& slices, const Stream& stream,
                  const Arguments&... arguments) {
  constexpr std::uint64_t kMaxX = (std::uint64_t{1} << 31) - 1;
  constexpr std::uint64_t kMaxY = 65535;
  const LaunchShape shape = map.launch_shape();
  const GpuLaunch launch = gpu_launch(method, map.blocked, shape);
  const bool box = method.map == MapKind::kBoundingBox;
  const dim3 threads =
      box ? dim3(shape.threads_x, shape.threads_y, launch.tiling.tiles()) : dim3(launch.threads);
  TileLayout layout{.threads_of_tile = FastDivisor<std::uint32_t>(launch.threads_of_tile),
                    .rho_x = FastDivisor<std::uint32_t>(map.blocked.rho_x),
                    .rho_y = FastDivisor<std::uint32_t>(map.blocked.rho_y),
                    .tiles_x = launch.tiling.x,
                    .tiles_y = launch.tiling.y,
                    .parallel = launch.tiling.parallel,
                    .tiles_of_product = method.arithmetic == MapArithmetic::kTensor2 ? 4u : 1u,
                    .grid_x = shape.blocks_x,
                    .grid_y = shape.first_y + shape.blocks_y,
                    .first = {}};
  const std::uint64_t most =
      slices.most_items(steps_of_tiles(method, map, launch.tiling), slices.multiprocessors);
  const std::uint64_t part_x = std::min(kMaxX, std::min(most, launch.blocks_x));
  const std::uint64_t part_y = std::clamp<std::uint64_t>(most / launch.blocks_x, 1, kMaxY);
  for (std::uint64_t y = 0; y < launch.blocks_y; y += part_y) {
    for (std::uint64_t x = 0; x < launch.blocks_x; x += part_x) {
      if (x > 0 || y > 0) slices.between();
      const dim3 blocks(static_cast<unsigned>(std::min(part_x, launch.blocks_x - x)),
                        static_cast<unsigned>(std::min(part_y, launch.blocks_y - y)));
      layout.first = {x, shape.first_y + y};  // a part's rows have a row of tiles each
      kernel<<<blocks, threads, shared_bytes, stream.get()>>>(layout, arguments...);
      LOOM_CUDA(cudaGetLastError());
    }
  }
}

}  // namespace loom::cuda
