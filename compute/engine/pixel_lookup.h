#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compute/core/host_device.h"

namespace loom {

/// The part of expanded space that an image shows, in whole cells, so that every backend resolves the same
/// image bit for bit, independent of its floating-point arithmetic.
///
/// Pixel column i covers the cell columns [x_edges[i], max(x_edges[i] + 1, x_edges[i + 1])), and rows are
/// defined in the same way: one cell if a pixel is smaller than a cell, otherwise every cell whose corner is
/// inside the pixel. When zoomed out, each visible cell therefore belongs to exactly one pixel. Edges never
/// decrease, may be negative and may exceed n.
struct Viewport {
  std::vector<std::int64_t> x_edges;  ///< width + 1 values
  std::vector<std::int64_t> y_edges;  ///< height + 1 values
  std::uint32_t states = 2;           ///< of the rule: refractory states fade from the first to the last
  int width() const { return x_edges.empty() ? 0 : static_cast<int>(x_edges.size()) - 1; }
  int height() const { return y_edges.empty() ? 0 : static_cast<int>(y_edges.size()) - 1; }
};

/// The kDensity16 value of a pixel with `cells` cells, of which `living` are alive (see PixelFormat). With
/// S > 2 states, `living` is the sum of the cells' brightness() and `cells` the largest possible one, so that
/// state s > 0 counts as (S - s) / (S - 1) of a living cell.
LOOM_HOST_DEVICE std::uint16_t density_value(std::uint64_t cells, std::uint64_t living) {
  return cells == 0 ? std::uint16_t{0} : static_cast<std::uint16_t>(1 + (living * 65534 + cells / 2) / cells);
}

/// The largest number of cells that a pixel covers on an axis with these edges.
inline std::int64_t longest_footprint(const std::vector<std::int64_t>& edges) {
  std::int64_t longest = 1;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) longest = std::max(longest, edges[i + 1] - edges[i]);
  return longest;
}

/// The pixels [first, last) of one axis that cover a cell; none if first == last.
struct PixelRange {
  int first = 0;
  int last = 0;
};

/// One axis of a viewport: edges[0 .. size] (see Viewport) and the mean number of pixels per cell.
struct PixelAxis {
  const std::int64_t* edges = nullptr;
  int size = 0;
  float pixels_per_cell = 0;
};

/// The exclusive end of the cells that a pixel covers, see Viewport.
LOOM_HOST_DEVICE std::int64_t footprint_end(const PixelAxis& axis, int pixel) {
  const std::int64_t one = axis.edges[pixel] + 1;
  const std::int64_t next = axis.edges[pixel + 1];
  return one > next ? one : next;
}

/// An axis of `size` >= 1 pixels. `host_edges` are read by this call, `edges` are the same values in memory
/// that later look-ups read.
inline PixelAxis make_pixel_axis(const std::int64_t* host_edges, const std::int64_t* edges, int size) {
  const auto cells = static_cast<float>(host_edges[size] - host_edges[0]);
  return {edges, size, cells > 0 ? static_cast<float>(size) / cells : 0};
}

/// The number of the edges [0, size) that are at or before the cell. Edges are evenly spaced except for
/// rounding, so that an estimate is nearly always right within a pixel; otherwise a binary search finds the
/// result.
LOOM_HOST_DEVICE int edges_up_to(const PixelAxis& axis, std::int64_t cell) {
  if (cell < axis.edges[0]) return 0;
  const float guess = static_cast<float>(cell - axis.edges[0]) * axis.pixels_per_cell;
  const int near = guess < static_cast<float>(axis.size) ? static_cast<int>(guess) : axis.size;
  for (int count = near > 0 ? near : 1; count <= near + 2 && count <= axis.size; ++count) {
    if (axis.edges[count - 1] > cell) break;
    if (count == axis.size || axis.edges[count] > cell) return count;
  }
  int low = 1;
  int high = axis.size;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (axis.edges[middle] <= cell) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// The pixels of an axis that cover cell column (or row) `cell`; `count` is edges_up_to() of the cell.
LOOM_HOST_DEVICE PixelRange pixels_of(const PixelAxis& axis, std::int64_t cell, int count) {
  if (count == 0) return {0, 0};
  if (axis.edges[count - 1] != cell)
    return cell < axis.edges[count] ? PixelRange{count - 1, count} : PixelRange{0, 0};
  PixelRange range{count - 1, count};
  while (range.first > 0 && axis.edges[range.first - 1] == cell) --range.first;
  return range;
}
LOOM_HOST_DEVICE PixelRange pixels_of(const PixelAxis& axis, std::int64_t cell) {
  return pixels_of(axis, cell, edges_up_to(axis, cell));
}

/// The pixels of consecutive cells: cheaper than one look-up per cell.
class PixelWalk {
 public:
  PixelWalk(const PixelAxis& axis, std::int64_t first)
      : axis_(axis), cell_(first), count_(edges_up_to(axis, first)) {}
  /// The pixels of the next cell, starting with the first.
  PixelRange next() {
    while (count_ < axis_.size && axis_.edges[count_] <= cell_) ++count_;
    return pixels_of(axis_, cell_++, count_);
  }

 private:
  const PixelAxis& axis_;
  std::int64_t cell_;
  int count_;
};

}  // namespace loom
