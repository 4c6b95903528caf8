#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"

// The numbers of the regions of a level in space, up to 1024 on an axis.

namespace loom {

/// How the offset table names a region of a level with n regions on each axis.
enum class RegionOrder : std::uint8_t {
  kCanonical,    ///< x + n y + n^2 z
  kMorton,       ///< the bits of x, y and z in turn
  kHilbert,      ///< the position on Hilbert's curve, on which neighbours in the table share a face
  kCoordinates,  ///< x, y and z: three numbers
};
inline constexpr std::array kRegionOrders = {RegionOrder::kCanonical, RegionOrder::kMorton,
                                             RegionOrder::kHilbert, RegionOrder::kCoordinates};
/// "canonical", "morton", "hilbert", "coordinates". The parser throws InputError that lists them.
std::string_view name_of(RegionOrder order);
RegionOrder parse_region_order(std::string_view name);

/// On these curves, and there only, the r^3 parts of region `i` have the numbers from i r^3 on.
constexpr bool is_curve(RegionOrder order) {
  return order == RegionOrder::kMorton || order == RegionOrder::kHilbert;
}

/// The bits of three numbers in turn, z highest, and back.
LOOM_HOST_DEVICE std::uint32_t interleave(Coord3 place) {
  std::uint32_t number = 0;
  for (int bit = 0; bit < 10; ++bit) {
    number |= (place.x >> bit & 1) << (3 * bit) | (place.y >> bit & 1) << (3 * bit + 1) |
              (place.z >> bit & 1) << (3 * bit + 2);
  }
  return number;
}
LOOM_HOST_DEVICE Coord3 separate(std::uint32_t number) {
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
LOOM_HOST_DEVICE std::uint32_t hilbert_number(Coord3 place, std::uint32_t parts) {
  std::uint32_t axes[3] = {place.z, place.y, place.x};
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

LOOM_HOST_DEVICE Coord3 hilbert_place(std::uint32_t number, std::uint32_t parts) {
  const Coord3 bits = separate(number);
  std::uint32_t axes[3] = {bits.z, bits.y, bits.x};
  const std::uint32_t gray = axes[2] >> 1;
  axes[2] ^= axes[1];
  axes[1] ^= axes[0];
  axes[0] ^= gray;
  for (std::uint32_t bit = 2; bit < parts; bit <<= 1) {
    const std::uint32_t below = bit - 1;
    for (int i = 2; i >= 0; --i) {
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

/// The place with a number by an order, on a level with `parts` regions on each axis; for the two curves a
/// power of two. kCoordinates numbers as kCanonical.
LOOM_HOST_DEVICE Coord3 place_of(RegionOrder order, std::uint32_t parts, std::uint32_t number) {
  if (order == RegionOrder::kMorton) return separate(number);
  if (order == RegionOrder::kHilbert) return hilbert_place(number, parts);
  return {number % parts, number / parts % parts, number / parts / parts};
}
LOOM_HOST_DEVICE std::uint32_t number_of(RegionOrder order, std::uint32_t parts, Coord3 place) {
  if (order == RegionOrder::kMorton) return interleave(place);
  if (order == RegionOrder::kHilbert) return hilbert_number(place, parts);
  return place.x + parts * (place.y + parts * place.z);
}

}  // namespace loom
