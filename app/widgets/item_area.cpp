#include "app/widgets/item_area.h"

#include <imgui.h>

namespace loom::app {

Area item_area() {
  const ImVec2 low = ImGui::GetItemRectMin();
  const ImVec2 size = ImGui::GetItemRectSize();
  return {low.x, low.y, size.x, size.y};
}

}  // namespace loom::app
