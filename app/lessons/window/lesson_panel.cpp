#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/lessons/lesson.h"
#include "app/lessons/window/lesson_strip.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"

namespace loom::app::lessons {
namespace {

void coloured(const glm::vec4& colour, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, colour);
  wrapped_text(text);
  ImGui::PopStyleColor();
}

/// "3/7", with a mark if its question was solved before.
Text step_number(const LessonSession& session) {
  return format_text("{}/{}{}", session.at() + 1, session.lesson().steps.size(),
                     session.progress().solved_before ? " ✓" : "");
}

void header(const LessonSession& session, const LessonListEntry* next, LessonPanelState& state,
            LessonRequests& requests) {
  const bool from_file = session.lesson().is_file();
  const bool to_next_lesson = session.complete() && next != nullptr;
  const ImGuiStyle& style = ImGui::GetStyle();
  float buttons = 0;
  for (const char* label : {"Back", to_next_lesson ? "Next lesson" : "Next", "Reset", "Lessons", "x"})
    buttons += button_width(label) + style.ItemInnerSpacing.x;
  if (from_file) buttons += button_width("Reload") + style.ItemInnerSpacing.x;
  if (state.whole_text) buttons += button_width("Text") + style.ItemInnerSpacing.x;
  const std::string step = session.complete() ? "✓ Lesson complete" : session.step().title;
  const float room = remaining_width() - buttons - style.ItemSpacing.x;
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().accent);
  ImGui::BeginGroup();
  elided_text(fmt::format("{}  {}  {}", session.lesson().title, step_number(session), step),
              std::max(room, 1.0f));
  ImGui::EndGroup();
  ImGui::PopStyleColor();
  if (session.progress().solved_before) tooltip("✓: this question was answered correctly before");
  ImGui::SameLine(ImGui::GetCursorPosX() + std::max(room, 1.0f) + style.ItemSpacing.x);
  const auto button = [&](const char* label, const char* hint, bool chosen, const char* disabled_reason) {
    const bool pressed = strip_button(label, label, state, hint, chosen, disabled_reason);
    ImGui::SameLine(0, style.ItemInnerSpacing.x);
    return pressed;
  };
  if (button("Back", "Previous step (Ctrl ←)", false, session.first() ? "This is the first step" : ""))
    --requests.step;
  if (to_next_lesson) {
    if (button("Next lesson", (next->title + " (Ctrl →)").c_str(), true, "")) requests.start = next->name;
  } else if (button("Next", "Next step (Ctrl →)", !session.awaits_answer() && !session.last(),
                    session.last() ? "This is the last step" : "")) {
    ++requests.step;
  }
  if (button("Reset", "Restore the scene of this step and discard your changes (Ctrl R)", false, ""))
    requests.reset_scene = true;
  if (state.whole_text && button("Text", "Show only the question (Ctrl ↓)", true, ""))
    requests.toggle_text = true;
  if (from_file && button("Reload", "Read the lesson file again", false, "")) requests.reload = true;
  const bool to_list = session.complete() && !to_next_lesson;
  if (button("Lessons", "List of lessons. This lesson stays open (L)", to_list, "")) requests.list = true;
  if (button("x", "Leave the lesson and restore your own scene", false, "")) requests.close = true;
  ImGui::NewLine();
}

/// Events of the field for the answer.
struct FieldEvents {
  bool append_typed = false;   ///< move the cursor to the end
  bool wants_hint = false;     ///< Y was typed; numbers and functions do not contain it
  bool wants_lecture = false;  ///< P was typed into a field without letters
  bool has_letters = false;
  bool begins_number = false;  ///< the next character begins one
  bool wants_space = false;    ///< Space was typed before a number
};

int on_field_event(ImGuiInputTextCallbackData* data) {
  FieldEvents& events = *static_cast<FieldEvents*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackCharFilter) {
    const bool is_hint = data->EventChar == 'y' || data->EventChar == 'Y';
    const bool is_lecture = !events.has_letters && (data->EventChar == 'p' || data->EventChar == 'P');
    events.wants_hint |= is_hint;
    events.wants_lecture |= is_lecture;
    const bool is_space = events.begins_number && data->EventChar == ' ';
    events.wants_space |= is_space;
    return is_hint || is_lecture || is_space ? 1 : 0;
  }
  if (std::exchange(events.append_typed, false))
    data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
  return 0;
}

