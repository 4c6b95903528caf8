#include "app/widgets/rubber_band.h"

#include <algorithm>

#include "app/gui/theme.h"

namespace loom::app {

void draw_rubber_band(ImDrawList& list, const ImVec2& start) {
  const ImVec2 end = ImGui::GetIO().MousePos;
  const ImVec2 low{std::min(start.x, end.x), std::min(start.y, end.y)};
  const ImVec2 high{std::max(start.x, end.x), std::max(start.y, end.y)};
  list.AddRectFilled(low, high, theme::kRubberFill);
  list.AddRect(low, high, theme::kRubberBand, 0, 0, 1.5f);
}

}  // namespace loom::app
