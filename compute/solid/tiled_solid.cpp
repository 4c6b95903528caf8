#include "compute/solid/tiled_solid.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compute/core/error.h"
#include "compute/core/integer_math.h"

namespace loom {
namespace {

/// Calls `use(j, rho_x)` for each allowed tile size, ascending.
template <typename Use>
void for_each_allowed(const SolidFractal& fractal, int level, const Use& use) {
  for (int j = 0; j <= level; ++j) {
    const Coord3 rho = fractal.size(j);
    if (volume(rho) > kMaxBlockThreads) return;
    use(j, rho.x);
    if (fractal.shape().scale.x == 1)
      return;  // rho_x identifies the tile size, so that only j = 0 is possible
  }
}

/// The sides k^ceil(levels/3), k^ceil((levels-1)/3) and k^floor(levels/3) of compact space.
Coord3 orthotope_of(const SolidFractal& fractal, int levels) {
  const auto side = [&](int digits) { return static_cast<std::uint32_t>(fractal.cells(digits)); };
  return {side((levels + 2) / 3), side((levels + 1) / 3), side(levels / 3)};
}

}  // namespace

TiledSolid make_tiled_solid(const SolidFractal& fractal, int level, std::uint32_t tile_size) {
  TiledSolid tiled;
  tiled.transform = SolidTransform(fractal.shape());
  tiled.level = level;
  tiled.size = fractal.size(level);
  tiled.cells = fractal.cells(level);
  tiled.tile_level = -1;
  for_each_allowed(fractal, level, [&](int j, std::uint32_t allowed) {
    if (allowed == tile_size) tiled.tile_level = j;
  });
  if (tiled.tile_level < 0) {
    throw InputError(fmt::format("tile size {} is not allowed for {} at level {}; allowed: {}", tile_size,
                                 fractal.name(), level, fmt::join(allowed_tile_sizes(fractal, level), ", ")));
  }
  tiled.coarse_level = level - tiled.tile_level;
  tiled.rho = fractal.size(tiled.tile_level);
  tiled.tile_cells = static_cast<std::uint32_t>(fractal.cells(tiled.tile_level));
  tiled.grid = fractal.size(tiled.coarse_level);
  tiled.orthotope = orthotope_of(fractal, tiled.coarse_level);
  const BoxIndex points(tiled.rho);
  for (std::uint32_t point = 0; point < tiled.points_per_tile(); ++point) {
    if (is_member(tiled.transform, tiled.tile_level, points.at(point)))
      tiled.micro_mask[point >> 5] |= 1u << (point & 31u);
  }
  return tiled;
}

std::vector<std::uint32_t> allowed_tile_sizes(const SolidFractal& fractal, int level) {
  std::vector<std::uint32_t> tile_sizes;
  for_each_allowed(fractal, level, [&](int, std::uint32_t tile_size) { tile_sizes.push_back(tile_size); });
  return tile_sizes;
}

std::uint32_t nearest_tile_size(const SolidFractal& fractal, int level, std::uint32_t most) {
  std::uint32_t nearest = 1;
  for_each_allowed(fractal, level, [&](int, std::uint32_t tile_size) {
    if (tile_size <= most) nearest = tile_size;
  });
  return nearest;
}

std::uint64_t box_points(const TiledSolid& tiled) {
  return saturating_multiply(saturating_multiply(tiled.size.x, tiled.size.y), tiled.size.z);
}

std::uint64_t box_tiles(const TiledSolid& tiled) {
  return saturating_multiply(saturating_multiply(tiled.grid.x, tiled.grid.y), tiled.grid.z);
}

SolidOrder::SolidOrder(const TiledSolid& tiled) : transform_(tiled.transform), level_(tiled.level) {
  const auto side = [&](int digits) {
    return static_cast<std::uint32_t>(*checked_power(tiled.transform.shape.k, digits));
  };
  orthotope_ = {side((level_ + 2) / 3), side((level_ + 1) / 3), side(level_ / 3)};
  split_ = BoxIndex(orthotope_);
}

}  // namespace loom
