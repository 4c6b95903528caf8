#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/gui/theme.h"
#include "app/lessons/window/lesson_strip.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"

namespace loom::app::lessons {
namespace {

constexpr const char* kClock = "\uf017";  // of the short course
constexpr float kColumn = 15;             // width of a column, in font sizes

}  // namespace

void lesson_list(const Area& area, const std::vector<LessonListEntry>& lessons, bool plays,
                 const std::string& message, LessonPanelState& state, LessonRequests& requests) {
  state.areas.clear();
  begin_strip(area);
  const float font = ImGui::GetFontSize();
  const ImGuiStyle& style = ImGui::GetStyle();
  const float button = ImGui::GetFrameHeight();
  const std::string back = "Back to the lesson";
  const char* const reset = "Clear progress";
  const bool any_solved =
      std::ranges::any_of(lessons, [](const LessonListEntry& one) { return one.solved > 0; });
  const float buttons = button + (plays ? button_width(back) : 0) +
                        (any_solved ? button_width(reset) + style.ItemSpacing.x : 0);
  const float room = std::max(remaining_width() - buttons - 2 * style.ItemSpacing.x, 1.0f);
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().accent);
  int minutes = 0;
  for (const LessonListEntry& one : lessons) minutes += one.in_short_course ? one.minutes : 0;
  elided_text(minutes > 0
                  ? fmt::format("Interactive lessons  ·  {} short course: {} minutes", kClock, minutes)
                  : std::string("Interactive lessons"),
              room);
  tooltip("Digits, arrow keys and Enter choose a lesson");
  ImGui::PopStyleColor();
  ImGui::SameLine(style.WindowPadding.x + room + style.ItemSpacing.x);
  if (any_solved) {
    if (strip_button("Clear progress", reset, state, "Remove all ticks")) requests.clear_progress = true;
    ImGui::SameLine();
  }
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
  state.selected = std::min(state.selected, lessons.size() - 1);
  const std::size_t rows =
      (lessons.size() + static_cast<std::size_t>(columns) - 1) / static_cast<std::size_t>(columns);
  state.list_rows = rows;
  for (std::size_t row = 0; row < rows; ++row) {
    // Column by column: the lessons are numbered in the order of a course.
    for (std::size_t i = row; i < lessons.size(); i += rows) {
      if (i != row) ImGui::SameLine(0, gap);
      const LessonListEntry& one = lessons[i];
      const bool is_solved = one.questions > 0 && one.solved >= one.questions;
      const std::string label = fmt::format("{}{}. {}{}##{}", is_solved ? "✓ " : "", i + 1, one.title,
                                            one.in_short_course ? fmt::format("  {}", kClock) : "", one.name);
      std::string hint = one.summary;
      if (one.minutes > 0) hint += fmt::format("\nAbout {} minutes.", one.minutes);
      hint += fmt::format(" {} of {} questions solved.", one.solved, one.questions);
      if (is_solved) ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().success);
      const bool selected = i == state.selected;
      if (choice_button(label.c_str(), selected, width, {}, hint)) requests.start = one.name;
      if (selected && !ImGui::IsItemVisible()) ImGui::SetScrollHereY();
      if (is_solved) ImGui::PopStyleColor();
      state.areas[lessons[i].name] = item_area();
    }
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
  end_strip();
}

}  // namespace loom::app::lessons
