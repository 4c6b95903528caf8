#pragma once

#include <cstdint>
#include <vector>

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
  int width() const { return x_edges.empty() ? 0 : static_cast<int>(x_edges.size()) - 1; }
  int height() const { return y_edges.empty() ? 0 : static_cast<int>(y_edges.size()) - 1; }
};

}  // namespace loom
