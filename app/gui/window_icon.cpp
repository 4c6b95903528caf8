#include "app/gui/window_icon.h"

#include <GLFW/glfw3.h>

#include <array>
#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec4.hpp>
#include <vector>

namespace loom::app {
namespace {

constexpr int kCells = 8;  // cells per side: the gasket at level 3

constexpr glm::u8vec4 kBackgroundColour{0x17, 0x18, 0x1c, 255};
constexpr glm::u8vec4 kThreadColour{0x5a, 0xb4, 0xc5, 255};
constexpr glm::u8vec4 kAliveColour{0xfd, 0xe7, 0x37, 255};

// With x and y counted from the left and the top, (x, y) is a hole if x has a binary digit 1 where y has a 0.
bool is_cell(int x, int y) {
  return (x & ~y & (kCells - 1)) == 0;
}

std::vector<std::uint8_t> drawn(int side) {
  std::vector<std::uint8_t> pixels;
  const int step = side / (kCells + 2);
  const int margin = (side - step * kCells) / 2;
  const int gap = step >= 5 ? 1 : 0;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const int column = x < margin ? -1 : (x - margin) / step;
      const int row = y < margin ? -1 : (y - margin) / step;
      const bool inside = column >= 0 && row >= 0 && column < kCells && row < kCells;
      const bool on_gap = (x - margin) % step < gap || (y - margin) % step < gap;
      glm::u8vec4 colour = kBackgroundColour;
      const bool in_row = row >= 0 && row < kCells;
      if (in_row && (y - margin) % step == step / 2 && x >= margin / 2 &&
          x < margin + (row + 1) * step + margin / 2)
        colour = kThreadColour;
      if (inside && is_cell(column, row) && !on_gap) colour = kAliveColour;
      pixels.insert(pixels.end(), {colour.r, colour.g, colour.b, colour.a});
    }
  }
  return pixels;
}

}  // namespace

void set_window_icon(GLFWwindow* window) {
  constexpr std::array kSides = {16, 32, 48, 128};
  std::array<std::vector<std::uint8_t>, kSides.size()> pixels;
  std::array<GLFWimage, kSides.size()> images{};
  for (std::size_t i = 0; i < kSides.size(); ++i) {
    pixels[i] = drawn(kSides[i]);
    images[i] = {kSides[i], kSides[i], pixels[i].data()};
  }
  glfwSetWindowIcon(window, static_cast<int>(images.size()), images.data());
}

}  // namespace loom::app
