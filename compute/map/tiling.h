#pragma once

#include <cstdint>
#include <vector>

#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"
#include "compute/map/thread_map.h"

namespace loom {

/// The number of rho x rho tiles of a thread map that one thread block of the GPU works on. The thread block
/// processes `parallel` tiles at a time, each by its own threads, and then continues with the next ones. A
/// GPU starts about two thread blocks per nanosecond, however small they are, and the other threads wait
/// while a tile's coordinate is computed; all tiles of a thread block share both costs. The tiles of a thread
/// block are neighbours in the grid. If the grid size is not a multiple of the tiling, the threads of tiles
/// outside the grid are idle.
struct Tiling {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t parallel = 1;
  std::uint32_t tiles() const { return x * y; }
};

/// The allowed numbers of tiles for a method, ascending: powers of k (of s_x for the bounding box), or
/// products over the lowest levels, which divide the grid's width. tensor-2 always has 4 and tensor-3 always
/// has 1, whatever `method.tiles` is.
std::vector<std::uint32_t> allowed_tiles(const MapMethod& method, const TiledFractal& fractal);

/// The tiling of a valid method. Automatic selects the fastest measured one. Does not allocate memory.
Tiling tiling_of(const MapMethod& method, const TiledFractal& fractal);

/// The largest number of tiles per thread block of any method.
inline constexpr std::uint32_t kMaxTiles = 256;

/// The GPU launch for one run over the map's parallel space.
struct GpuLaunch {
  Tiling tiling;
  std::uint64_t blocks_x = 1;  ///< thread blocks
  std::uint64_t blocks_y = 1;
  std::uint32_t threads_of_tile = 1;
  std::uint32_t threads = 1;  ///< threads per thread block: those of the tiles that are processed in
                              ///< parallel, rounded up to whole warps if warps compute the tile coordinates
  std::uint64_t thread_blocks() const { return blocks_x * blocks_y; }
};

/// The launch of a valid method whose parallel space is `shape`. Does not allocate memory.
GpuLaunch gpu_launch(const MapMethod& method, const TiledFractal& fractal, const LaunchShape& shape);

}  // namespace loom
