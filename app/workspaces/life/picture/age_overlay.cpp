#include "app/workspaces/life/picture/age_overlay.h"

#include <algorithm>
#include <array>
#include <bit>
#include <glm/vector_relational.hpp>

#include "app/workspaces/life/picture/grid_overlay.h"

namespace loom::app {
namespace {

// Each darker than the previous one, so that they differ in greyscale too.
constexpr std::array kAgeColours = {
    IM_COL32(255, 255, 255, 255), IM_COL32(255, 240, 150, 255), IM_COL32(255, 210, 80, 255),
    IM_COL32(250, 165, 55, 255),  IM_COL32(235, 110, 60, 255),  IM_COL32(205, 60, 85, 255),
    IM_COL32(150, 40, 120, 255),
};

static_assert(kAgeColours.size() == kAgeSteps);

}  // namespace

ImU32 age_colour(std::size_t step) {
  return kAgeColours[std::min(step, kAgeSteps - 1)];
}

ImU32 trail_colour(std::uint32_t dead) {
  return IM_COL32(80, 190, 255, 12 * (CellAges::kTrail + 1 - dead));
}

void draw_ages(ImDrawList& list, const PictureView& view, const CellAges& ages) {
  if (cell_side(view) < kMinAgeCellSide) return;
  const Area& area = view.area;
  for (const CellAges::Cell& cell : ages.cells()) {
    if (cell.alive == 0 && cell.dead == 0) continue;
    const glm::dvec2 corner(cell.place.x, cell.place.y);
    const glm::vec2 low = view.screen(corner);
    const glm::vec2 high = view.screen(corner + 1.0);
    if (glm::any(glm::lessThan(high, area.corner)) || glm::any(glm::greaterThan(low, area.end()))) continue;
    if (cell.alive > 0) {
      const auto step = static_cast<std::size_t>(std::bit_width(cell.alive) - 1);
      list.AddRectFilled(low, high, age_colour(step));
    } else {
      list.AddRectFilled(low, high, trail_colour(cell.dead));
    }
  }
}

}  // namespace loom::app
