#pragma once

#include <cstdint>
#include <vector>

namespace loom {

/// The part of expanded space that an image shows, in whole cells, so that every backend resolves the same
/// image bit for bit whatever its floating-point arithmetic.
///
/// Pixel column i covers the cell columns [x_edges[i], max(x_edges[i] + 1, x_edges[i + 1])), rows likewise:
/// one cell where a pixel is smaller than a cell, else every cell whose corner falls into the pixel. Thus
/// when zoomed out each visible cell belongs to exactly one pixel. Edges never decrease, may be negative and
/// may pass n.
struct Viewport {
  std::vector<std::int64_t> x_edges;  ///< width + 1 values
  std::vector<std::int64_t> y_edges;  ///< height + 1 values
  int width() const { return x_edges.empty() ? 0 : static_cast<int>(x_edges.size()) - 1; }
  int height() const { return y_edges.empty() ? 0 : static_cast<int>(y_edges.size()) - 1; }
};

}  // namespace loom
