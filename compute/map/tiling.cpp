#include "compute/map/tiling.h"

#include <algorithm>

#include "compute/core/integer_math.h"
#include "compute/map/staged_tile.h"

namespace loom {
namespace {

/// Threads of a thread block that works on several tiles: enough that a GPU's multiprocessor is full with a
/// few of them, few enough that one waiting for its places leaves others at work.
constexpr std::uint32_t kThreads = 256;
/// Automatic: how often a thread goes on to a further tile at most, and how many thread blocks remain at
/// least, so that a large GPU has some for each place in its multiprocessors and the last few do not matter.
constexpr std::uint32_t kRounds = 12;
constexpr std::uint64_t kThreadBlocks = 4096;

/// Shared memory that a thread block has without asking for more, 48 KiB, less what kernels always take.
constexpr std::uint32_t kSharedBytes = 32 * 1024;

bool is_box(const MapMethod& method) {
  return method.map == MapKind::kBoundingBox;
}
bool is(const MapMethod& method, MapArithmetic arithmetic) {
  return !is_box(method) && method.arithmetic == arithmetic;
}

/// Of a tile, at most: the copy of its cells, their next states, and on the compact map where its nine neighbours
/// begin.
std::uint32_t shared_bytes_of_tile(const MapMethod& method, const BlockedFractal& fractal) {
  const StagedTile staged{static_cast<int>(fractal.rho_x), static_cast<int>(fractal.rho_y)};
  const std::uint32_t neighbours = method.map == MapKind::kCompact ? 9 * sizeof(std::uint64_t) : 0;
  return static_cast<std::uint32_t>(staged.bytes()) + fractal.block_area() + neighbours;
}

/// Calls `use` with each allowed number of tiles but 1, ascending, of a method that may choose.
template <typename Use>
void for_each_tile_count(const MapMethod& method, const BlockedFractal& fractal, const Use& use) {
  const std::uint32_t base = is_box(method) ? fractal.shape.s_x : fractal.shape.k;
  if (base == 1) return;
  const std::uint64_t wide = is_box(method) ? fractal.grid_x : fractal.orthotope_x;
  std::uint32_t most = kMaxTiles;
  // The bounding box's tiles are the third dimension of a CUDA thread block, which is at most 64.
  if (is_box(method)) most = std::min(64u, kMaxBlockThreads / fractal.block_area());
  if (!is_box(method)) most = std::min(most, kSharedBytes / shared_bytes_of_tile(method, fractal));
  for (std::uint64_t tiles = base; tiles <= most && tiles <= wide; tiles *= base) {
    use(static_cast<std::uint32_t>(tiles));
  }
}

/// How many of `tiles` a thread block works on at once.
std::uint32_t parallel_tiles(const MapMethod& method, const BlockedFractal& fractal, std::uint32_t tiles) {
  if (is_box(method)) return tiles;
  const std::uint32_t threads = threads_of_block(method, fractal);
  std::uint32_t parallel = 1;
  while (parallel < tiles && parallel * fractal.shape.k * threads <= kThreads) parallel *= fractal.shape.k;
  return parallel;
}

}  // namespace

std::vector<std::uint32_t> allowed_tiles(const MapMethod& method, const BlockedFractal& fractal) {
  if (is(method, MapArithmetic::kTensor2)) return {4};
  std::vector<std::uint32_t> allowed = {1};
  if (is(method, MapArithmetic::kTensor3)) return allowed;
  for_each_tile_count(method, fractal, [&](std::uint32_t tiles) { allowed.push_back(tiles); });
  return allowed;
}

Tiling tiling_of(const MapMethod& method, const BlockedFractal& fractal) {
  if (is(method, MapArithmetic::kTensor2)) return {2, 2, 4};
  if (is(method, MapArithmetic::kTensor3)) return {1, 1, 1};
  std::uint32_t tiles = method.tiles;
  if (tiles == 0) {
    tiles = 1;
    const std::uint64_t blocks =
        is_box(method) ? fractal.grid_x * fractal.grid_y : fractal.orthotope_blocks();
    for_each_tile_count(method, fractal, [&](std::uint32_t more) {
      const bool at_once = more == parallel_tiles(method, fractal, more);
      const bool enough = is_box(method)
                              ? more * fractal.block_area() <= 2 * kThreads
                              : at_once || (more <= kRounds * parallel_tiles(method, fractal, more) &&
                                            blocks / more >= kThreadBlocks);
      if (enough) tiles = more;
    });
  }
  return {tiles, 1, parallel_tiles(method, fractal, tiles)};
}

GpuLaunch gpu_launch(const MapMethod& method, const BlockedFractal& fractal, const LaunchShape& shape) {
  GpuLaunch launch;
  launch.tiling = tiling_of(method, fractal);
  launch.blocks_x = ceil_divide<std::uint64_t>(shape.blocks_x, launch.tiling.x);
  launch.blocks_y = ceil_divide<std::uint64_t>(shape.blocks_y, launch.tiling.y);
  launch.threads_of_tile = shape.threads_x * shape.threads_y;
  launch.threads = launch.threads_of_tile * launch.tiling.parallel;
  const bool whole_warps =
      !is_box(method) && (method.arithmetic == MapArithmetic::kShuffle || is_tensor(method.arithmetic));
  if (whole_warps) launch.threads = ceil_divide(launch.threads, 32u) * 32;
  return launch;
}

}  // namespace loom
