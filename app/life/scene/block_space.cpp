#include "app/life/scene/block_space.h"

#include "compute/map/dispatch.h"

namespace loom::app {

BlockSpace::BlockSpace(const FractalConfig& config)
    : blocked_(make_blocked(config.fractal, config.level, config.block)),
      map_(config.method.map),
      intra_block_(config.method.intra_block),
      transform_(blocked_.shape) {}

LaunchShape BlockSpace::launch_shape(MapKind map) const {
  return loom::launch_shape({.map = map, .intra_block = intra_block_}, blocked_);
}

LaunchCount BlockSpace::launch_count(MapKind map) const {
  const LaunchShape shape = launch_shape(map);
  return {.blocks = shape.blocks(),
          .occupied_blocks = blocked_.orthotope_blocks(),
          .threads = shape.threads(),
          .cells = blocked_.cells};
}

std::optional<Place> BlockSpace::place_at(std::int64_t x, std::int64_t y) const {
  const Coord64 cell{static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)};
  if (x < 0 || y < 0 || cell.x >= blocked_.width || cell.y >= blocked_.height) return std::nullopt;
  Place place{.cell = cell,
              .block = {cell.x / blocked_.rho_x, cell.y / blocked_.rho_y},
              .is_cell = is_member(transform_, blocked_.level, cell),
              .omega = std::nullopt,
              .thread = std::nullopt};
  const auto compact = nu_map(transform_, blocked_.coarse_level, place.block);
  if (compact.present) place.omega = compact.omega;
  place.thread = thread_for(place);
  return place;
}

std::optional<Coord32> BlockSpace::thread_for(const Place& place) const {
  const Coord32 position{static_cast<std::uint32_t>(place.cell.x % blocked_.rho_x),
                         static_cast<std::uint32_t>(place.cell.y % blocked_.rho_y)};
  if (map_ == MapKind::kBoundingBox) return position;
  if (!place.omega) return std::nullopt;
  if (intra_block_ == IntraBlock::kSubBox) return position;
  if (!place.is_cell) return std::nullopt;
  if (intra_block_ == IntraBlock::kUnrolled) {
    return UnrolledThreads(blocked_).thread_at(position);
  }
  const auto table = block_cell_table(blocked_);
  return LookupThreads(blocked_, table.data()).thread_at(position);
}

}  // namespace loom::app
