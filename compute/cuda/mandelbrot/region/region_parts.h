#pragma once

#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/mandelbrot/region.h"
#include "compute/mandelbrot/subdivision.h"

namespace loom::cuda {

/// MBR: pixels that one thread block fills. A fill of the last level, and any leaf, is divided into panels
/// instead.
inline constexpr std::uint32_t kFillPixels = 1 << 15;

/// Rows of a level's largest region that one thread block fills.
LOOM_HOST_DEVICE std::uint32_t rows_of_partition(const Region& region) {
  const std::uint32_t rows = kFillPixels / region.width;
  return rows == 0 ? 1 : rows;
}

LOOM_HOST_DEVICE std::uint32_t panels_on(std::uint32_t side) {
  return (side + kPanel - 1) / kPanel;
}

/// The panels of a leaf.
LOOM_HOST_DEVICE std::uint32_t panels_of(const Region& leaf) {
  return panels_on(leaf.width) * panels_on(leaf.height);
}

/// Panel `index` of a leaf, row by row; empty from panels_of(leaf) on.
LOOM_HOST_DEVICE Region panel_at(const Region& leaf, std::uint32_t index) {
  const std::uint32_t columns = panels_on(leaf.width);
  const std::uint32_t x = index % columns * kPanel;
  const std::uint32_t y = index / columns * kPanel;
  if (y >= leaf.height) return {};
  const std::uint32_t width = leaf.width - x < kPanel ? leaf.width - x : kPanel;
  const std::uint32_t height = leaf.height - y < kPanel ? leaf.height - y : kPanel;
  return {leaf.x + x, leaf.y + y, width, height};
}

/// Tile `index` of a panel, row by row, with the lines around it.
LOOM_HOST_DEVICE Region tile_at(const Region& panel, std::uint32_t index) {
  const std::uint32_t columns = tiles_on(panel.width);
  const std::uint32_t column = index % columns;
  const std::uint32_t row = index / columns;
  const std::uint32_t x = tile_line(panel.width, column);
  const std::uint32_t y = tile_line(panel.height, row);
  return {panel.x + x, panel.y + y, tile_line(panel.width, column + 1) - x + 1,
          tile_line(panel.height, row + 1) - y + 1};
}

/// The size of the largest region of a level, at (0, 0).
LOOM_HOST_DEVICE Region largest_region(const Subdivision& cut, std::uint32_t level) {
  const std::uint32_t parts = parts_at(cut, level);
  return {0, 0, (cut.width + parts - 1) / parts, (cut.height + parts - 1) / parts};
}

/// Thread blocks that share the fill or the leaf of a region of a level; enough for its largest region.
LOOM_HOST_DEVICE std::uint32_t parts_of_region(const Subdivision& cut, std::uint32_t level) {
  const Region largest = largest_region(cut, level);
  const std::uint32_t fills = (largest.height + rows_of_partition(largest) - 1) / rows_of_partition(largest);
  if (level + 1 < cut.levels) return fills;
  return panels_of(largest) > fills ? panels_of(largest) : fills;
}

}  // namespace loom::cuda
