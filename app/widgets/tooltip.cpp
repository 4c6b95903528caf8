#include "app/widgets/tooltip.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <glm/common.hpp>
#include <glm/vector_relational.hpp>

#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/widgets/item_area.h"
#include "app/widgets/text.h"

namespace loom::app {
namespace {

constexpr float kLineWidth = 24;  // font sizes

/// The item under the mouse, across frames.
struct Hover {
  ImGuiID window = 0;
  Area item;
  int frame = 0;           ///< the last frame in which the mouse was on it
  double since = 0;        ///< when the mouse entered it
  bool clicked = false;    ///< a mouse button was pressed since then
  int shown_in_frame = 0;  ///< the last frame with its tooltip
  std::string text;
  Area area;
};

// Static, because there is one mouse.
Hover& hover() {
  static Hover one;
  return one;
}

bool overlap(const Area& a, const Area& b) {
  return glm::all(glm::lessThan(a.corner, b.end())) && glm::all(glm::lessThan(b.corner, a.end()));
}

bool contains(const Area& outer, const Area& inner) {
  return glm::all(glm::greaterThanEqual(inner.corner, outer.corner)) &&
         glm::all(glm::lessThanEqual(inner.end(), outer.end()));
}

// Items have no common identifier; the window and the area identify an item.
bool hovered_for_long(const Area& item) {
  Hover& now = hover();
  const int frame = ImGui::GetFrameCount();
  const ImGuiID window = imgui_compat::window_id();
  const bool goes_on = now.frame <= frame && now.frame + 1 >= frame && now.window == window;
  if (!goes_on || !overlap(now.item, item)) {
    now.since = ImGui::GetTime();
    now.clicked = false;
  }
  now.window = window;
  now.item = item;
  now.frame = frame;
  now.clicked |= ImGui::IsAnyMouseDown();
  return !now.clicked && ImGui::GetTime() - now.since >= kTooltipDelay;
}

}  // namespace

Area tooltip_area(const Area& item, const Area& window, const Area& screen, glm::vec2 size, float gap) {
  const auto within = [&](glm::vec2 corner) {
    return glm::max(screen.corner, glm::min(corner, screen.end() - size));
  };
  const glm::vec2 inside = within(item.corner);
  const glm::vec2 before = item.corner - gap - size;
  const glm::vec2 after = item.end() + gap;
  const std::array<glm::vec2, 6> places = {{{window.end().x + gap, inside.y},
                                            {window.corner.x - gap - size.x, inside.y},
                                            {inside.x, after.y},
                                            {inside.x, before.y},
                                            {after.x, inside.y},
                                            {before.x, inside.y}}};
  const bool is_column = 2 * window.size.x <= screen.size.x;
  for (std::size_t i = is_column ? 0 : 2; i < places.size(); ++i) {
    if (contains(screen, {places[i], size})) return {places[i], size};
  }
  return {{inside.x, within(after).y}, size};
}

void tooltip(std::string_view text) {
  if (!text.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    tooltip_of(item_area(), text);
}

void tooltip_of(const Area& item, std::string_view text) {
  if (!hovered_for_long(item)) return;
  Hover& now = hover();
  const float font = ImGui::GetFontSize();
  const Text lines = break_into_lines(text, kLineWidth * font, text_width);
  // Further tooltips of the item in this frame are appended to the first.
  if (now.shown_in_frame != now.frame) {
    const ImGuiStyle& style = ImGui::GetStyle();
    const glm::vec2 size = ImGui::CalcTextSize(lines.c_str(), lines.c_str() + lines.size());
    const ImRect window = imgui_compat::root_window_rect();
    now.area = tooltip_area(item, {window.Min, window.GetSize()}, {{}, ImGui::GetIO().DisplaySize},
                            size + 2.0f * glm::vec2(style.WindowPadding), theme::grid(1));
    now.text.assign(text);
    now.shown_in_frame = now.frame;
    ImGui::SetNextWindowPos(now.area.corner);
  }
  ImGui::BeginTooltip();
  ImGui::TextUnformatted(lines.c_str(), lines.c_str() + lines.size());
  ImGui::EndTooltip();
}

ShownTooltip shown_tooltip() {
  const Hover& now = hover();
  if (now.shown_in_frame != ImGui::GetFrameCount()) return {};
  return {now.text, now.item, now.area};
}

}  // namespace loom::app
