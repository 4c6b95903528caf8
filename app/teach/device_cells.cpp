#include "app/teach/device_cells.h"

#include <utility>

#include "compute/geometry/plane_parts.h"

namespace loom::app::teach {

DeviceCells::DeviceCells(const FractalConfig& config, std::uint32_t devices, std::string name)
    : planes_(make_bit_planes(config.fractal.shape(), config.level)),
      ranges_(deal_groups(planes_, devices)),
      group_depth_(planes_.level - planes_.split.plane_levels - planes_.split.bit_levels),
      name_(std::move(name)) {
  for (int depth = 0; depth <= planes_.level; ++depth)
    sizes_.push_back(
        {config.fractal.width(planes_.level - depth), config.fractal.height(planes_.level - depth)});
}

std::uint32_t DeviceCells::part_with(std::uint64_t group) const {
  std::uint32_t part = 0;
  while (group >= std::uint64_t{ranges_[part].first} + ranges_[part].groups) ++part;
  return part;
}

std::optional<std::uint32_t> DeviceCells::device_of(Coord64 cell) const {
  const NbbShape& shape = planes_.shape;
  if (cell.x >= sizes_[0].x || cell.y >= sizes_[0].y) return std::nullopt;
  Tile tile;
  while (tile.depth < planes_.level) {
    const Coord64 inner = size(tile.depth + 1);
    const std::uint64_t x = (cell.x - tile.corner.x) / inner.x;
    const std::uint64_t y = (cell.y - tile.corner.y) / inner.y;
    const int replica = shape.replica_at[y * shape.s_x + x];
    if (replica < 0) return std::nullopt;
    tile = child(tile, static_cast<std::uint32_t>(replica));
  }
  return device_of(tile);
}

std::uint64_t DeviceCells::cells(std::uint32_t device) const {
  return ranges_[device].groups * std::uint64_t{planes_.planes} * planes_.bits;
}

DeviceCells::Tile DeviceCells::child(const Tile& tile, std::uint32_t replica) const {
  const Coord64 inner = size(tile.depth + 1);
  return {tile.depth + 1,
          tile.number * planes_.shape.k + replica,
          {tile.corner.x + planes_.shape.offset_x[replica] * inner.x,
           tile.corner.y + planes_.shape.offset_y[replica] * inner.y}};
}

std::optional<std::uint32_t> DeviceCells::device_of(const Tile& tile) const {
  const std::uint64_t k = planes_.shape.k;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  if (tile.depth > group_depth_) {
    first = last = tile.number / small_power(k, tile.depth - group_depth_);
  } else {
    const std::uint64_t groups = small_power(k, group_depth_ - tile.depth);
    first = tile.number * groups;
    last = first + groups - 1;
  }
  const std::uint32_t part = part_with(first);
  if (part != part_with(last)) return std::nullopt;
  return part;
}

}  // namespace loom::app::teach
