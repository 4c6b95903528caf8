#include "app/widgets/rows.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/gui/theme.h"
#include "app/widgets/choice.h"
#include "app/widgets/text.h"

namespace loom::app {

bool begin_rows(const char* id, float value_width) {
  if (!ImGui::BeginTable(id, 2)) return false;
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch, 1);
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, value_width);
  return true;
}

void row(const char* name, std::string_view value, std::string_view hint) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(name);
  tooltip(hint);
  ImGui::TableNextColumn();
  right_aligned(value);
}

void muted_titles(std::initializer_list<const char*> titles) {
  ImGui::TableNextRow();
  ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().muted);
  bool first = true;
  for (const char* title : titles) {
    ImGui::TableNextColumn();
    std::exchange(first, false) ? ImGui::TextUnformatted(title) : right_aligned(title);
  }
  ImGui::PopStyleColor();
}

void muted_value(std::string_view text) {
  ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().muted);
  right_aligned(text);
  ImGui::PopStyleColor();
}

void bar(double share, std::string_view text) {
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetTextLineHeight();
  const float length = ImGui::GetContentRegionAvail().x * static_cast<float>(std::clamp(share, 0.0, 1.0));
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + height * 0.12f},
                                            {at.x + length, at.y + height * 0.88f},
                                            ImGui::GetColorU32(theme::colours().grab), 2);
  right_aligned(text);
}

}  // namespace loom::app
