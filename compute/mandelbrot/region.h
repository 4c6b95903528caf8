#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"

namespace loom {

/// Pixels [x, x + width) x [y, y + height).
struct Region {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t width = 0;
  std::uint32_t height = 0;

  LOOM_HOST_DEVICE bool empty() const { return width == 0 || height == 0; }
  LOOM_HOST_DEVICE std::uint64_t area() const { return std::uint64_t{width} * height; }
};

/// The number of border pixels: those with a neighbour outside. A region of one or two rows or columns
/// consists of border pixels only.
LOOM_HOST_DEVICE std::uint32_t border_size(const Region& region) {
  if (region.width <= 2 || region.height <= 2) return region.width * region.height;
  return 2 * (region.width + region.height) - 4;
}

/// Pixel i < border_size() of the border: the first row, the last row, then the sides row by row.
LOOM_HOST_DEVICE Coord32 border_pixel(const Region& region, std::uint32_t i) {
  if (region.height <= 2 || i < region.width) {
    const std::uint32_t row = i / region.width;
    return {region.x + i - row * region.width, region.y + row};
  }
  const std::uint32_t last_row = i - region.width;
  if (last_row < region.width) return {region.x + last_row, region.y + region.height - 1};
  const std::uint32_t side = last_row - region.width;
  if (region.width == 1) return {region.x, region.y + 1 + side};
  return {region.x + (side % 2 == 0 ? 0 : region.width - 1), region.y + 1 + side / 2};
}

/// The region without its border; empty if all pixels are border pixels.
LOOM_HOST_DEVICE Region inside_of(const Region& region) {
  if (region.width <= 2 || region.height <= 2) return {region.x, region.y, 0, 0};
  return {region.x + 1, region.y + 1, region.width - 2, region.height - 2};
}

}  // namespace loom
