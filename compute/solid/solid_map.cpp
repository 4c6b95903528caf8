#include "compute/solid/solid_map.h"

#include <algorithm>

namespace loom {
namespace {

/// Whether the point of the box around a tile, (1, 1, 1) being the tile's first point, has a cell of the tile
/// as a neighbour.
bool touches_tile(const TiledSolid& tiled, Coord3 at) {
  for (std::uint32_t n = 0; n < kSolidSteps; ++n) {
    const Coord3 beside = neighbour_place({at.x - 1, at.y - 1, at.z - 1}, n);
    if (beside.x >= tiled.rho.x || beside.y >= tiled.rho.y || beside.z >= tiled.rho.z) continue;
    if (tiled.micro_member(static_cast<std::uint32_t>(index_in(tiled.rho, beside)))) return true;
  }
  return false;
}

/// 0, 1 or 2 for a coordinate before, in or after the tile, and the coordinate in that tile.
struct Side {
  std::uint32_t tile;
  std::uint32_t at;
};
Side side_of(std::uint32_t coordinate, std::uint32_t rho) {
  if (coordinate == 0) return {0, rho - 1};
  if (coordinate > rho) return {2, 0};
  return {1, coordinate - 1};
}

}  // namespace

SolidTables::SolidTables(const TiledSolid& tiled) : arithmetic(SolidTableArithmetic::build(tiled)) {
  const Coord3 rho = tiled.rho;
  const Coord3 box{rho.x + 2, rho.y + 2, rho.z + 2};
  const BoxIndex points(box);
  std::vector<StagedPoint> halo;
  for (std::uint32_t target = 0; target < volume(box); ++target) {
    const Coord3 at = points.at(target);
    const Side x = side_of(at.x, rho.x);
    const Side y = side_of(at.y, rho.y);
    const Side z = side_of(at.z, rho.z);
    const std::uint32_t tile = (z.tile * 3 + y.tile) * 3 + x.tile;
    const auto source = static_cast<std::uint32_t>(index_in(rho, {x.at, y.at, z.at}));
    if (!tiled.micro_member(source)) continue;
    const auto narrow = [](std::uint32_t value) { return static_cast<std::uint16_t>(value); };
    const StagedPoint point{narrow(tile), narrow(source), narrow(target),
                            narrow(at.x), narrow(at.y),   narrow(at.z)};
    if (tile == kSolidSelf) {
      tile_cells.push_back(x.at | y.at << 11 | z.at << 22);
      staged.push_back(point);
    } else if (touches_tile(tiled, at)) {
      halo_tiles |= 1u << tile;
      halo.push_back(point);
    }
  }
  // Sorted by tile, so that the threads of a warp read from one or two tiles.
  std::ranges::stable_sort(halo, {}, &StagedPoint::tile);
  staged.insert(staged.end(), halo.begin(), halo.end());
}

}  // namespace loom
