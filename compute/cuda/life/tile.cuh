#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "compute/core/coord.h"
#include "compute/core/fast_divisor.h"
#include "compute/cuda/check.h"
#include "compute/cuda/launch_slices.h"
#include "compute/cuda/stream.h"
#include "compute/map/bounding_box.h"
#include "compute/map/thread_map.h"
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

/// Uninitialized shared memory for a T, declared by a kernel. The content is undefined until written.
template <typename T>
struct SharedMemory {
  __device__ __forceinline__ T& get() { return reinterpret_cast<T&>(bytes); }
  alignas(T) unsigned char bytes[sizeof(T)];
};

// The tile, and the thread index in it, of a CUDA thread.

/// The orientations of a thread block's tiles, in shared memory; nothing if replicas are not turned.
template <bool kTurned>
struct TileTurns {
  __device__ __forceinline__ void set(std::uint32_t tile, Symmetry symmetry) { of[tile] = symmetry; }
  __device__ __forceinline__ Coord32 apply_to(std::uint32_t tile, Coord32 at, std::uint32_t side) const {
    return apply(of[tile], at, side);
  }
  Symmetry of[kMaxTiles];
};
template <>
struct TileTurns<false> {
  __device__ __forceinline__ void set(std::uint32_t, Symmetry) {}
  __device__ __forceinline__ Coord32 apply_to(std::uint32_t, Coord32 at, std::uint32_t) const { return at; }
};

/// The grid coordinate of tile `tile` of this thread block. It may be outside of the grid (in_launch()).
template <typename Int>
__device__ __forceinline__ Coord<Int> coord_of_tile(const TileLayout& layout, std::uint32_t tile) {
  // There are one or two rows of tiles.
  const std::uint32_t row = tile >= layout.tiles_x;
  const std::uint32_t column = tile - row * layout.tiles_x;
  return {(static_cast<Int>(layout.first.x) + blockIdx.x) * layout.tiles_x + column,
          (static_cast<Int>(layout.first.y) + blockIdx.y) * layout.tiles_y + row};
}
template <typename Int>
__device__ __forceinline__ bool in_launch(const TileLayout& layout, Coord<Int> omega) {
  return omega.x < static_cast<Int>(layout.grid_x) && omega.y < static_cast<Int>(layout.grid_y);
}

/// The calling thread's index in its thread block, and the number of threads.
template <typename Map>
__device__ __forceinline__ std::uint32_t rank_in_block() {
  if constexpr (kIsBox<Map>) return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  return threadIdx.x;
}
template <typename Map>
__device__ __forceinline__ std::uint32_t threads_in_block() {
  if constexpr (kIsBox<Map>) return blockDim.x * blockDim.y * blockDim.z;
  return blockDim.x;
}

/// The work of a thread of a map other than the bounding box.
struct TileThread {
  std::uint32_t tile = 0;    ///< index among the tiles that are processed in parallel; threads that only fill
                             ///< up a warp have one past the last
  std::uint32_t number = 0;  ///< thread index in the tile
};

__device__ __forceinline__ TileThread tile_thread(const TileLayout& layout) {
  TileThread mine;
  mine.number = threadIdx.x;
  if (layout.threads_of_tile.value() != blockDim.x) {  // the same for all threads
    mine.tile = layout.threads_of_tile.divide(threadIdx.x);
    mine.number -= mine.tile * layout.threads_of_tile.value();
  }
  return mine;
}

/// A thread's position in its tile, by the map's intra-block mapping; before the tile is turned.
template <typename Map>
__device__ __forceinline__ ThreadPosition position_in_tile(const Map& map, const TileLayout& layout,
                                                           const TileThread& mine) {
  return map.threads.position(map.tiled, mine.number, layout.rho_x);
}

}  // namespace loom::cuda
