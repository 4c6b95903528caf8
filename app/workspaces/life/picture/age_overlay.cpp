#include "app/workspaces/life/picture/age_overlay.h"

#include <algorithm>
#include <array>
#include <bit>

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
    const auto x = static_cast<double>(cell.place.x);
    const auto y = static_cast<double>(cell.place.y);
    const ImVec2 low = view.screen(x, y);
    const ImVec2 high = view.screen(x + 1, y + 1);
    if (high.x < area.x || high.y < area.y || low.x > area.x + area.width || low.y > area.y + area.height)
      continue;
    if (cell.alive > 0) {
      const auto step = static_cast<std::size_t>(std::bit_width(cell.alive) - 1);
      list.AddRectFilled(low, high, age_colour(step));
    } else {
      list.AddRectFilled(low, high, trail_colour(cell.dead));
    }
  }
}

}  // namespace loom::app
