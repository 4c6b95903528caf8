#pragma once

#include <cstdint>

#include "compute/core/host_device.h"

namespace loom {

/// The pixels [first, last) of one axis that cover a cell; none where first == last.
struct PixelRange {
  int first = 0;
  int last = 0;
};

/// The pixels of an axis of `size` pixels (edges[0 .. size], see Viewport) that cover cell column `cell`.
LOOM_HOST_DEVICE PixelRange pixels_of(const std::int64_t* edges, int size, std::int64_t cell) {
  int low = 0;  // the number of edges [0, size) at or before the cell
  int high = size;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (edges[middle] <= cell) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0) return {0, 0};
  if (edges[low - 1] != cell) return cell < edges[low] ? PixelRange{low - 1, low} : PixelRange{0, 0};
  PixelRange range{low - 1, low};
  while (range.first > 0 && edges[range.first - 1] == cell) --range.first;
  return range;
}

}  // namespace loom
