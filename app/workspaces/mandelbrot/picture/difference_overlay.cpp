#include "app/workspaces/mandelbrot/picture/difference_overlay.h"

#include <algorithm>
#include <bitset>
#include <cmath>

namespace loom::app {
namespace {

constexpr ImU32 kRingColour = IM_COL32(255, 60, 60, 255);
constexpr ImU32 kSquareColour = IM_COL32(255, 60, 60, 150);

glm::vec2 middle_of(const DwellDifference& place, const Area& area, float scale) {
  return area.corner + (glm::vec2(place.pixel.x, place.pixel.y) + 0.5f) / scale;
}

void draw_squares(ImDrawList& list, const Area& area, float scale, float least,
                  const DwellDifferences& differences) {
  const float side = std::ceil(std::max({least, area.size.x / kSquares, area.size.y / kSquares}));
  const auto square = [&](float along) {
    return static_cast<std::size_t>(std::clamp(static_cast<int>(along / side), 0, kSquares - 1));
  };
  std::bitset<static_cast<std::size_t>(kSquares) * kSquares> marked;
  for (const DwellDifference& place : differences.places) {
    const glm::vec2 at = middle_of(place, area, scale);
    marked.set(square(at.y - area.corner.y) * kSquares + square(at.x - area.corner.x));
  }
  for (int row = 0; row < kSquares; ++row) {
    for (int column = 0; column < kSquares;) {
      const auto has = [&](int at) {
        return at < kSquares && marked[static_cast<std::size_t>(row * kSquares + at)];
      };
      const int begin = column++;
      if (!has(begin)) continue;
      while (has(column)) ++column;
      const glm::vec2 low = area.corner + glm::vec2(begin, row) * side;
      list.AddRectFilled(low, low + glm::vec2(column - begin, 1) * side, kSquareColour);
    }
  }
}

}  // namespace

void draw_differences(ImDrawList& list, const Area& area, float scale, const DwellDifferences& differences) {
  const float radius = std::max(4.0f, ImGui::GetFontSize() * 0.35f);
  if (differences.places.size() > kMaxRings) {
    draw_squares(list, area, scale, 2 * radius, differences);
    return;
  }
  for (const DwellDifference& place : differences.places) {
    list.AddCircle(middle_of(place, area, scale), radius, kRingColour, 12, 2);
  }
}

}  // namespace loom::app
