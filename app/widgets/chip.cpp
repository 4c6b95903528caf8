#include "app/widgets/chip.h"

#include <imgui.h>

#include <cmath>
#include <glm/vec2.hpp>

#include "app/gui/theme.h"

namespace loom::app {

float chip_padding() {
  return theme::grid(2);
}

float chip_gap() {
  return theme::grid(2);
}

void begin_chip() {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSplit(2);  // the background's size is known at the end
  list.ChannelsSetCurrent(1);
  ImGui::BeginGroup();
  ImGui::Dummy({chip_padding(), ImGui::GetTextLineHeight()});
  ImGui::SameLine(0, 0);
}

void end_chip() {
  ImGui::SameLine(0, 0);
  ImGui::Dummy({chip_padding(), ImGui::GetTextLineHeight()});
  ImGui::EndGroup();
  const glm::vec2 margin{0, std::floor(theme::grid(0.5f))};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSetCurrent(0);
  list.AddRectFilled(glm::vec2(ImGui::GetItemRectMin()) - margin, glm::vec2(ImGui::GetItemRectMax()) + margin,
                     ImGui::GetColorU32(theme::colours().raised), ImGui::GetFontSize());
  list.ChannelsMerge();
}

}  // namespace loom::app
