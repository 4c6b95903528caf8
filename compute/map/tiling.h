#pragma once

#include <cstdint>
#include <vector>

#include "compute/geometry/blocked_fractal.h"
#include "compute/map/map_method.h"
#include "compute/map/thread_map.h"

namespace loom {

/// How many rho x rho blocks of a thread map (tiles) one thread block of the GPU works on: `parallel` of them
/// at once, each by its own threads, and then the next. A GPU starts about two thread blocks a nanosecond
/// however small they are, and finding a place takes time in which the other threads wait: both are shared by
/// all tiles of a thread block. Tiles are neighbours in the grid; where the grid is no multiple of them,
/// those outside idle.
struct Tiling {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t parallel = 1;
  std::uint32_t tiles() const { return x * y; }
};

/// The numbers of tiles that a method may have, ascending: powers of k (of s_x for the bounding box), so that
/// they divide the grid's width. tensor-2 has 4 and tensor-3 has 1, whatever `method.tiles` says.
std::vector<std::uint32_t> allowed_tiles(const MapMethod& method, const BlockedFractal& fractal);

/// The tiling of a valid method. Automatic: the fastest measured. Allocates nothing.
Tiling tiling_of(const MapMethod& method, const BlockedFractal& fractal);

/// Largest number of tiles that any method has.
inline constexpr std::uint32_t kMaxTiles = 256;

/// What a GPU launches for one run over the map's parallel space.
struct GpuLaunch {
  Tiling tiling;
  std::uint64_t blocks_x = 1;  ///< thread blocks
  std::uint64_t blocks_y = 1;
  std::uint32_t threads_of_tile = 1;
  std::uint32_t threads = 1;  ///< of a thread block: those of the tiles that it works on at once, filled up
                              ///< to whole warps where warps compute the places together
  std::uint64_t thread_blocks() const { return blocks_x * blocks_y; }
};

/// The launch of a valid method whose parallel space is `shape`. Allocates nothing.
GpuLaunch gpu_launch(const MapMethod& method, const BlockedFractal& fractal, const LaunchShape& shape);

}  // namespace loom