void number_row(LessonSession& session, LessonPanelState& state, LessonRequests& requests) {
  QuestionProgress& progress = session.progress();
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const std::string& unit = session.step().question->unit;
  const float beside = button_width("Check") + gap + (unit.empty() ? 0 : text_width(unit) + gap);
  const float width = std::clamp(remaining_width() - beside, ImGui::GetFontSize(), ImGui::GetFontSize() * 8);
  ImGui::SetNextItemWidth(width);
  // If the text is longer than the strip, the student reads it first: no focus for a field out of sight.
  const bool in_sight = ImGui::IsRectVisible({width, ImGui::GetFrameHeight()});
  // A focus change while a mouse button is down would lose the click.
  const bool free = !ImGui::IsAnyMouseDown();
  if (free && state.to_field > 0 && --state.to_field == 0 && (in_sight || state.append_typed)) {
    imgui_compat::focus_next_item();
    state.focus_comes = true;
  }
  // The field gets the focus a frame or two after the request and would take the click of a button that is
  // pressed in between. A field with another name does not get it; the focus is requested again.
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const bool over_it = ImGui::IsMouseHoveringRect(at, {at.x + width, at.y + ImGui::GetFrameHeight()});
  const bool elsewhere = !free && !over_it && state.focus_comes;
  if (elsewhere) state.to_field = 1;
  ImGui::PushID(elsewhere ? "elsewhere" : "");
  const std::string before = progress.typed;
  FieldEvents events{
      .append_typed = state.append_typed,
      .has_letters = std::ranges::any_of(before, [](unsigned char c) { return std::isalpha(c) != 0; }),
      .begins_number = before.empty() || progress.has_verdict};
  constexpr ImGuiInputTextFlags kFlags =
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll |
      ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_CallbackCharFilter;
  const bool entered = ImGui::InputText("##answer", &progress.typed, kFlags, on_field_event, &events);
  ImGui::PopID();
  state.append_typed = events.append_typed;
  state.field_active = ImGui::IsItemActive();
  if (state.field_active) state.focus_comes = false;
  if (events.wants_lecture) requests.toggle_lecture = true;
  if (events.wants_space) requests.space = true;
  if (events.wants_hint && session.awaits_answer()) requests.hint = true;
  state.areas["answer"] = item_area();
  if (progress.typed != before) session.clear_verdict();
  if (entered) requests.answer = true;
  ImGui::SameLine();
  if (!unit.empty()) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(unit.c_str());
    ImGui::SameLine();
  }
  if (strip_button("Check", "Check", state, "Check the number (Enter)", false,
                   progress.typed.empty() ? "Type a number first, or a sum such as 3^4 - 1" : ""))
    requests.answer = true;
}

void choices(LessonSession& session, const ReportValues& values, LessonPanelState& state,
             LessonRequests& requests) {
  const Question& question = *session.step().question;
  const QuestionProgress& progress = session.progress();
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float end = ImGui::GetCursorPosX() + remaining_width();
  for (std::size_t i = 0; i < question.choices.size(); ++i) {
    const std::string label = fmt::format("{}  {}", i + 1, question.choices[i].text.with(values));
    if (i > 0) {
      ImGui::SameLine(0, gap);
      if (ImGui::GetCursorPosX() + button_width(label) > end) ImGui::NewLine();
    }
    ImGui::PushID(static_cast<int>(i));
    if (strip_button(fmt::format("choice {}", i + 1).c_str(), label, state, fmt::format("Key {}", i + 1),
                     progress.picked == i))
      requests.choose = i;
    ImGui::PopID();
  }
}

void cell_row(const ReportValues& values, LessonPanelState& state, LessonRequests& requests) {
  const auto coordinate = [&](const char* name) -> std::string {
    const auto found = values.known.find(name);
    return found == values.known.end() ? "" : text_of(found->second);
  };
  const std::string x = coordinate("pinned1");
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(x.empty() ? "Click a point, or use arrow keys and Enter."
                                   : fmt::format("Pinned: ({}, {})", x, coordinate("pinned2")).c_str());
  ImGui::SameLine();
  if (strip_button(
          "Check", "Check", state, "Check the pinned point (Enter)", false,
          x.empty() ? "Pin a point in the picture first: click it, or use the arrow keys and Enter" : ""))
    requests.answer = true;
}

void code_row(LessonPanelState& state, LessonRequests& requests) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Write the map, then Run and grade (Ctrl Enter).");
  ImGui::SameLine();
  if (strip_button("Check", "Check", state, "Whether the code passed when it was last run"))
    requests.answer = true;
}

