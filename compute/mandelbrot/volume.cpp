#include "compute/mandelbrot/volume.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "compute/mandelbrot/dwell.h"

namespace loom {

std::string_view name_of(VolumeSet set) {
  return value_for<VolumeSet::kCustom>({"mandelbulb", "quaternion-julia", "custom"}, set);
}
VolumeSet parse_volume_set(std::string_view name) {
  return parse_choice("set", name, kAllVolumeSets);
}
std::string_view name_of(RegionOrder order) {
  return value_for<RegionOrder::kCoordinates>({"canonical", "morton", "hilbert", "coordinates"}, order);
}
RegionOrder parse_region_order(std::string_view name) {
  return parse_choice("order", name, kRegionOrders);
}

void validate(const VolumeConfig& config) {
  check_range("power", config.power, kMinBulbPower, kMaxBulbPower);
  double square = 0;
  for (const double part : config.c) square += part * part;
  if (config.set == VolumeSet::kQuaternionJulia && !(square <= 4)) {
    throw InputError(fmt::format("c = {},{},{},{} is not allowed; allowed: |c| up to 2, the escape radius",
                                 config.c[0], config.c[1], config.c[2], config.c[3]));
  }
  if (config.set == VolumeSet::kCustom && config.custom.empty()) check_in_space(config.custom);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double low = config.box.low[axis];
    const double high = config.box.high[axis];
    if (std::isfinite(low) && std::isfinite(high) && std::isfinite(high - low) && low < high) continue;
    throw InputError(fmt::format(
        "box: {} from {} to {} is not allowed; allowed: finite numbers, the first below the second",
        "xyz"[axis], low, high));
  }
  check_range("size", config.size, 1, kMaxVolumeSide);
  check_range("dwell limit", config.dwell_limit, 1, kMaxVolumeLimit);
  check_range("g", config.g, 1, kMaxVolumeSide);
  check_range("r", config.r, 2, kMaxVolumeSide);
  check_range("B", config.b, 1, kMaxVolumeSide);
  if (config.method == MandelbrotMethod::kExhaustive) return;
  if (config.g > config.size) {
    throw InputError(fmt::format("g = {} is not allowed for {} samples on an axis; allowed: 1 to {}",
                                 config.g, config.size, config.size));
  }
  if (is_curve(config.order) && !(std::has_single_bit(config.g) && std::has_single_bit(config.r))) {
    throw InputError(
        fmt::format("order {} is not allowed for g = {} and r = {}; allowed: powers of two, or order "
                    "canonical or coordinates",
                    name_of(config.order), config.g, config.r));
  }
}

std::vector<double> points_on_axis(const VolumeConfig& config, std::size_t axis) {
  const double low = config.box.low[axis];
  const PointAxis<double> places{low, config.box.high[axis] - low, static_cast<double>(config.size)};
  std::vector<double> points(config.size);
  for (std::uint32_t i = 0; i < config.size; ++i) points[i] = places.at(i);
  return points;
}

VolumeSubdivision::VolumeSubdivision(const VolumeConfig& config)
    : size(config.size), g(config.g), r(config.r), levels(1) {
  for (std::uint64_t parts = g; size > parts * r * config.b; parts *= r) ++levels;
}

std::uint64_t VolumeSubdivision::regions_at(std::uint32_t level) const {
  const std::uint64_t parts = parts_at(level);
  return parts * parts * parts;
}

}  // namespace loom
