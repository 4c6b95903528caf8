#include "render/isolated_cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace loom::render {
namespace {

/// The definition, pixel by pixel.
class Definition {
 public:
  Definition(const std::vector<std::uint16_t>& pixels, int pitch, glm::ivec2 size)
      : pixels_(pixels), pitch_(pitch), size_(size) {}

  std::uint16_t enlarged(glm::ivec2 at) const {
    std::uint16_t value = value_at(at);
    if (value > 1) return value;
    for (const glm::ivec2 step : {glm::ivec2{1, 0}, glm::ivec2{0, 1}, glm::ivec2{1, 1}}) {
      if (is_isolated(at - step)) value = std::max(value, value_at(at - step));
    }
    return value;
  }

 private:
  std::uint16_t value_at(glm::ivec2 at) const {
    if (at.x < 0 || at.y < 0 || at.x >= size_.x || at.y >= size_.y) return 0;
    return pixels_[static_cast<std::size_t>(at.y * pitch_ + at.x)];
  }
  bool is_isolated(glm::ivec2 at) const {
    if (value_at(at) <= 1) return false;
    for (int y = -1; y <= 1; ++y) {
      for (int x = -1; x <= 1; ++x) {
        if ((x != 0 || y != 0) && value_at(at + glm::ivec2{x, y}) > 1) return false;
      }
    }
    return true;
  }

  const std::vector<std::uint16_t>& pixels_;
  int pitch_;
  glm::ivec2 size_;
};

// Living cells from rare to dense; the values between the rows must not matter.
TEST(IsolatedCells, AreEnlargedAsDefined) {
  std::mt19937 random(5);
  IsolatedCells cells;
  for (const glm::ivec2 size : {glm::ivec2{1, 1}, {2, 1}, {1, 3}, {64, 33}, {7, 5}, {100, 60}}) {
    for (const unsigned rarity : {2u, 8u, 30u, 200u}) {
      const int pitch = size.x + static_cast<int>(random() % 4);
      std::vector<std::uint16_t> pixels(static_cast<std::size_t>(pitch * size.y));
      for (std::uint16_t& value : pixels)
        value = static_cast<std::uint16_t>(random() % rarity == 0 ? 2 + random() % 65534 : random() % 2);
      const std::uint16_t* drawn =
          cells.enlarge(pixels.data(), static_cast<std::size_t>(pitch) * sizeof(std::uint16_t), size);
      const Definition definition(pixels, pitch, size);
      for (int y = 0; y < size.y; ++y) {
        for (int x = 0; x < size.x; ++x) {
          ASSERT_EQ(drawn[y * size.x + x], definition.enlarged({x, y}))
              << size.x << " x " << size.y << ", 1 in " << rarity << ", pixel " << x << ", " << y;
        }
      }
    }
  }
}

}  // namespace
}  // namespace loom::render
