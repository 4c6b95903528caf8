#pragma once

#include <algorithm>
#include <cstdint>
#include <glm/vec2.hpp>

namespace loom::render {

/// Cells smaller than this are drawn by enlarged_value(), in pixels of their longer side.
inline constexpr double kLeastCellSide = 2;

/// Whether no pixel around `at` shows a living cell. `value_at(pixel)` is a value of a display texture, 0
/// outside of it.
template <typename ValueAt>
bool is_isolated(const ValueAt& value_at, glm::ivec2 at) {
  for (int y = -1; y <= 1; ++y) {
    for (int x = -1; x <= 1; ++x) {
      if ((x != 0 || y != 0) && value_at(at + glm::ivec2{x, y}) > 1) return false;
    }
  }
  return true;
}

/// The value that is drawn at a pixel where cells are smaller than kLeastCellSide: an isolated pixel with a
/// living cell also covers its dead neighbours at the right, below, and right below, so that a lone cell is a
/// square of 2 x 2 pixels. Where living cells are dense, nothing changes. shaders/small_cells.frag computes
/// the same.
template <typename ValueAt>
std::uint16_t enlarged_value(const ValueAt& value_at, glm::ivec2 at) {
  std::uint16_t value = value_at(at);
  if (value > 1) return value;
  for (const glm::ivec2 step : {glm::ivec2{1, 0}, glm::ivec2{0, 1}, glm::ivec2{1, 1}}) {
    const std::uint16_t living = value_at(at - step);
    if (living > 1 && is_isolated(value_at, at - step)) value = std::max(value, living);
  }
  return value;
}

}  // namespace loom::render