constexpr const char* kNoAnswer = "The scene no longer shows the answer. Reset restores it.";

/// The answer; nothing where the scene no longer shows it.
std::optional<std::string> answer_in(const Question& question, const ReportValues& values) {
  try {
    return shown_answer(question, values);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// "✓ Correct: 16 × 16 = 256 threads."
std::string correct_text(const Question& question, const ReportValues& values) {
  std::string answer;
  try {
    answer = answer_in_values(question, values);
  } catch (const InputError&) {
    answer.clear();  // the scene no longer shows it
  }
  return answer.empty() ? "✓ Correct."
                        : fmt::format("✓ Correct: {}{}", answer, answer.ends_with('.') ? "" : ".");
}

void verdict_text(const LessonSession& session, const ReportValues& values) {
  const Question& question = *session.step().question;
  const QuestionProgress& progress = session.progress();
  // The scene may have changed since the answer was given: use the report of that time.
  const ReportValues& then = progress.values ? *progress.values : values;
  const bool ends = (progress.is_correct || progress.shown) && progress.feedback.empty();
  const std::optional<std::string> answer = ends ? answer_in(question, then) : std::nullopt;
  if (!progress.feedback.empty()) {
    warning(progress.feedback);
  } else if (progress.is_correct) {
    coloured(theme::colours().success, correct_text(question, then));
  } else if (progress.has_verdict && !progress.shown) {
    coloured(theme::colours().error,
             progress.wrong > 1
                 ? fmt::format("✗ Incorrect, try again. {} wrong answers so far.", progress.wrong)
                 : std::string("✗ Incorrect, try again."));
  }
  if (ends) {
    const bool is_said = progress.is_correct && answer && question.kind == Question::Kind::kNumber;
    if (!is_said) note(answer.value_or(kNoAnswer));
    if (!question.after.text.empty()) wrapped_text(question.after.text.with(then));
  } else if (progress.hint) {
    wrapped_text("Hint: " + question.hint.text.with(values));
  }
}

void answer_controls(LessonSession& session, const ReportValues& values, LessonPanelState& state,
                     LessonRequests& requests) {
  switch (session.step().question->kind) {
    case Question::Kind::kNumber:
      number_row(session, state, requests);
      break;
    case Question::Kind::kChoice:
      choices(session, values, state, requests);
      break;
    case Question::Kind::kCell:
      cell_row(values, state, requests);
      break;
    case Question::Kind::kCode:
      code_row(state, requests);
      break;
  }
}

void question_part(LessonSession& session, const ReportValues& values, LessonPanelState& state,
                   LessonRequests& requests) {
  const Question& question = *session.step().question;
  const QuestionProgress& progress = session.progress();
  wrapped_text(question.ask.text.with(values));
  answer_controls(session, values, state, requests);
  ImGui::SameLine();
  const bool over = progress.is_correct || progress.shown;
  const std::string label = progress.hint ? "Show answer" : "Hint";
  if (ImGui::GetCursorPosX() + button_width(label) > ImGui::GetWindowContentRegionMax().x) ImGui::NewLine();
  if (!over && !progress.hint && strip_button("Hint", label, state, "Show a hint (Y)")) requests.hint = true;
  if (!over && progress.hint && strip_button("Show", label, state, "Show the answer and how it is computed"))
    requests.show_answer = true;
  if (over) ImGui::NewLine();
  verdict_text(session, values);
  if (session.complete()) {
    coloured(theme::colours().success,
             fmt::format("✓ Lesson complete: {} of {} questions answered correctly.", session.answered(),
                         session.questions()));
  }
  if (state.to_verdict > 0) {
    --state.to_verdict;
    ImGui::SetScrollHereY(1);
  }
}

/// What the strip of a lecture says: text or question, and once there is one the verdict or the answer.
struct LectureText {
  std::string text;
  std::string verdict = {};
  const glm::vec4* colour = nullptr;  ///< of the verdict, or of the text without one; null: the usual one
};
LectureText lecture_text(const LessonSession& session, const ReportValues& values) {
  const LessonStep& step = session.step();
  if (!step.question) return {step.text.text.with(values)};
  const Question& question = *step.question;
  const QuestionProgress& progress = session.progress();
  const ReportValues& then = progress.values ? *progress.values : values;
  std::string ask = question.ask.text.with(values);
  if (!progress.feedback.empty()) return {std::move(ask), progress.feedback, &theme::colours().warning};
  if (progress.is_correct || progress.shown) {
    const std::optional<std::string> answer = answer_in(question, then);
    if (!answer) return {std::move(ask), kNoAnswer, &theme::colours().warning};
    if (!progress.is_correct) return {std::move(ask), *answer};
    std::string text = correct_text(question, then);
    if (question.kind == Question::Kind::kCell || question.kind == Question::Kind::kCode)
      text += " " + *answer;
    return {std::move(ask), std::move(text), &theme::colours().success};
  }
  if (progress.has_verdict) {
    const std::string verdict = "✗ Incorrect, try again.";
    // The choices fill the line of the answer.
    if (question.kind == Question::Kind::kChoice) return {verdict + " " + ask, {}, &theme::colours().error};
    return {std::move(ask), verdict, &theme::colours().error};
  }
  if (progress.hint && question.kind != Question::Kind::kChoice)
    return {std::move(ask), "Hint: " + question.hint.text.with(values)};
  return {std::move(ask)};
}

/// The next button, with this label, ends the line.
void to_end_of_line(const char* label) {
  ImGui::SameLine();
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, remaining_width() - button_width(label)));
}

