#include "app/widgets/rubber_band.h"

#include <glm/common.hpp>

#include "app/gui/theme.h"

namespace loom::app {

void draw_rubber_band(ImDrawList& list, glm::vec2 start) {
  const glm::vec2 end = ImGui::GetIO().MousePos;
  const glm::vec2 low = glm::min(start, end);
  const glm::vec2 high = glm::max(start, end);
  list.AddRectFilled(low, high, theme::kRubberFill);
  list.AddRect(low, high, theme::kRubberBand, 0, 0, 1.5f);
}

}  // namespace loom::app
