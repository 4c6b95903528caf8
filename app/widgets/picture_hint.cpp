#include "app/widgets/picture_hint.h"

#include <algorithm>

#include "app/gui/theme.h"
#include "app/widgets/text.h"

namespace loom::app {

void picture_hint(ImDrawList& list, const Area& picture, std::string_view text) {
  const float font = ImGui::GetFontSize();
  const float margin = 0.6f * font;
  const float room = picture.width - 4 * margin;
  if (room < 6 * font || picture.height < 4 * font) return;
  const Text lines = break_into_lines(text, room, text_width);
  const ImVec2 size = ImGui::CalcTextSize(lines.c_str(), lines.c_str() + lines.size());
  const ImVec2 at{picture.x + (picture.width - size.x) / 2, picture.y + (picture.height - size.y) / 2};
  list.AddRectFilled({at.x - margin, at.y - margin}, {at.x + size.x + margin, at.y + size.y + margin},
                     ImGui::ColorConvertFloat4ToU32(theme::kRaised), 0.3f * font);
  list.AddText(at, ImGui::ColorConvertFloat4ToU32(theme::kText), lines.c_str(), lines.c_str() + lines.size());
}

}  // namespace loom::app
