#include "compute/mandelbrot/volume.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "compute/core/error.h"
#include "compute/core/input_text.h"

namespace loom {
namespace {

bool is_curve(RegionOrder order) {
  return order == RegionOrder::kMorton || order == RegionOrder::kHilbert;
}

/// The bits of three numbers in turn, z highest, and back.
std::uint32_t interleave(Coord3 place) {
  std::uint32_t number = 0;
  for (int bit = 0; bit < 10; ++bit) {
    number |= (place.x >> bit & 1) << (3 * bit) | (place.y >> bit & 1) << (3 * bit + 1) |
              (place.z >> bit & 1) << (3 * bit + 2);
  }
  return number;
}
Coord3 separate(std::uint32_t number) {
  Coord3 place;
  for (int bit = 0; bit < 10; ++bit) {
    place.x |= (number >> (3 * bit) & 1) << bit;
    place.y |= (number >> (3 * bit + 1) & 1) << bit;
    place.z |= (number >> (3 * bit + 2) & 1) << bit;
  }
  return place;
}

// Hilbert's curve from the bits in turn and back: J. Skilling, "Programming the Hilbert curve", AIP
// Conference Proceedings 707 (2004). The axes from the highest bit of a triple on are z, y, x.
using Axes = std::array<std::uint32_t, 3>;

std::uint32_t hilbert_number(Coord3 place, std::uint32_t parts) {
  Axes axes = {place.z, place.y, place.x};
  for (std::uint32_t bit = parts >> 1; bit > 1; bit >>= 1) {
    const std::uint32_t below = bit - 1;
    for (std::uint32_t& axis : axes) {
      if ((axis & bit) != 0) {
        axes[0] ^= below;
      } else {
        const std::uint32_t exchanged = (axes[0] ^ axis) & below;
        axes[0] ^= exchanged;
        axis ^= exchanged;
      }
    }
  }
  axes[1] ^= axes[0];
  axes[2] ^= axes[1];
  std::uint32_t flips = 0;
  for (std::uint32_t bit = parts >> 1; bit > 1; bit >>= 1) {
    if ((axes[2] & bit) != 0) flips ^= bit - 1;
  }
  for (std::uint32_t& axis : axes) axis ^= flips;
  return interleave({axes[2], axes[1], axes[0]});
}

Coord3 hilbert_place(std::uint32_t number, std::uint32_t parts) {
  const Coord3 bits = separate(number);
  Axes axes = {bits.z, bits.y, bits.x};
  const std::uint32_t gray = axes[2] >> 1;
  axes[2] ^= axes[1];
  axes[1] ^= axes[0];
  axes[0] ^= gray;
  for (std::uint32_t bit = 2; bit < parts; bit <<= 1) {
    const std::uint32_t below = bit - 1;
    for (std::size_t i = axes.size(); i-- > 0;) {
      if ((axes[i] & bit) != 0) {
        axes[0] ^= below;
      } else {
        const std::uint32_t exchanged = (axes[0] ^ axes[i]) & below;
        axes[0] ^= exchanged;
        axes[i] ^= exchanged;
      }
    }
  }
  return {axes[2], axes[1], axes[0]};
}

}  // namespace

std::string_view name_of(VolumeSet set) {
  return value_for<VolumeSet::kQuaternionJulia>({"mandelbulb", "quaternion-julia"}, set);
}
VolumeSet parse_volume_set(std::string_view name) {
  return parse_choice("set", name, kVolumeSets);
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

VolumeSubdivision::VolumeSubdivision(const VolumeConfig& config)
    : size(config.size), g(config.g), r(config.r), levels(1) {
  for (std::uint64_t parts = g; size > parts * r * config.b; parts *= r) ++levels;
}

std::uint64_t VolumeSubdivision::regions_at(std::uint32_t level) const {
  const std::uint64_t parts = parts_at(level);
  return parts * parts * parts;
}

Coord3 place_of(RegionOrder order, std::uint32_t parts, std::uint32_t number) {
  if (order == RegionOrder::kMorton) return separate(number);
  if (order == RegionOrder::kHilbert) return hilbert_place(number, parts);
  return {number % parts, number / parts % parts, number / parts / parts};
}

std::uint32_t number_of(RegionOrder order, std::uint32_t parts, Coord3 place) {
  if (order == RegionOrder::kMorton) return interleave(place);
  if (order == RegionOrder::kHilbert) return hilbert_number(place, parts);
  return place.x + parts * (place.y + parts * place.z);
}

}  // namespace loom
