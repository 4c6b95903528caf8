#include "app/workspaces/life/panels/show_me_panel.h"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "app/explain/diagram/show_me_diagram.h"
#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/diagram_painter.h"
#include "app/widgets/item_area.h"
#include "app/widgets/pane_window.h"

namespace loom::app {
namespace {

constexpr double kSecondsOfKey = 2;
// The empty margins of the page that the window cuts off, in font sizes of the page.
constexpr float kEmptyAbove = 0.9f;
constexpr float kEmptyBelow = 0.7f;
// In a lecture the bars of the window are higher: without this more, the page would be smaller.
constexpr float kLectureAbove = 0.5f;
constexpr float kLectureBelow = 0.7f;

// Of the toolbar, in font sizes.
constexpr float kNameWidth = 6;
constexpr float kStepButtonWidth = 1.5f;
constexpr float kChapterWidth = 8;
constexpr float kButtonGap = 0.2f;
constexpr std::array kShowMeGroups = {kNameWidth + 2 * kStepButtonWidth + kChapterWidth + 3 * kButtonGap};

}  // namespace

void ShowMePanel::open(const NbbFractal& fractal) {
  show_me_ = std::make_unique<explain::ShowMe>(fractal);
  seconds_ = 0;
  playing_ = true;
  drawn_at_ = -1;
}

void ShowMePanel::go_to(double seconds) {
  seconds_ = std::clamp(seconds, 0.0, explain::ShowMe::kSeconds);
}

// The scene that follows the end is the last one.
void ShowMePanel::go_to_chapter(std::size_t chapter) {
  const auto& chapters = show_me_->chapters();
  go_to(chapters[std::min(chapter, chapters.size() - 1)].begin);
}

std::span<const float> ShowMePanel::toolbar_groups() {
  return kShowMeGroups;
}

void ShowMePanel::toolbar_group() {
  const auto& chapters = show_me_->chapters();
  const auto shown = static_cast<std::size_t>(&show_me_->chapter_at(seconds_) - chapters.data());
  const float font = ImGui::GetFontSize();
  const auto beside = [&] { ImGui::SameLine(0, kButtonGap * font); };
  const bool leaves =
      choice_button("Show me", true, kNameWidth * font, {},
                    "The animation of the maps is shown; the scene is paused. Leaves it (Esc)");
  beside();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  if (choice_button("<", false, kStepButtonWidth * font, shown == 0 ? "This is the first scene" : "",
                    "Previous scene"))
    go_to_chapter(shown - 1);
  beside();
  const Text label = format_text("scene {} of {}", shown + 1, chapters.size());
  if (choice_button(label.c_str(), false, kChapterWidth * font, {}, "Plays this scene again"))
    go_to_chapter(shown);
  beside();
  if (choice_button(">", false, kStepButtonWidth * font,
                    shown + 1 == chapters.size() ? "This is the last scene" : "", "Next scene"))
    go_to_chapter(shown + 1);
  next_ = item_area();
  ImGui::PopStyleVar();
  if (leaves) close();
}

bool ShowMePanel::press(const KeyPress& press) {
  if (!is_open() || press.ctrl) return false;
  switch (press.key) {
    case GLFW_KEY_ESCAPE:
    case GLFW_KEY_F5:
      close();
      return true;
    case GLFW_KEY_SPACE:
      if (seconds_ >= explain::ShowMe::kSeconds) seconds_ = 0;
      playing_ = !playing_;
      return true;
    case GLFW_KEY_LEFT:
    case GLFW_KEY_RIGHT:
      go_to(seconds_ + (press.key == GLFW_KEY_LEFT ? -kSecondsOfKey : kSecondsOfKey));
      return true;
    case GLFW_KEY_HOME:
      go_to(0);
      return true;
    case GLFW_KEY_END:
      go_to(explain::ShowMe::kSeconds);
      return true;
    default:
      return false;
  }
}

/// A line on the slider where each chapter begins.
void ShowMePanel::mark_chapters() const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 colour = ImGui::GetColorU32(theme::colours().muted);
  // The middle of the slider's grab moves between these ends.
  const float inset = ImGui::GetStyle().GrabMinSize / 2 + 2;
  for (const explain::ShowMe::Chapter& chapter : show_me_->chapters()) {
    const auto part = static_cast<float>(chapter.begin / explain::ShowMe::kSeconds);
    const float x = slider_.corner.x + inset + part * (slider_.size.x - 2 * inset);
    list.AddLine({x, slider_.end().y - slider_.size.y / 4}, {x, slider_.end().y}, colour, theme::grid(0.5f));
  }
}

void ShowMePanel::show(const Area& area, bool lecture) {
  if (!is_open() || area.empty()) return;
  if (playing_) go_to(seconds_ + static_cast<double>(std::min(ImGui::GetIO().DeltaTime, 0.1f)));
  if (seconds_ >= explain::ShowMe::kSeconds) playing_ = false;
  if (drawn_at_ != seconds_) {
    diagram_ = diagram::show_me_diagram(*show_me_, seconds_, false);
    drawn_at_ = seconds_;
  }
  begin_pane_window("##show me", area, false);
  const glm::vec2 corner = ImGui::GetCursorScreenPos();
  const float controls = ImGui::GetFrameHeightWithSpacing();
  const glm::vec2 room = glm::vec2(ImGui::GetContentRegionAvail()) - glm::vec2{0, controls};
  const float above = kEmptyAbove + (lecture ? kLectureAbove : 0);
  const float below = kEmptyBelow + (lecture ? kLectureBelow : 0);
  const glm::vec2 page = diagram::kShowMeSize - glm::vec2{0, above + below};
  em_ = std::min(room.x / page.x, room.y / page.y);
  if (em_ > 1) {
    const glm::vec2 at = corner + (room - page * em_) / 2.0f - glm::vec2{0, above * em_};
    paint_diagram(*ImGui::GetWindowDrawList(), diagram_, at, em_, false);
  }
  ImGui::SetCursorScreenPos(corner + glm::vec2{0, std::max(0.0f, room.y + ImGui::GetStyle().ItemSpacing.y)});
  bool leaves = false;
  if (ImGui::Button(playing_ ? "Pause" : "Play")) {
    if (seconds_ >= explain::ShowMe::kSeconds) seconds_ = 0;
    playing_ = !playing_;
  }
  tooltip("Plays or pauses (Space)");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(
      std::max(20.0f, remaining_width() - button_width("Leave") - ImGui::GetStyle().ItemSpacing.x));
  auto seconds = static_cast<float>(seconds_);
  if (ImGui::SliderFloat("##seconds", &seconds, 0, static_cast<float>(explain::ShowMe::kSeconds), "%.1f s",
                         ImGuiSliderFlags_AlwaysClamp)) {
    go_to(static_cast<double>(seconds));
    playing_ = false;
  }
  slider_ = item_area();
  mark_chapters();
  tooltip("Position in the minute (arrow keys, Home, End)");
  ImGui::SameLine();
  if (ImGui::Button("Leave")) leaves = true;
  tooltip("Returns to the scene (Esc)");
  ImGui::End();
  if (leaves) close();
}

nlohmann::ordered_json ShowMePanel::state() const {
  if (!is_open()) return nullptr;
  return {{"seconds", seconds_}, {"playing", playing_},       {"title", show_me_->chapter_at(seconds_).title},
          {"font_size", em_},    {"next", numbers_of(next_)}, {"slider", numbers_of(slider_)}};
}

}  // namespace loom::app
