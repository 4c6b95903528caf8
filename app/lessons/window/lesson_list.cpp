#include "app/lessons/window/lesson_list.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/gui/theme.h"
#include "app/widgets/choice.h"
#include "app/widgets/item_area.h"
#include "app/widgets/text.h"

namespace loom::app::lessons {
namespace {

constexpr float kColumn = 15;  // width of a column, in font sizes

}  // namespace

void lesson_list(const Area& area, const std::vector<LessonListEntry>& lessons, bool plays,
                 const std::string& message, LessonPanelState& state, LessonRequests& requests) {
  state.areas.clear();
  begin_strip(area);
  const float font = ImGui::GetFontSize();
  const ImGuiStyle& style = ImGui::GetStyle();
  const float button = ImGui::GetFrameHeight();
  const std::string back = "Back to the lesson";
  const float buttons = button + (plays ? button_width(back) : 0);
  const float room = std::max(remaining_width() - buttons - 2 * style.ItemSpacing.x, 1.0f);
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().accent);
  elided_text("Interactive lessons", room);
  ImGui::PopStyleColor();
  ImGui::SameLine(style.WindowPadding.x + room + style.ItemSpacing.x);
  if (plays && strip_button("Lessons", back, state, "L")) requests.list = true;
  if (plays) ImGui::SameLine();
  if (strip_button("x", "x", state,
                   plays ? "Leave the lesson and restore your own scene" : "Close the list (L)"))
    requests.close = true;
  if (!message.empty()) warning(message);
  ImGui::BeginChild("##list", {0, 0}, false, ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBackground);
  const int columns = std::clamp(static_cast<int>(remaining_width() / (kColumn * font)), 1, 4);
  const float gap = style.ItemInnerSpacing.x;
  const float width =
      (remaining_width() - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, {0, 0.5f});
  const std::size_t rows =
      (lessons.size() + static_cast<std::size_t>(columns) - 1) / static_cast<std::size_t>(columns);
  for (std::size_t row = 0; row < rows; ++row) {
    // Column by column: the lessons are numbered in the order of a course.
    for (std::size_t i = row; i < lessons.size(); i += rows) {
      if (i != row) ImGui::SameLine(0, gap);
      const std::string label = fmt::format("{}. {}##{}", i + 1, lessons[i].title, lessons[i].name);
      if (choice_button(label.c_str(), false, width, {}, lessons[i].summary))
        requests.start = lessons[i].name;
      state.areas[lessons[i].name] = item_area();
    }
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
  end_strip();
}

}  // namespace loom::app::lessons
