#include "app/widgets/windows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/diagram_painter.h"
#include "app/widgets/text.h"

namespace loom::app {

void begin_fixed_window(const char* id, const Area& area, ImGuiWindowFlags more) {
  ImGui::SetNextWindowPos(area.corner);
  ImGui::SetNextWindowSize(area.size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | more);
  ImGui::PopStyleVar();
}

void begin_bar(const char* id, const Area& area, ImGuiWindowFlags more) {
  begin_fixed_window(
      id, area,
      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav | more);
}

float begin_caption(const char* id, const Area& area, float longest, bool one_line) {
  const float font = ImGui::GetFontSize();
  if (area.size.x < 12 * font || area.size.y < 12 * font) return 0;
  const float padding = theme::grid(1);
  const float width = area.size.x - 2 * ImGui::GetStyle().WindowPadding.x;
  const float lines = one_line ? 1.0f : std::clamp(std::ceil(longest * font / width), 1.0f, 3.0f);
  const float height = std::floor(lines * ImGui::GetTextLineHeight() + 2 * padding);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ImGui::GetStyle().WindowPadding.x, padding});
  begin_bar(id, {{area.corner.x, area.end().y - height}, {area.size.x, height}},
            ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar();
  mark_window(Control::kCaption);
  return height;
}

bool begin_dialog(const char* title, bool& begin, float width, float top) {
  if (std::exchange(begin, false)) ImGui::OpenPopup(title);
  const glm::vec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x / 2, size.y * top}, ImGuiCond_Always, {0.5f, 0});
  ImGui::SetNextWindowSize({std::min(width * ImGui::GetFontSize(), size.x * 0.96f), 0});
  if (!ImGui::BeginPopupModal(title, nullptr, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize))
    return false;
  // Shortcuts are inactive here: arrow keys move between controls, and Space activates one.
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  theme::push_on_raised();
  return true;
}

bool is_enter_available() {
  return imgui_compat::is_enter_pressed() && !imgui_compat::is_control_active() &&
         !imgui_compat::has_key_cursor() && ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows);
}

void end_dialog(std::map<std::string, Area, std::less<>>& areas) {
  theme::pop_on_raised();
  if (ImGui::IsWindowAppearing()) areas.clear();
  ImGui::EndPopup();
}

void begin_pane_window(const char* id, const Area& area, bool scrolls) {
  begin_fixed_window(id, area,
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                         (scrolls ? ImGuiWindowFlags_HorizontalScrollbar
                                  : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse));
}

float content_width_in_fonts(const Area& area) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float width = area.size.x - 2 * style.WindowPadding.x - style.ScrollbarSize;
  return std::floor(width / ImGui::GetFontSize() - 0.5f);  // font_size_for() leaves a half
}

float font_size_for(const diagram::Diagram& diagram, float smallest) {
  const float font = ImGui::GetFontSize();
  const float fitting = ImGui::GetContentRegionAvail().x / std::max(diagram.size().x + 0.5f, 1.0f);
  return std::clamp(fitting, smallest * font, font);
}

const diagram::Hotspot* draw_at_cursor(const diagram::Diagram& diagram, float size) {
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy(diagram.size() * size);
  return paint_diagram(*ImGui::GetWindowDrawList(), diagram, at, size, ImGui::IsWindowHovered());
}

Area area_of(const diagram::Box& box, glm::vec2 corner, float size) {
  return {corner + box.corner * size, box.size * size};
}

const diagram::Hotspot* show_diagram(const diagram::Diagram& diagram, float smallest) {
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const float size = font_size_for(diagram, smallest);
  const diagram::Hotspot* const hotspot = draw_at_cursor(diagram, size);
  if (hotspot != nullptr && !hotspot->tip.empty()) tooltip_of(area_of(hotspot->box, at, size), hotspot->tip);
  return hotspot;
}

namespace {

// In font sizes.
constexpr float kHeaderHeight = 1.9f;
constexpr float kMinWidth = 7.5f;  ///< of the panes beside a wide one
constexpr float kMinScoreWidth = 9;

}  // namespace

void layout_panes(const Area& area, std::size_t count, float font_size, float scores,
                  std::vector<PaneArea>& areas, float last) {
  areas.clear();
  if (count <= 1) return areas.push_back({.header = {}, .picture = area, .score = {}});
  const float gap = 2;
  glm::vec2 room = area.size;
  if (scores > 0) room.y -= std::floor(kVerdictHeight * font_size);
  const auto cell = [&](std::size_t columns) {
    const std::size_t rows = (count + columns - 1) / columns;
    const auto part = [&](float whole, std::size_t parts) {
      const float gaps = gap * static_cast<float>(parts - 1);
      return std::max(0.0f, std::floor((whole - gaps) / static_cast<float>(parts)));
    };
    return glm::vec2{part(room.x, columns), part(room.y, rows)};
  };
  const float wanted = std::floor(kHeaderHeight * font_size);
  const float score = std::floor(scores * font_size);
  // Finds the arrangement with the largest square in a picture.
  std::size_t columns = 1;
  float best = -1;
  for (std::size_t tried = count; tried >= 1; --tried) {
    const glm::vec2 size = cell(tried);
    const float side = std::min(size.x, size.y - wanted - score);
    if (side > best) {
      best = side;
      columns = tried;
    }
  }
  glm::vec2 size = cell(columns);
  if (columns == count) {
    const auto others = static_cast<float>(count - 1);
    const float left = std::floor((area.size.x - last * font_size) / others - gap);
    size.x = std::min(size.x, std::max(left, kMinWidth * font_size));
  }
  // A low or narrow pane has no score.
  const bool has_score = size.y - wanted >= 3 * score && (last <= 0 || size.x >= kMinScoreWidth * font_size);
  const float below = has_score ? score : 0;
  if (!has_score) {
    room = area.size;
    size.y = cell(columns).y;
  }
  const float header = std::min(wanted, size.y);
  for (std::size_t i = 0; i < count; ++i) {
    const glm::vec2 corner = area.corner + glm::vec2(i % columns, i / columns) * (size + gap);
    // The last pane takes the rest of its row.
    const float width = i + 1 == count ? area.end().x - corner.x : size.x;
    areas.push_back({.header = {corner, {width, header}},
                     .picture = {corner + glm::vec2{0, header}, {width, size.y - header - below}},
                     .score = {corner + glm::vec2{0, size.y - below}, {width, below}}});
  }
}

void begin_pane_header(const char* id, const Area& area, const std::optional<glm::vec4>& accent) {
  const float pad = std::max(0.0f, (area.size.y - ImGui::GetTextLineHeight()) / 2);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme::grid(2), pad});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::colours().raised);
  begin_bar(id, area, ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  if (!accent) return;
  const float line = std::max(2.0f, std::floor(theme::grid(0.5f)));
  ImGui::GetWindowDrawList()->AddRectFilled(area.corner, area.corner + glm::vec2{area.size.x, line},
                                            ImGui::GetColorU32(*accent));
}

}  // namespace loom::app
