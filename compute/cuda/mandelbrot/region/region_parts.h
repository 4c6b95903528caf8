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

/// Thread blocks that share the fill or the leaf of a region of a level; enough for its largest region.
LOOM_HOST_DEVICE std::uint32_t parts_of_region(const Subdivision& cut, std::uint32_t level) {
  const std::uint32_t parts = parts_at(cut, level);
  const Region largest{0, 0, (cut.width + parts - 1) / parts, (cut.height + parts - 1) / parts};
  const std::uint32_t fills = (largest.height + rows_of_partition(largest) - 1) / rows_of_partition(largest);
  if (level + 1 < cut.levels) return fills;
  const std::uint32_t panels = panels_on(largest.width) * panels_on(largest.height);
  return panels > fills ? panels : fills;
}

}  // namespace loom::cuda
