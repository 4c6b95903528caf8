#include "app/explain/device_cells.h"

#include <algorithm>
#include <utility>

#include "compute/distributed/partitioning.h"

namespace loom::app::explain {

DeviceCells::DeviceCells(const FractalConfig& config, std::uint32_t devices, std::string name)
    : shape_(config.fractal.shape()), levels_(config.level), name_(std::move(name)) {
  const Partitioning partitioning = make_partitioning(config, devices);
  firsts_.push_back(0);
  for (const GroupRange& part : partitioning.groups) firsts_.push_back(firsts_.back() + part.groups);
  for (const TileRows& part : partitioning.rows) firsts_.push_back(firsts_.back() + part.count);
  cells_of_unit_ = config.fractal.cells(levels_) / firsts_.back();

  // The index of a group consists of the coarsest digits, the index of a row of every second digit of its
  // tiles.
  const bool in_groups = !partitioning.groups.empty();
  const BitPlanes planes = in_groups ? make_bit_planes(shape_, levels_) : BitPlanes{};
  if (in_groups) shape_ = planes.shape;  // bit planes order the replicas differently
  const int digits = in_groups ? levels_ - planes.split.plane_levels - planes.split.bit_levels
                               : make_tiled_fractal(config.fractal, levels_, config.tile_size).coarse_level;
  for (int depth = 0; depth < levels_; ++depth)
    is_unit_digit_.push_back(depth < digits && (in_groups || (digits - depth) % 2 == 0));
  units_.assign(static_cast<std::size_t>(levels_) + 1, 1);
  for (std::size_t depth = is_unit_digit_.size(); depth-- > 0;)
    units_[depth] = units_[depth + 1] * (is_unit_digit_[depth] ? shape_.k : 1);
  for (int depth = 0; depth <= levels_; ++depth)
    sizes_.push_back({config.fractal.width(levels_ - depth), config.fractal.height(levels_ - depth)});
}

std::uint32_t DeviceCells::device_of_unit(std::uint64_t unit) const {
  const auto next = std::upper_bound(firsts_.begin(), firsts_.end(), unit);
  return static_cast<std::uint32_t>(next - firsts_.begin() - 1);
}

std::optional<std::uint32_t> DeviceCells::device_of(Coord64 cell) const {
  if (cell.x >= sizes_[0].x || cell.y >= sizes_[0].y) return std::nullopt;
  Tile tile;
  while (tile.depth < levels_) {
    const Coord64 inner = size(tile.depth + 1);
    const std::uint64_t x = (cell.x - tile.corner.x) / inner.x;
    const std::uint64_t y = (cell.y - tile.corner.y) / inner.y;
    const int replica = shape_.replica_at[y * shape_.s_x + x];
    if (replica < 0) return std::nullopt;
    tile = child(tile, static_cast<std::uint32_t>(replica));
  }
  return device_of(tile);
}

std::uint64_t DeviceCells::cells(std::uint32_t device) const {
  return (firsts_[device + 1] - firsts_[device]) * cells_of_unit_;
}

DeviceCells::Tile DeviceCells::child(const Tile& tile, std::uint32_t replica) const {
  const Coord64 inner = size(tile.depth + 1);
  const bool in_unit = is_unit_digit_[static_cast<std::size_t>(tile.depth)];
  return {tile.depth + 1,
          in_unit ? tile.unit * shape_.k + replica : tile.unit,
          {tile.corner.x + shape_.offset_x[replica] * inner.x,
           tile.corner.y + shape_.offset_y[replica] * inner.y}};
}

std::optional<std::uint32_t> DeviceCells::device_of(const Tile& tile) const {
  const std::uint64_t units = units_[static_cast<std::size_t>(tile.depth)];
  const std::uint32_t part = device_of_unit(tile.unit * units);
  if (part != device_of_unit(tile.unit * units + units - 1)) return std::nullopt;
  return part;
}

}  // namespace loom::app::explain
