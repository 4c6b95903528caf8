#include "app/life/panes/pane_window.h"

#include <imgui.h>

#include <algorithm>

#include "app/widgets/sketch_painter.h"
#include "app/widgets/text.h"

namespace loom::app {

void begin_pane_window(const char* id, const Area& area, bool scrolls) {
  ImGui::SetNextWindowPos({area.x, area.y});
  ImGui::SetNextWindowSize({area.width, area.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav |
                   (scrolls ? ImGuiWindowFlags_HorizontalScrollbar
                            : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse));
  ImGui::PopStyleVar();
}

const sketch::Hot* show_sketch(const sketch::Sketch& sketch) {
  const float font = ImGui::GetFontSize();
  const float fitting = ImGui::GetContentRegionAvail().x / std::max(sketch.width() + 0.5f, 1.0f);
  const float size = std::clamp(fitting, kLeastLetters * font, font);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({sketch.width() * size, sketch.height() * size});
  const sketch::Hot* const hot =
      paint_sketch(*ImGui::GetWindowDrawList(), sketch, at, size, ImGui::IsWindowHovered());
  if (hot != nullptr && !hot->tip.empty()) {
    ImGui::BeginTooltip();
    wrapped(hot->tip, font * 24);
    ImGui::EndTooltip();
  }
  return hot;
}

}  // namespace loom::app
