#include "app/widgets/item_area.h"

#include <imgui.h>

namespace loom::app {

Area item_area() {
  return {ImGui::GetItemRectMin(), ImGui::GetItemRectSize()};
}

}  // namespace loom::app
