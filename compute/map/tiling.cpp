#include "compute/map/tiling.h"

#include <algorithm>

#include "compute/core/integer_math.h"
#include "compute/map/dispatch.h"
#include "compute/map/staging.h"

namespace loom {
namespace {

/// Threads of a thread block that works on several tiles: enough to fill a GPU's multiprocessor with a few
/// thread blocks, and few enough that other thread blocks have work while one waits for its tile coordinates.
constexpr std::uint32_t kThreads = 256;
/// Automatic: the largest number of tiles per thread, and the smallest number of thread blocks that remain,
/// so that a large GPU has several per resident slot and the tail does not matter.
constexpr std::uint32_t kRounds = 12;
constexpr std::uint64_t kThreadBlocks = 4096;

/// Shared memory that a thread block has without an opt-in, 48 KiB, minus the static shared memory of the
/// kernels.
constexpr std::uint32_t kSharedBytes = 32 * 1024;

bool is_box(const MapMethod& method) {
  return method.map == MapKind::kBoundingBox;
}
bool is(const MapMethod& method, MapArithmetic arithmetic) {
  return !is_box(method) && method.arithmetic == arithmetic;
}

/// The number of `tiles` that a thread block processes in parallel.
std::uint32_t parallel_tiles(const MapMethod& method, const TiledFractal& fractal, std::uint32_t tiles) {
  if (is_box(method)) return tiles;
  const std::uint32_t threads = threads_per_tile(method, fractal);
  std::uint32_t parallel = 1;
  for (int mu = 1; parallel < tiles; mu += 2) {
    const std::uint32_t k = fractal.coarse_shape(mu).k;
    if (parallel * k * threads > kThreads) break;
    parallel *= k;
  }
  return parallel;
}

/// The largest shared memory of a thread block: the staged copies of the tiles, their next states and, on the
/// compact map, the offsets of their nine neighbours.
std::uint32_t shared_bytes(const MapMethod& method, const TiledFractal& fractal, const Tiling& tiling) {
  const std::uint32_t neighbours = method.map == MapKind::kCompact ? 9 * sizeof(std::uint64_t) : 0;
  return RowMemory(fractal, TileFours(tiling), tiling.tiles() * neighbours).bytes;
}

/// Calls `use` with each allowed tiling except that of one tile, ascending, for methods that have a choice.
template <typename Use>
void for_each_tiling(const MapMethod& method, const TiledFractal& fractal, const Use& use) {
  const std::uint64_t wide = is_box(method) ? fractal.grid_x : fractal.orthotope_x;
  // The bounding box's tiles are the third dimension of a CUDA thread block, which is at most 64.
  const std::uint32_t most =
      is_box(method) ? std::min(64u, kMaxBlockThreads / fractal.points_per_tile()) : kMaxTiles;
  // Neighbours in a row of the bounding box differ in the lowest levels' offsets, in compact space in the
  // digits of the lowest odd levels.
  std::uint64_t tiles = 1;
  for (int mu = 1; mu <= fractal.coarse_level; mu += is_box(method) ? 1 : 2) {
    const NbbShape& shape = fractal.coarse_shape(mu);
    const std::uint32_t factor = is_box(method) ? shape.s_x : shape.k;
    if (factor == 1) continue;
    tiles *= factor;
    if (tiles > most || tiles > wide) return;
    const auto count = static_cast<std::uint32_t>(tiles);
    const Tiling tiling{count, 1, parallel_tiles(method, fractal, count)};
    if (!is_box(method) && shared_bytes(method, fractal, tiling) > kSharedBytes) return;
    use(tiling);
  }
}

}  // namespace

std::vector<std::uint32_t> allowed_tiles(const MapMethod& method, const TiledFractal& fractal) {
  if (is(method, MapArithmetic::kTensor2)) return {4};
  std::vector<std::uint32_t> allowed = {1};
  if (is(method, MapArithmetic::kTensor3)) return allowed;
  for_each_tiling(method, fractal, [&](const Tiling& tiling) { allowed.push_back(tiling.tiles()); });
  return allowed;
}

Tiling tiling_of(const MapMethod& method, const TiledFractal& fractal) {
  if (is(method, MapArithmetic::kTensor2)) return {2, 2, 4};
  if (is(method, MapArithmetic::kTensor3)) return {1, 1, 1};
  std::uint32_t tiles = method.tiles;
  if (tiles == 0) {
    tiles = 1;
    const std::uint64_t tiles_of_grid =
        is_box(method) ? fractal.grid_x * fractal.grid_y : fractal.orthotope_tiles();
    for_each_tiling(method, fractal, [&](const Tiling& more) {
      const bool at_once = more.tiles() == more.parallel;
      const bool enough = is_box(method) ? more.tiles() * fractal.points_per_tile() <= 2 * kThreads
                                         : at_once || (more.tiles() <= kRounds * more.parallel &&
                                                       tiles_of_grid / more.tiles() >= kThreadBlocks);
      if (enough) tiles = more.tiles();
    });
  }
  return {tiles, 1, parallel_tiles(method, fractal, tiles)};
}

GpuLaunch gpu_launch(const MapMethod& method, const TiledFractal& fractal, const LaunchShape& shape) {
  GpuLaunch launch;
  launch.tiling = tiling_of(method, fractal);
  launch.blocks_x = ceil_divide<std::uint64_t>(shape.tiles_x, launch.tiling.x);
  launch.blocks_y = ceil_divide<std::uint64_t>(shape.tiles_y, launch.tiling.y);
  launch.threads_of_tile = shape.threads_x * shape.threads_y;
  launch.threads = launch.threads_of_tile * launch.tiling.parallel;
  const bool whole_warps =
      !is_box(method) && (method.arithmetic == MapArithmetic::kShuffle || is_tensor(method.arithmetic));
  if (whole_warps) launch.threads = ceil_divide(launch.threads, 32u) * 32;
  return launch;
}

LaunchShape launch_shape(const MapMethod& method, const TiledFractal& fractal) {
  if (method.map == MapKind::kBoundingBox) return BoundingBoxMap<std::uint64_t>(fractal).launch_shape();
  return tile_grid_shape(fractal, AnyThreads(method.intra_block, fractal, nullptr));
}

}  // namespace loom
