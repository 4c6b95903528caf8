#include "render/isolated_cells.h"

#include <algorithm>

namespace loom::render {
namespace {

using Value = std::uint16_t;

// All rows below have a hole before the first pixel and one after the last, and start at the first pixel.

/// The living values of a row, 0 elsewhere, and the largest of each pixel and its two neighbours.
void read_row(const Value* pixels, int width, Value* living, Value* largest_of_three) {
  for (int x = 0; x < width; ++x) living[x] = pixels[x] > 1 ? pixels[x] : Value{0};
  for (int x = 0; x < width; ++x)
    largest_of_three[x] = std::max(std::max(living[x - 1], living[x]), living[x + 1]);
}

}  // namespace

// Loops over whole rows, which compilers turn into vector instructions.
const std::uint16_t* IsolatedCells::enlarge(const std::uint16_t* pixels, std::size_t row_bytes,
                                            glm::ivec2 size) {
  const int width = size.x;
  const auto pitch = static_cast<std::size_t>(width) + 2;
  image_.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(size.y));
  constexpr std::size_t kRows = 8;
  rows_.assign(kRows * pitch, 0);
  const auto row = [&](std::size_t number) { return rows_.data() + number * pitch + 1; };
  Value* living[3] = {row(0), row(1), row(2)};   // of the row before, this row and the next
  Value* largest[3] = {row(3), row(4), row(5)};  // of three neighbours
  Value* isolated[2] = {row(6), row(7)};         // of the row before and this row
  const auto pixels_of = [&](int y) {
    return reinterpret_cast<const Value*>(reinterpret_cast<const char*>(pixels) +
                                          static_cast<std::size_t>(y) * row_bytes);
  };
  if (size.y > 0) read_row(pixels_of(0), width, living[2], largest[2]);
  for (int y = 0; y < size.y; ++y) {
    std::rotate(living, living + 1, living + 3);
    std::rotate(largest, largest + 1, largest + 3);
    std::swap(isolated[0], isolated[1]);
    if (y + 1 < size.y) {
      read_row(pixels_of(y + 1), width, living[2], largest[2]);
    } else {
      std::fill_n(largest[2], width, Value{0});
    }
    const Value* own = living[1];
    Value* lone = isolated[1];
    for (int x = 0; x < width; ++x) {
      const Value around = std::max(std::max(own[x - 1], own[x + 1]), std::max(largest[0][x], largest[2][x]));
      lone[x] = around == 0 ? own[x] : Value{0};
    }
    const Value* above = isolated[0];
    const Value* values = pixels_of(y);
    Value* result = image_.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
    for (int x = 0; x < width; ++x) {
      const Value enlarged = std::max(std::max(lone[x - 1], above[x]), std::max(above[x - 1], values[x]));
      result[x] = values[x] > 1 ? values[x] : enlarged;
    }
  }
  return image_.data();
}

}  // namespace loom::render