/// Previous and next step, the number of the step, and leaving the lesson.
void lecture_steps(const LessonSession& session, const LessonListEntry* next, LessonPanelState& state,
                   LessonRequests& requests) {
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  if (strip_button("Back", "<", state, "Previous step (PgUp)", false,
                   session.first() ? "This is the first step" : ""))
    --requests.step;
  ImGui::SameLine(0, gap);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(step_number(session).c_str());
  ImGui::SameLine(0, gap);
  if (session.complete() && next != nullptr) {
    if (strip_button("Next lesson", ">", state, "Next lesson: " + next->title + " (PgDn)", true))
      requests.start = next->name;
  } else if (strip_button("Next", ">", state, "Next step (PgDn)", !session.awaits_answer() && !session.last(),
                          session.last() ? "This is the last step" : "")) {
    ++requests.step;
  }
  ImGui::SameLine(0, gap);
  if (strip_button("Lessons", "\uf03a", state, "List of lessons (L)")) requests.list = true;
  to_end_of_line("x");
  if (strip_button("x", "x", state, "Leave the lesson and restore your own scene")) requests.close = true;
}

}  // namespace

void begin_strip(const Area& area) {
  begin_bar("##lessons", area, ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollWithMouse);
}

void end_strip() {
  const glm::vec2 at = ImGui::GetWindowPos();
  const glm::vec2 size = ImGui::GetWindowSize();
  ImGui::GetWindowDrawList()->AddLine({at.x, at.y + size.y - 1}, {at.x + size.x, at.y + size.y - 1},
                                      ImGui::GetColorU32(ImGuiCol_Separator));
  ImGui::End();
}

bool strip_button(const char* name, const std::string& label, LessonPanelState& state,
                  const std::string& hint, bool chosen, const std::string& disabled_reason) {
  const float width = std::min(button_width(label), std::max(ImGui::GetContentRegionAvail().x, 1.0f));
  const bool pressed = choice_button(label.c_str(), chosen, width, disabled_reason, hint);
  state.areas[name] = item_area();
  return pressed;
}

