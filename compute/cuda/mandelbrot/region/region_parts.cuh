#pragma once

#include <cstdint>

#include "compute/cuda/mandelbrot/region/region_base.cuh"
#include "compute/cuda/mandelbrot/region/region_parts.h"

namespace loom::cuda {

/// One thread block's part of a fill (`dwell`) or of a leaf (RegionJob::kLeaf); parts beyond the region's own
/// do nothing. All threads of the thread block must take part.
template <typename Block>
__device__ __forceinline__ void work_on_part(Block& block, const Region& region, std::uint32_t dwell,
                                             std::uint32_t part) {
  if (dwell != RegionJob::kLeaf) {
    const std::uint32_t rows = rows_of_partition(region);
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
