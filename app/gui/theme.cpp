#include "app/gui/theme.h"

namespace loom::app::theme {
namespace {

glm::vec4 with_alpha(const glm::vec4& colour, float alpha) {
  return {glm::vec3(colour), alpha};
}

}  // namespace

void push_on_raised() {
  ImGui::PushStyleColor(ImGuiCol_FrameBg, kBackground);
  ImGui::PushStyleColor(ImGuiCol_Button, kHover);
}

void pop_on_raised() {
  ImGui::PopStyleColor(2);
}

void apply(float ui_pixels) {
  ImGuiStyle style;  // from the defaults each time: ScaleAllSizes must not compound
  style.WindowRounding = 6;
  style.ChildRounding = 4;
  style.FrameRounding = 4;
  style.PopupRounding = 4;
  style.GrabRounding = 4;
  style.ScrollbarRounding = 4;
  style.WindowBorderSize = 0;
  style.PopupBorderSize = 1;
  style.FrameBorderSize = 0;
  style.WindowPadding = {12, 10};
  style.FramePadding = {8, 2.5f};
  style.ItemSpacing = {8, 4};
  style.ItemInnerSpacing = {7, 4};
  style.CellPadding = {6, 1.5f};
  style.ScrollbarSize = 13;
  style.GrabMinSize = 12;
  style.WindowMinSize = {16, 16};
  style.DisabledAlpha = 0.45f;

  ImVec4* colour = style.Colors;
  ImGui::StyleColorsDark(&style);
  colour[ImGuiCol_Text] = kText;
  colour[ImGuiCol_TextDisabled] = kMuted;
  colour[ImGuiCol_WindowBg] = kBackground;
  colour[ImGuiCol_PopupBg] = with_alpha(kRaised, 0.98f);
  colour[ImGuiCol_Border] = with_alpha(kHover, 1);
  colour[ImGuiCol_FrameBg] = kRaised;
  colour[ImGuiCol_FrameBgHovered] = kHover;
  colour[ImGuiCol_FrameBgActive] = kHover;
  colour[ImGuiCol_TitleBg] = kRaised;
  colour[ImGuiCol_TitleBgActive] = kRaised;
  colour[ImGuiCol_TitleBgCollapsed] = kRaised;
  colour[ImGuiCol_Button] = kRaised;
  colour[ImGuiCol_ButtonHovered] = kHover;
  colour[ImGuiCol_ButtonActive] = with_alpha(kAccent, 0.55f);
  colour[ImGuiCol_Header] = kRaised;
  colour[ImGuiCol_HeaderHovered] = kHover;
  colour[ImGuiCol_HeaderActive] = kHover;
  colour[ImGuiCol_CheckMark] = kAccent;
  colour[ImGuiCol_NavHighlight] = {1.0f, 0.886f, 0.361f, 1};  // keyboard focus, in the colour of kRing
  colour[ImGuiCol_SliderGrab] = kGrab;
  colour[ImGuiCol_SliderGrabActive] = kAccent;
  colour[ImGuiCol_ScrollbarBg] = with_alpha(kBackground, 0);
  colour[ImGuiCol_ScrollbarGrab] = kHover;
  colour[ImGuiCol_Separator] = kHover;
  colour[ImGuiCol_TableRowBgAlt] = {1, 1, 1, 0.025f};
  colour[ImGuiCol_TableBorderLight] = kHover;
  colour[ImGuiCol_TextSelectedBg] = with_alpha(kAccent, 0.35f);
  colour[ImGuiCol_ResizeGrip] = with_alpha(kHover, 0);

  style.ScaleAllSizes(ui_pixels / 16);
  ImGui::GetStyle() = style;
}

}  // namespace loom::app::theme
