#include "app/widgets/picture_cursor.h"

#include <algorithm>
#include <cstdlib>

#include "app/gui/theme.h"

namespace loom::app {
namespace {

bool mouse_is_used() {
  const ImGuiIO& io = ImGui::GetIO();
  return io.MouseDelta.x != 0 || io.MouseDelta.y != 0 || io.MouseWheel != 0 || ImGui::IsAnyMouseDown() ||
         ImGui::IsMouseReleased(ImGuiMouseButton_Left);
}

std::uint64_t moved_within(std::uint64_t at, int steps, std::uint64_t step, std::uint64_t end) {
  const std::uint64_t last = end - 1;
  const std::uint64_t count = static_cast<std::uint64_t>(std::abs(steps));
  const std::uint64_t room = steps < 0 ? at : last - std::min(at, last);
  // Compared by division, because the product may exceed 64 bits.
  const std::uint64_t way = step > 0 && count > room / step ? room : count * step;
  return steps < 0 ? at - way : std::min(at, last) + way;
}

}  // namespace

Coord64 moved_within(Coord64 from, glm::ivec2 steps, Coord64 step, Coord64 end) {
  return {moved_within(from.x, steps.x, step.x, end.x), moved_within(from.y, steps.y, step.y, end.y)};
}

void PictureCursor::begin(const std::optional<Coord64>& under_mouse, Coord64 start) {
  if (under_mouse && (mouse_is_used() || !by_keys_)) {
    unit_ = under_mouse;
    by_keys_ = false;
    return;
  }
  if (!unit_) unit_ = start;
  by_keys_ = true;
}

void PictureCursor::move_to(Coord64 unit) {
  unit_ = unit;
  by_keys_ = true;
}

void draw_picture_cursor(ImDrawList& list, glm::vec2 middle, float side, bool light) {
  const float font = ImGui::GetFontSize();
  const float half = std::max(0.5f * side + 0.25f * font, 0.6f * font);
  const float tick = 0.55f * font;
  const theme::Overlay& marks = theme::overlay(light);
  const auto draw = [&](ImU32 colour, float thickness) {
    list.AddRect(middle - half, middle + half, colour, 0.2f * font, 0, thickness);
    for (const glm::vec2 way : {glm::vec2{1, 0}, glm::vec2{-1, 0}, glm::vec2{0, 1}, glm::vec2{0, -1}})
      list.AddLine(middle + way * half, middle + way * (half + tick), colour, thickness);
  };
  draw(marks.edge, 0.34f * font);
  draw(marks.hovered, 0.14f * font);
}

}  // namespace loom::app
