#pragma once

#include <cstdint>

#include "compute/cuda/mandelbrot/region/region_base.cuh"

namespace loom::cuda {

/// MBR: pixels that one block fills. A fill of the last level, and any leaf, is cut into panels instead.
inline constexpr std::uint32_t kFillPixels = 1 << 15;

/// Rows of a level's largest region that one block fills.
LOOM_HOST_DEVICE std::uint32_t rows_of_part(const Region& region) {
  const std::uint32_t rows = kFillPixels / region.width;
  return rows == 0 ? 1 : rows;
}

LOOM_HOST_DEVICE std::uint32_t panels_on(std::uint32_t side) {
  return (side + kPanel - 1) / kPanel;
}

/// Blocks that share the fill or the leaf of a region of a level; enough for its largest one.
LOOM_HOST_DEVICE std::uint32_t parts_of_region(const Subdivision& cut, std::uint32_t level) {
  const std::uint32_t parts = parts_at(cut, level);
  const Region largest{0, 0, (cut.width + parts - 1) / parts, (cut.height + parts - 1) / parts};
  const std::uint32_t fills = (largest.height + rows_of_part(largest) - 1) / rows_of_part(largest);
  if (level + 1 < cut.levels) return fills;
  const std::uint32_t panels = panels_on(largest.width) * panels_on(largest.height);
  return panels > fills ? panels : fills;
}

/// One block's part of a fill (`dwell`) or of a leaf (RegionJob::kLeaf); parts past the region's own do
/// nothing. All threads of the block take part.
template <typename Block>
__device__ __forceinline__ void work_on_part(Block& block, const Region& region, std::uint32_t dwell,
                                             std::uint32_t part) {
  if (dwell != RegionJob::kLeaf) {
    const std::uint32_t rows = rows_of_part(region);
    const std::uint32_t first = part * rows;
    if (first >= region.height) return;
    block.fill({region.x, region.y + first, region.width, min(rows, region.height - first)}, dwell);
    return;
  }
  const std::uint32_t columns = panels_on(region.width);
  const std::uint32_t y = part / columns * kPanel;
  if (y >= region.height) return;
  block.compute_panel(region, part % columns * kPanel, y);
}

}  // namespace loom::cuda
