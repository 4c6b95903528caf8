#include "app/widgets/tooltip.h"

#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/gui/imgui_compat.h"
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
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

bool contains(const Area& outer, const Area& inner) {
  return inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width &&
         inner.y + inner.height <= outer.y + outer.height;
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

Area tooltip_area(const Area& item, const Area& window, const Area& screen, float width, float height,
                  float gap) {
  const float right = screen.x + screen.width;
  const float bottom = screen.y + screen.height;
  const auto within_x = [&](float x) { return std::max(screen.x, std::min(x, right - width)); };
  const auto within_y = [&](float y) { return std::max(screen.y, std::min(y, bottom - height)); };
  const auto at = [&](float x, float y) { return Area{x, y, width, height}; };
  const Area below = at(within_x(item.x), item.y + item.height + gap);
  const std::array<Area, 6> places = {at(window.x + window.width + gap, within_y(item.y)),
                                      at(window.x - gap - width, within_y(item.y)),
                                      below,
                                      at(within_x(item.x), item.y - gap - height),
                                      at(item.x + item.width + gap, within_y(item.y)),
                                      at(item.x - gap - width, within_y(item.y))};
  const bool is_column = 2 * window.width <= screen.width;
  for (std::size_t i = is_column ? 0 : 2; i < places.size(); ++i) {
    if (contains(screen, places[i])) return places[i];
  }
  return at(below.x, within_y(below.y));
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
    const ImVec2 size = ImGui::CalcTextSize(lines.c_str(), lines.c_str() + lines.size());
    const ImRect window = imgui_compat::root_window_rect();
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    now.area = tooltip_area(item, {window.Min.x, window.Min.y, window.GetWidth(), window.GetHeight()},
                            {0, 0, display.x, display.y}, size.x + 2 * style.WindowPadding.x,
                            size.y + 2 * style.WindowPadding.y, 0.3f * font);
    now.text.assign(text);
    now.shown_in_frame = now.frame;
    ImGui::SetNextWindowPos({now.area.x, now.area.y});
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
