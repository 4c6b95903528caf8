#include "render/isolated_cells.h"

#include <algorithm>
#include <cstring>

namespace loom::render {
namespace {

using Value = std::uint16_t;

/// A row with a hole before its first pixel and one after its last. It is 0 but for the columns from `begin`
/// to before `end`.
struct Row {
  Value* values = nullptr;  ///< of the first pixel
  int begin = 0;
  int end = 0;

  void clear() {
    std::fill(values + begin, values + std::max(begin, end), Value{0});
    begin = end = 0;
  }
  bool empty() const { return begin >= end; }
};

/// Whether four pixels have no living cell.
bool are_dead(const Value* pixels) {
  std::uint64_t four = 0;
  std::memcpy(&four, pixels, sizeof(four));
  return (four & 0xFFFEFFFEFFFEFFFE) == 0;
}

/// The living values of a row, and the largest of each pixel and its two neighbours.
void read_row(const Value* pixels, int width, Row& living, Row& largest_of_three) {
  living.clear();
  largest_of_three.clear();
  int begin = 0;
  while (begin + 4 <= width && are_dead(pixels + begin)) begin += 4;
  while (begin < width && pixels[begin] <= 1) ++begin;
  if (begin == width) return;
  int end = width;
  while (end - 4 > begin && are_dead(pixels + end - 4)) end -= 4;
  while (pixels[end - 1] <= 1) --end;
  Value* const own = living.values;
  for (int x = begin; x < end; ++x) own[x] = pixels[x] > 1 ? pixels[x] : Value{0};
  living.begin = begin;
  living.end = end;
  Value* const largest = largest_of_three.values;
  largest_of_three.begin = std::max(begin - 1, 0);
  largest_of_three.end = std::min(end + 1, width);
  for (int x = largest_of_three.begin; x < largest_of_three.end; ++x)
    largest[x] = std::max(std::max(own[x - 1], own[x]), own[x + 1]);
}

}  // namespace

// Loops over the columns with living cells, which compilers turn into vector instructions.
const std::uint16_t* IsolatedCells::enlarge(const std::uint16_t* pixels, std::size_t row_bytes,
                                            glm::ivec2 size) {
  const int width = size.x;
  const auto pitch = static_cast<std::size_t>(width) + 2;
  image_.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(size.y));
  constexpr std::size_t kRows = 8;
  rows_.assign(kRows * pitch, 0);
  const auto row = [&](std::size_t number) { return Row{.values = rows_.data() + number * pitch + 1}; };
  Row living[3] = {row(0), row(1), row(2)};   // of the row before, this row and the next
  Row largest[3] = {row(3), row(4), row(5)};  // of three neighbours
  Row isolated[2] = {row(6), row(7)};         // of the row before and this row
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
      largest[2].clear();
    }
    isolated[1].clear();
    isolated[1].begin = living[1].begin;
    isolated[1].end = living[1].end;
    const Value* own = living[1].values;
    const Value* before = largest[0].values;
    const Value* after = largest[2].values;
    Value* lone = isolated[1].values;
    for (int x = isolated[1].begin; x < isolated[1].end; ++x) {
      const Value around = std::max(std::max(own[x - 1], own[x + 1]), std::max(before[x], after[x]));
      lone[x] = around == 0 ? own[x] : Value{0};
    }
    const Value* values = pixels_of(y);
    Value* result = image_.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
    std::copy_n(values, width, result);
    int begin = width;
    int end = 0;
    for (const Row& one : isolated) {
      if (one.empty()) continue;
      begin = std::min(begin, one.begin);
      end = std::max(end, std::min(one.end + 1, width));
    }
    const Value* above = isolated[0].values;
    for (int x = begin; x < end; ++x) {
      const Value enlarged = std::max(std::max(lone[x - 1], above[x]), std::max(above[x - 1], values[x]));
      result[x] = values[x] > 1 ? values[x] : enlarged;
    }
  }
  return image_.data();
}

}  // namespace loom::render