void lecture_panel(const Area& area, LessonSession& session, const LessonListEntry* next,
                   const ReportValues& values, LessonPanelState& state, LessonRequests& requests) {
  const LessonStep& step = session.step();
  const float font = ImGui::GetFontSize();
  const float gap = 0.25f * font;
  const float column = 12.5f * font;
  state.areas.clear();
  state.field_active = false;
  const ImGuiStyle& style = ImGui::GetStyle();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {style.WindowPadding.x, 0.15f * font});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {style.ItemSpacing.x, 0.1f * font});
  begin_strip(area);
  const float width = remaining_width() - column - gap;
  const bool asks = step.question && session.awaits_answer();
  const glm::vec2 corner = ImGui::GetCursorPos();
  const auto child = [&](const char* id, glm::vec2 at, glm::vec2 size, auto&& content) {
    ImGui::SetCursorPos(corner + at);
    ImGui::BeginChild(id, size, false,
                      ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar |
                          ImGuiWindowFlags_NoScrollWithMouse);
    content();
    ImGui::EndChild();
  };
  // In a narrow strip the answer has a row of its own below text and buttons.
  const bool is_narrow = area.size.x < kStripColumns * font;
  const float all = area.size.y - 0.3f * font;
  const float high = std::min(all, (kBriefStrip - 0.3f) * font);
  const float answer_row = !asks ? 0 : is_narrow ? all - high : 1.45f * font;
  const float text_high = is_narrow ? all - answer_row : high - answer_row;
  bool all_shown = true;
  const LectureText said = lecture_text(session, values);
  const auto coloured_lines = [&](const std::string& text, float room, int lines) {
    ImGui::PushStyleColor(ImGuiCol_Text, said.colour != nullptr ? *said.colour : theme::colours().text);
    all_shown &= text_in_lines(text, room, lines);
    ImGui::PopStyleColor();
  };
  child("##text", {0, 0}, {width, text_high}, [&] {
    const int lines = asks ? 1 : 3;
    if (said.verdict.empty()) return coloured_lines(said.text, width, is_narrow ? lines + 1 : lines);
    all_shown = text_in_lines(said.text, width, is_narrow ? 2 : 1);
    if (asks) return;
    coloured_lines(said.verdict, width, 2);
  });
  if (asks) {
    // The verdict or the hint is beside the field; the choices have room for a verdict only behind them.
    const float room = is_narrow ? width + gap + column : width;
    const float answer_width = said.verdict.empty() || step.question->kind == Question::Kind::kChoice
                                   ? room
                                   : std::min(20 * font, 0.5f * room);
    if (answer_width < room) {
      child("##verdict", {answer_width + gap, text_high}, {room - answer_width - gap, answer_row},
            [&] { coloured_lines(said.verdict, room - answer_width - gap, 1); });
    }
    child("##answer", {0, text_high}, {answer_width, answer_row},
          [&] { answer_controls(session, values, state, requests); });
  }
  child("##steps", {width + gap, 0}, {column, high}, [&] {
    lecture_steps(session, next, state, requests);
    ImGui::SetCursorPosY(high - ImGui::GetFrameHeight());
    const QuestionProgress& progress = session.progress();
    const bool has_answer = step.question && !progress.is_correct;
    if (has_answer) {
      if (strip_button("Hint", "Hint", state, "Show a hint (Y)", progress.hint)) requests.hint = true;
      ImGui::SameLine(0, style.ItemInnerSpacing.x);
      if (strip_button("Show", "Answer", state, "Show or hide the answer (Ctrl ↑)", progress.shown))
        requests.toggle_answer = true;
      ImGui::SameLine(0, style.ItemInnerSpacing.x);
    }
    if (strip_button("Text", "Text", state, "Show or hide the whole text (Ctrl ↓)",
                     state.whole_text || !all_shown))
      requests.toggle_text = true;
    to_end_of_line("\uf0e2");
    if (strip_button("Reset", "\uf0e2", state, "Restore the scene of this step (Ctrl R)"))
      requests.reset_scene = true;
  });
  end_strip();
  ImGui::PopStyleVar(2);
}

void lesson_panel(const Area& area, LessonSession& session, const LessonListEntry* next,
                  const ReportValues& values, const std::string& changed, const std::string& message,
                  LessonPanelState& state, LessonRequests& requests) {
  state.areas.clear();
  state.field_active = false;
  begin_strip(area);
  header(session, next, state, requests);
  if (!message.empty()) warning(message);
  const LessonStep& step = session.step();
  // In a low strip too, so that the question does not lie below what is in sight.
  constexpr float kLow = 10;  // in font sizes
  const float columns = area.size.y < kLow * ImGui::GetFontSize() ? kStripColumns / 2 : kStripColumns;
  const bool beside = step.question && area.size.x >= columns * ImGui::GetFontSize();
  const float gap = ImGui::GetFontSize();
  const auto column = [&](const char* id, float width, auto&& content) {
    ImGui::BeginChild(id, {width, 0}, false, ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBackground);
    content();
    ImGui::EndChild();
  };
  const auto text = [&] {
    if (std::exchange(state.to_top, false)) ImGui::SetScrollY(0);
    wrapped_text(step.text.text.with(values));
    if (!changed.empty()) note(fmt::format("You changed: {}. Reset restores this step.", changed));
  };
  if (beside) {
    const float half = (remaining_width() - gap) / 2;
    column("##text", half, text);
    ImGui::SameLine(0, gap);
    column("##question", 0, [&] { question_part(session, values, state, requests); });
  } else {
    column("##text", 0, [&] {
      text();
      if (!step.question) return;
      ImGui::Separator();
      question_part(session, values, state, requests);
    });
  }
  end_strip();
}

}  // namespace loom::app::lessons
