#include "app/widgets/choice.h"

#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <glm/vec2.hpp>

#include "app/gui/fonts.h"
#include "app/gui/theme.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/text.h"

namespace loom::app {

void row_label(const char* label) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label);
  ImGui::SameLine(ImGui::GetFontSize() * 6.6f);
  ImGui::SetNextItemWidth(remaining_width());
}

float remaining_width() {
  return ImGui::GetContentRegionAvail().x;
}

float equal_width(int parts) {
  return (remaining_width() - static_cast<float>(parts - 1) * ImGui::GetStyle().ItemSpacing.x) /
         static_cast<float>(parts);
}

float button_width(std::string_view label) {
  return ImGui::CalcTextSize(label.data(), label.data() + label.size(), true).x +
         2 * ImGui::GetStyle().FramePadding.x;
}

ButtonRow::ButtonRow(std::span<const char* const> labels) {
  float words = 0;
  for (const char* const label : labels) words += ImGui::CalcTextSize(label).x;
  share_ = equal_width(static_cast<int>(labels.size())) - words / static_cast<float>(labels.size());
}

float ButtonRow::width(const char* label) const {
  return ImGui::CalcTextSize(label).x + share_;
}

bool choice_button(const char* label, bool selected, float width, std::string_view disabled_reason,
                   std::string_view hint, const glm::vec4& accent) {
  ImGui::BeginDisabled(!disabled_reason.empty());
  if (selected) {
    ImGui::PushStyleColor(ImGuiCol_Button, accent);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, accent);
    ImGui::PushStyleColor(ImGuiCol_Text, theme::text_on(accent));
  }
  const bool pressed = ImGui::Button(label, {width, 0});
  if (selected) ImGui::PopStyleColor(3);
  ImGui::EndDisabled();
  tooltip(disabled_reason.empty() ? hint : disabled_reason);
  return pressed;
}

bool choice_radio(const char* label, bool selected, std::string_view disabled_reason, std::string_view hint) {
  ImGui::BeginDisabled(!disabled_reason.empty());
  const bool pressed = ImGui::RadioButton(label, selected);
  ImGui::EndDisabled();
  tooltip(disabled_reason.empty() ? hint : disabled_reason);
  return pressed;
}

void note(std::string_view text) {
  ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().muted);
  wrapped_text(text);
  ImGui::PopStyleColor();
}

void warning(std::string_view text) {
  ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().warning);
  wrapped_text(text);
  ImGui::PopStyleColor();
}

namespace {

ImFont* bold() {
  return font_of(FontFace::kBold);
}

float bold_width(const char* text) {
  return bold()->CalcTextSizeA(ImGui::GetFontSize(), FLT_MAX, 0, text).x;
}

bool header(const char* title, bool* shown, ImGuiTreeNodeFlags flags) {
  if (should_expand_sections()) ImGui::SetNextItemOpen(true);
  ImGui::PushFont(bold());
  const bool open = ImGui::CollapsingHeader(title, shown, flags);
  ImGui::PopFont();
  return open;
}

}  // namespace

bool section(const char* title) {
  return header(title, nullptr, ImGuiTreeNodeFlags_DefaultOpen);
}

bool folded_section(const char* title, std::string_view summary) {
  const glm::vec2 corner = ImGui::GetCursorScreenPos();
  const float width = remaining_width();
  const float label = ImGui::GetTreeNodeToLabelSpacing() + bold_width(title);
  if (header(title, nullptr, ImGuiTreeNodeFlags_None)) return true;
  const float padding = ImGui::GetStyle().FramePadding.x;
  const float text = ImGui::CalcTextSize(summary.data(), summary.data() + summary.size()).x;
  const float left = corner.x + std::max(label + 2 * padding, width - padding - text);
  const glm::vec2 low{left, corner.y + ImGui::GetStyle().FramePadding.y};
  const ImVec4 clip{low.x, corner.y, corner.x + width - padding, corner.y + ImGui::GetFrameHeight()};
  ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), ImGui::GetFontSize(), low,
                                      ImGui::GetColorU32(ImGuiCol_TextDisabled), summary.data(),
                                      summary.data() + summary.size(), 0, &clip);
  tooltip(summary);
  return false;
}

bool section(const char* title, bool& shown) {
  return header(title, &shown, ImGuiTreeNodeFlags_DefaultOpen) && shown;
}

}  // namespace loom::app
