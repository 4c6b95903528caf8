#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <vector>

namespace loom::render {

/// Cells smaller than this are drawn with isolated ones enlarged, in pixels of their longer side.
inline constexpr double kLeastCellSide = 2;

/// Enlarges isolated living cells in an image of display-texture values where cells are smaller than
/// kLeastCellSide: a pixel with a living cell (a value above 1) and none in the eight around it also covers
/// its dead neighbours at the right, below, and right below, so that a lone cell is a square of 2 x 2 pixels.
/// Pixels outside of the image are holes. Where living cells are dense, nothing changes.
/// shaders/small_cells.frag computes the same for images in GPU memory.
class IsolatedCells {
 public:
  /// The enlarged image, without space between its rows; valid until the next call. `row_bytes` is the
  /// distance of the rows of `pixels`. Allocates only if the size grows.
  const std::uint16_t* enlarge(const std::uint16_t* pixels, std::size_t row_bytes, glm::ivec2 size);

 private:
  std::vector<std::uint16_t> image_;
  std::vector<std::uint16_t> rows_;
};

}  // namespace loom::render
