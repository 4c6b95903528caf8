#include "app/widgets/icons.h"

#include <algorithm>

#include "app/gui/theme.h"
#include "compute/geometry/transforms.h"

namespace loom::app {
void draw_colours(ImDrawList& list, const std::array<glm::u8vec3, 256>& colours, glm::vec2 corner,
                  glm::vec2 size) {
  constexpr int kSteps = 64;
  const float step = size.x / kSteps;
  for (int i = 0; i < kSteps; ++i) {
    const ImU32 left = theme::packed(colours[static_cast<std::size_t>(i * 255 / kSteps)]);
    const ImU32 right = theme::packed(colours[static_cast<std::size_t>((i + 1) * 255 / kSteps)]);
    const float x = corner.x + step * static_cast<float>(i);
    list.AddRectFilledMultiColor({x, corner.y}, {x + step, corner.y + size.y}, left, right, right, left);
  }
}

void draw_fractal_icon(ImDrawList& list, const NbbFractal& fractal, glm::vec2 corner, float side) {
  int level = 1;  // at most two levels of a uniform fractal; four of the others, as far as cells are visible
  const int most = std::min(fractal.max_level(), fractal.is_uniform() ? 2 : 4);
  while (level < most && std::max(fractal.width(level + 1), fractal.height(level + 1)) <= 20) ++level;
  const NbbTransform<std::uint32_t> transform(fractal, level);
  const auto columns = static_cast<std::uint32_t>(fractal.width(level));
  const auto rows = static_cast<std::uint32_t>(fractal.height(level));
  // Cells are square, except for a single row, which is stretched to be visible.
  const float cell = side / static_cast<float>(std::max(columns, rows));
  const float cell_height = rows == 1 ? side / 3 : cell;
  const glm::vec2 start{corner.x + (side - cell * static_cast<float>(columns)) / 2,
                        corner.y + (side - cell_height * static_cast<float>(rows)) / 2};
  const ImU32 colour = ImGui::ColorConvertFloat4ToU32(theme::colours().accent);
  for (std::uint32_t y = 0; y < rows; ++y) {
    for (std::uint32_t x = 0; x < columns; ++x) {
      if (!is_member(transform, level, Coord32{x, y})) continue;
      const glm::vec2 low{start.x + cell * static_cast<float>(x),
                          start.y + cell_height * static_cast<float>(y)};
      list.AddRectFilled(
          low, {low.x + std::max(1.0f, cell - 0.5f), low.y + std::max(1.0f, cell_height - 0.5f)}, colour);
    }
  }
}

}  // namespace loom::app
