#include "app/lessons/window/lesson_progress.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/bench/json_document.h"
#include "app/files/state_folder.h"
#include "app/gui/theme.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "compute/core/error.h"

namespace loom::app::lessons {
namespace {

constexpr const char* kFormat = "fractal-loom lesson progress";
constexpr std::uint64_t kMaxBytes = 1 << 20;
constexpr std::size_t kMaxStep = 1000;

std::optional<std::filesystem::path> progress_file() {
  const auto folder = state_folder();
  return folder ? std::optional(*folder / "lessons.json") : std::nullopt;
}

SolvedSteps read_file(const std::filesystem::path& file) {
  try {
    const auto text = read_state_file(file, kMaxBytes);
    return text ? read_solved_steps(*text) : SolvedSteps{};
  } catch (const InputError&) {
    move_aside(file);
    return {};
  }
}

}  // namespace

std::string progress_text(const SolvedSteps& solved) {
  nlohmann::ordered_json json{{"format", kFormat}, {"solved", nlohmann::ordered_json::object()}};
  for (const auto& [lesson, steps] : solved) json["solved"][lesson] = steps;
  return json.dump(1, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

SolvedSteps read_solved_steps(std::string_view text) {
  const nlohmann::ordered_json json = bench::parse_json(text, {});
  const bool is_one = json.is_object() && json.contains("format") && json["format"] == kFormat &&
                      json.contains("solved") && json["solved"].is_object();
  if (!is_one) throw InputError("not the progress of lessons of Fractal Loom");
  SolvedSteps solved;
  for (const auto& [lesson, steps] : json["solved"].items()) {
    if (!steps.is_array()) throw InputError("the steps of a lesson are not a list");
    for (const auto& step : steps) {
      if (!step.is_number_unsigned() || step.get<std::uint64_t>() < 1 || step.get<std::uint64_t>() > kMaxStep)
        throw InputError("a step is not a whole number from 1 on");
      solved[lesson].insert(step.get<std::size_t>());
    }
  }
  return solved;
}

LessonProgress::LessonProgress() {
  if (const auto file = progress_file()) steps_ = read_file(*file);
}

std::size_t LessonProgress::solved(const std::string& lesson) const {
  const auto found = steps_.find(lesson);
  return found == steps_.end() ? 0 : found->second.size();
}

void LessonProgress::add(const std::string& lesson, std::size_t step) {
  changed_ = steps_[lesson].insert(step).second || changed_;
}

void LessonProgress::clear() {
  steps_.clear();
  changed_ = replaces_ = true;
}

void LessonProgress::start() {
  const auto file = progress_file();
  changed_ = failed_ = false;
  if (!file) return;
  replacing_ = std::exchange(replaces_, false);
  writing_.start([file = *file, steps = steps_, replaces = replacing_](ProgressMonitor&) mutable {
    if (!replaces) {
      for (auto& [lesson, solved] : read_file(file)) steps[lesson].merge(solved);
    }
    write_state_file(file, progress_text(steps));
    return true;
  });
}

std::string LessonProgress::take_outcome(TaskTimeout timeout) {
  const auto outcome = writing_.poll(timeout);
  if (!outcome || outcome->result) return {};
  failed_ = true;
  replaces_ = replaces_ || replacing_;
  return outcome->problem;
}

std::string LessonProgress::update() {
  std::string problem = take_outcome({});
  if (changed_ && !writing_.running()) start();
  return problem;
}

std::string LessonProgress::finish() {
  take_outcome(kNoTimeout);
  if (changed_ || failed_) start();
  return take_outcome(kNoTimeout);
}

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
