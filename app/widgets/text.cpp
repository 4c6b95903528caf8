#include "app/widgets/text.h"

#include <imgui.h>

#include "app/widgets/choice.h"
#include "app/widgets/format.h"

namespace loom::app {

std::string plural(std::uint64_t count, const std::string& noun) {
  return format_count(count) + " " + noun + (count == 1 ? "" : "s");
}

void elided(const std::string& text, float width) {
  if (ImGui::CalcTextSize(text.c_str()).x <= width) {
    ImGui::TextUnformatted(text.c_str());
    return;
  }
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  std::size_t end = text.size();
  std::string cut;
  do {
    do --end;
    while (end > 0 && continues(end));
    cut = text.substr(0, end) + "…";
  } while (end > 0 && ImGui::CalcTextSize(cut.c_str()).x > width);
  ImGui::TextUnformatted(cut.c_str());
  tooltip(text);
}

void right_aligned(const std::string& text) {
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
  if (room > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
  ImGui::TextUnformatted(text.c_str());
}

}  // namespace loom::app
