#include "app/workspaces/life/scene/tile_grid.h"

#include "compute/map/dispatch.h"

namespace loom::app {

TileGrid::TileGrid(const FractalConfig& config)
    : tiled_(make_tiled_fractal(config.fractal, config.level, config.tile_size)),
      map_(config.method.map),
      intra_block_(config.method.intra_block),
      fractal_(config.fractal),
      transform_(tiled_.shape, tiled_.levels, tiled_.level),
      grid_transform_(tiled_.shape, tiled_.levels, tiled_.coarse_level) {}

LaunchShape TileGrid::launch_shape(MapKind map) const {
  return loom::launch_shape({.map = map, .intra_block = intra_block_}, tiled_);
}

LaunchCount TileGrid::launch_count(MapKind map) const {
  const LaunchShape shape = launch_shape(map);
  return {.tiles = shape.tiles(),
          .occupied_tiles = tiled_.orthotope_tiles(),
          .threads = shape.threads(),
          .launched = shape.threads(),
          .cells = tiled_.cells};
}

std::optional<PointInfo> TileGrid::place_at(std::int64_t x, std::int64_t y) const {
  const Coord64 cell{static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)};
  if (x < 0 || y < 0 || cell.x >= tiled_.width || cell.y >= tiled_.height) return std::nullopt;
  PointInfo place{.cell = cell,
                  .tile = {cell.x / tiled_.rho_x, cell.y / tiled_.rho_y},
                  .is_cell = is_member(transform_, tiled_.level, cell),
                  .omega = std::nullopt,
                  .thread = std::nullopt};
  const auto compact = nu_map(grid_transform_, tiled_.coarse_level, place.tile);
  if (compact.present) place.omega = compact.omega;
  place.thread = thread_for(place);
  return place;
}

std::optional<Coord32> TileGrid::thread_for(const PointInfo& place) const {
  Coord32 position{static_cast<std::uint32_t>(place.cell.x % tiled_.rho_x),
                   static_cast<std::uint32_t>(place.cell.y % tiled_.rho_y)};
  if (map_ == MapKind::kBoundingBox) return position;
  if (!place.omega) return std::nullopt;
  if (tiled_.is_turned()) {
    const auto symmetry = symmetry_at(grid_transform_, tiled_.coarse_level, place.tile);
    position = apply(inverse(symmetry), position, tiled_.rho_x);
  }
  if (intra_block_ == IntraBlock::kSubBox) return position;
  if (!place.is_cell) return std::nullopt;
  if (intra_block_ == IntraBlock::kUnrolled) {
    return UnrolledThreads(tiled_).thread_at(position);
  }
  const auto table = tile_cell_table(tiled_);
  return LookupThreads(tiled_, table.data()).thread_at(position);
}

}  // namespace loom::app
