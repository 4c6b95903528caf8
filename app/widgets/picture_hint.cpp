#include "app/widgets/picture_hint.h"

#include <algorithm>

#include "app/gui/theme.h"
#include "app/widgets/text.h"

namespace loom::app {

void picture_hint(ImDrawList& list, const Area& picture, std::string_view text) {
  const float font = ImGui::GetFontSize();
  const float margin = theme::grid(2);
  const float room = picture.size.x - 4 * margin;
  if (room < 6 * font || picture.size.y < 4 * font) return;
  const Text lines = break_into_lines(text, room, text_width);
  const glm::vec2 size = ImGui::CalcTextSize(lines.c_str(), lines.c_str() + lines.size());
  const glm::vec2 at = picture.corner + (picture.size - size) / 2.0f;
  list.AddRectFilled(at - margin, at + size + margin, ImGui::ColorConvertFloat4ToU32(theme::colours().raised),
                     theme::grid(1));
  list.AddText(at, ImGui::ColorConvertFloat4ToU32(theme::colours().text), lines.c_str(),
               lines.c_str() + lines.size());
}

}  // namespace loom::app
