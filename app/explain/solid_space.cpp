#include "app/explain/solid_space.h"

#include <fmt/format.h>

#include "app/text/format.h"

namespace loom::app::explain {

SolidThreadSpace::SolidThreadSpace(const SolidConfig& config)
    : config_(config), tables_(make_tiled_solid(config.fractal, config.level, config.tile_size)) {
  validate(config);
  const TiledSolid tiled = make_tiled_solid(config.fractal, config.level, config.tile_size);
  map_ = make_solid_map(config.method, tiled, tables_.arithmetic.data(), tables_.tile_cells.data());
  launch_ = solid_launch(config.method, tiled);
}

std::optional<SolidThreadLocation> SolidThreadSpace::location_of(Coord3 cell) const {
  const std::uint64_t address = map_.index_of(cell);
  if (address == kNoSolidIndex) return std::nullopt;
  const Coord3 rho = map_.tiled.rho;
  SolidThreadLocation location;
  location.cell = cell;
  location.ref = thread_of(map_, cell);
  location.omega = map_.grid.at(location.ref.tile);
  location.place = {cell.x / rho.x, cell.y / rho.y, cell.z / rho.z};
  location.at = {cell.x % rho.x, cell.y % rho.y, cell.z % rho.z};
  location.launch = place_of(map_, launch_.tiling, location.ref);
  location.address = address;
  return location;
}

std::vector<SolidLambdaStep> SolidThreadSpace::lambda_steps(Coord3 omega) const {
  std::vector<SolidLambdaStep> steps;
  if (map_.is_box()) return steps;
  const SolidShape& shape = map_.tiled.transform.shape;
  const struct {
    char name;
    std::uint32_t& digits;
  } axes[] = {{'x', omega.x}, {'y', omega.y}, {'z', omega.z}};
  Coord3 weight{1, 1, 1};
  Coord3 sum;
  for (int level = 1; level <= map_.tiled.coarse_level; ++level) {
    const auto& axis = axes[(level - 1) % 3];
    const std::uint32_t digit = axis.digits % shape.k;
    axis.digits /= shape.k;
    const Coord3 offset{shape.offset_x[digit], shape.offset_y[digit], shape.offset_z[digit]};
    sum = {sum.x + offset.x * weight.x, sum.y + offset.y * weight.y, sum.z + offset.z * weight.z};
    steps.push_back({level, axis.name, digit, offset, weight, sum});
    weight = {weight.x * shape.scale.x, weight.y * shape.scale.y, weight.z * shape.scale.z};
  }
  return steps;
}

std::string location_text(const SolidThreadSpace& space, const SolidThreadLocation& location) {
  const Coord3 omega = location.omega;
  return fmt::format("tile {}({}, {}, {}), thread {}, thread block {}, byte {}",
                     space.map().is_box() ? "" : "ω ", omega.x, omega.y, omega.z,
                     std::string_view(format_count(location.ref.thread)),
                     std::string_view(format_count(location.launch.block)),
                     std::string_view(format_count(location.address)));
}

}  // namespace loom::app::explain
