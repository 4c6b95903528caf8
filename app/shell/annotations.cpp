#include "app/shell/annotations.h"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <glm/geometric.hpp>
#include <nlohmann/json.hpp>

#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"

namespace loom::app {
namespace {

// In font sizes.
constexpr float kStrokeWidth = 0.28f;
constexpr float kSpotlightRadius = 6;
constexpr float kLeastMove = 0.1f;  ///< between two points of a stroke

}  // namespace

void Annotations::spotlight() {
  spotlight_held_ = imgui_compat::is_down(GLFW_KEY_F8);
  spotlight_ = spotlight_held_ || !spotlight_;
}

bool Annotations::undo() {
  if (!can_undo()) return false;
  strokes_.pop_back();
  drawing_ = false;
  return true;
}

bool Annotations::erase() {
  const bool any = pen_ || spotlight_ || !strokes_.empty();
  pen_ = drawing_ = spotlight_ = spotlight_held_ = false;
  strokes_.clear();
  return any;
}

// The window's name makes it a part of saved images.
void Annotations::draw(const Area& picture) {
  if (spotlight_held_ && !imgui_compat::is_down(GLFW_KEY_F8)) spotlight_ = spotlight_held_ = false;
  if ((!pen_ && !spotlight_ && strokes_.empty()) || picture.empty()) return;
  ImGui::SetNextWindowPos(picture.corner);
  ImGui::SetNextWindowSize(picture.size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::Begin("##pen", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                   ImGuiWindowFlags_NoNav | (pen_ ? 0 : ImGuiWindowFlags_NoInputs));
  ImGui::PopStyleVar();
  if (pen_) take_mouse(picture);
  draw_strokes(picture);
  if (spotlight_) draw_spotlight(picture);
  ImGui::End();
}

void Annotations::take_mouse(const Area& picture) {
  ImGui::InvisibleButton("##paper", picture.size);
  const glm::vec2 mouse = ImGui::GetIO().MousePos;
  if (ImGui::IsItemActivated()) {
    strokes_.emplace_back();
    drawing_ = true;
  }
  drawing_ = drawing_ && ImGui::IsItemActive();
  if (drawing_) {
    Stroke& stroke = strokes_.back();
    const auto on_screen = [&](glm::vec2 at) { return picture.corner + at * picture.size; };
    if (stroke.empty() || glm::distance(on_screen(stroke.back()), mouse) >= kLeastMove * ImGui::GetFontSize())
      stroke.push_back((mouse - picture.corner) / picture.size);
  }
  if (ImGui::IsItemHovered())
    ImGui::GetWindowDrawList()->AddCircleFilled(mouse, kStrokeWidth * ImGui::GetFontSize(), theme::kPen);
}

void Annotations::draw_strokes(const Area& picture) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float width = kStrokeWidth * ImGui::GetFontSize();
  for (const Stroke& stroke : strokes_) {
    if (stroke.size() == 1) {
      const glm::vec2 at = picture.corner + stroke.front() * picture.size;
      list.AddCircleFilled(at, width, theme::overlay(false).edge);
      list.AddCircleFilled(at, width * 0.7f, theme::kPen);
      continue;
    }
    for (const bool edge : {true, false}) {
      for (const glm::vec2& at : stroke) list.PathLineTo(picture.corner + at * picture.size);
      list.PathStroke(edge ? theme::overlay(false).edge : theme::kPen, 0, edge ? width * 1.6f : width);
    }
  }
}

// A ring from the light to beyond the corners; the window clips it.
void Annotations::draw_spotlight(const Area& picture) const {
  constexpr int kSegments = 96;
  const glm::vec2 mouse = ImGui::GetIO().MousePos;
  const float radius = kSpotlightRadius * ImGui::GetFontSize();
  const float width = 2 * glm::length(picture.size);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (!picture.contains(mouse)) return list.AddRectFilled(picture.corner, picture.end(), theme::kShade);
  list.AddCircle(mouse, radius + width / 2, theme::kShade, kSegments, width);
}

void Annotations::add_state(nlohmann::ordered_json& json) const {
  json["pen"] = {{"on", pen_},
                 {"strokes", strokes_.size()},
                 {"points", strokes_.empty() ? 0 : strokes_.back().size()},
                 {"spotlight", spotlight_}};
}

}  // namespace loom::app
