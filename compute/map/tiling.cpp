#include "compute/map/tiling.h"

#include <algorithm>

#include "compute/core/integer_math.h"
#include "compute/map/staged_tile.h"

namespace loom {
namespace {

/// Shared memory that a thread block has without asking for more.
constexpr std::uint32_t kSharedBytes = 48 * 1024;

/// Of a tile on the compact map, at most: the copy of its cells and where its nine neighbours begin.
std::uint32_t shared_bytes_of_tile(const BlockedFractal& fractal) {
  const StagedTile staged{static_cast<int>(fractal.rho_x), static_cast<int>(fractal.rho_y)};
  return static_cast<std::uint32_t>(staged.bytes()) + 9 * sizeof(std::uint64_t);
}

}  // namespace

std::vector<std::uint32_t> allowed_tiles(const MapMethod& method, const BlockedFractal& fractal) {
  const bool box = method.map == MapKind::kBoundingBox;
  if (!box && method.arithmetic == MapArithmetic::kTensor2) return {4};
  if (!box && method.arithmetic == MapArithmetic::kTensor3) return {1};
  const std::uint32_t base = box ? fractal.shape.s_x : fractal.shape.k;
  const std::uint64_t wide = box ? fractal.grid_x : fractal.orthotope_x;
  const std::uint32_t threads = threads_of_block(method, fractal);
  std::vector<std::uint32_t> allowed = {1};
  if (base == 1) return allowed;
  // The third dimension of a CUDA thread block, which holds the bounding box's tiles, is at most 64.
  std::uint32_t most = std::min(box ? 64u : kMaxTiles, kMaxBlockThreads / threads);
  if (method.map == MapKind::kCompact) most = std::min(most, kSharedBytes / shared_bytes_of_tile(fractal));
  for (std::uint64_t tiles = base; tiles <= most && tiles <= wide; tiles *= base) {
    allowed.push_back(static_cast<std::uint32_t>(tiles));
  }
  return allowed;
}

Tiling tiling_of(const MapMethod& method, const BlockedFractal& fractal) {
  if (method.map != MapKind::kBoundingBox && method.arithmetic == MapArithmetic::kTensor2) return {2, 2};
  if (method.tiles != 0) return {method.tiles, 1};
  std::uint32_t best = 1;
  for (const std::uint32_t tiles : allowed_tiles(method, fractal)) {
    if (tiles * threads_of_block(method, fractal) <= kAutomaticThreads) best = tiles;
  }
  return {best, 1};
}

GpuLaunch gpu_launch(const MapMethod& method, const BlockedFractal& fractal, const LaunchShape& shape) {
  GpuLaunch launch;
  launch.tiling = tiling_of(method, fractal);
  launch.blocks_x = ceil_divide<std::uint64_t>(shape.blocks_x, launch.tiling.x);
  launch.blocks_y = ceil_divide<std::uint64_t>(shape.blocks_y, launch.tiling.y);
  launch.threads_of_tile = shape.threads_x * shape.threads_y;
  launch.threads = launch.threads_of_tile * launch.tiling.tiles();
  const bool whole_warps = method.map != MapKind::kBoundingBox &&
                           (method.arithmetic == MapArithmetic::kShuffle || is_tensor(method.arithmetic));
  if (whole_warps) launch.threads = ceil_divide(launch.threads, 32u) * 32;
  return launch;
}

}  // namespace loom
