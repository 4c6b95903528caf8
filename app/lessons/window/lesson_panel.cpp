#include "app/lessons/window/lesson_panel.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

#include "app/gui/theme.h"
#include "app/lessons/answer.h"
#include "app/lessons/filled_text.h"
#include "app/widgets/choice.h"
#include "app/widgets/fixed_window.h"
#include "app/widgets/item_area.h"
#include "app/widgets/text.h"

namespace loom::app::lessons {
namespace {

std::string filled(const LessonText& text, const Figures& figures) {
  return text.text.empty() ? std::string() : FilledText(text.text).with(figures);
}

void coloured(const theme::Rgba& colour, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, colour);
  wrapped(text);
  ImGui::PopStyleColor();
}

void header(const Play& play, const ListedLesson* next, LessonPanelState& state, LessonWishes& wishes) {
  const bool from_file = play.lesson().is_file();
  const bool to_next_lesson = play.complete() && next != nullptr;
  const ImGuiStyle& style = ImGui::GetStyle();
  float buttons = 0;
  for (const char* label : {"Back", to_next_lesson ? "Next lesson" : "Next", "Reset", "Lessons", "x"})
    buttons += button_width(label) + style.ItemInnerSpacing.x;
  if (from_file) buttons += button_width("Reload") + style.ItemInnerSpacing.x;
  const std::string& name = play.complete()             ? std::string("✓ Lesson complete")
                            : play.step().title.empty() ? play.lesson().title
                                                        : play.step().title;
  const float room = rest_of_line() - buttons - style.ItemSpacing.x;
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, theme::kAccent);
  ImGui::BeginGroup();
  elided(fmt::format("{}/{}  {}", play.at() + 1, play.lesson().steps.size(), name), std::max(room, 1.0f));
  ImGui::EndGroup();
  ImGui::PopStyleColor();
  tooltip(play.lesson().title);
  ImGui::SameLine(ImGui::GetCursorPosX() + std::max(room, 1.0f) + style.ItemSpacing.x);
  const auto button = [&](const char* label, const char* hint, bool chosen, const char* why_not) {
    const bool pressed = strip_button(label, label, state, hint, chosen, why_not);
    ImGui::SameLine(0, style.ItemInnerSpacing.x);
    return pressed;
  };
  if (button("Back", "Previous step (Ctrl ←)", false, play.first() ? "This is the first step" : ""))
    --wishes.step;
  if (to_next_lesson) {
    if (button("Next lesson", next->title.c_str(), true, "")) wishes.start = next->name;
  } else if (button("Next", "Next step (Ctrl →)", !play.asks() && !play.last(),
                    play.last() ? "This is the last step" : "")) {
    ++wishes.step;
  }
  if (button("Reset", "Restore the scene of this step and discard your changes (Ctrl R)", false, ""))
    wishes.reset_scene = true;
  if (from_file && button("Reload", "Read the lesson file again", false, "")) wishes.reload = true;
  const bool to_list = play.complete() && !to_next_lesson;
  if (button("Lessons", "List of lessons. This lesson stays open (L)", to_list, "")) wishes.list = true;
  if (button("x", "Leave the lesson and restore your own scene", false, "")) wishes.close = true;
  ImGui::NewLine();
}

/// Events of the field for the answer.
struct FieldEvents {
  bool types_on = false;    ///< move the cursor to the end
  bool wants_hint = false;  ///< Y was typed; numbers and functions do not contain it
};

int on_field_event(ImGuiInputTextCallbackData* data) {
  FieldEvents& events = *static_cast<FieldEvents*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackCharFilter) {
    const bool is_hint = data->EventChar == 'y' || data->EventChar == 'Y';
    events.wants_hint |= is_hint;
    return is_hint ? 1 : 0;
  }
  if (std::exchange(events.types_on, false))
    data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
  return 0;
}

void number_row(Play& play, LessonPanelState& state, LessonWishes& wishes) {
  QuestionProgress& progress = play.progress();
  const float width = ImGui::GetFontSize() * 8;
  ImGui::SetNextItemWidth(width);
  // If the text is longer than the strip, the student reads it first: no focus for a field out of sight.
  const bool in_sight = ImGui::IsRectVisible({width, ImGui::GetFrameHeight()});
  // A focus change while a mouse button is down would lose the click.
  const bool free = !ImGui::IsAnyMouseDown();
  if (free && state.to_field > 0 && --state.to_field == 0 && (in_sight || state.types_on)) {
    ImGui::SetKeyboardFocusHere();
    state.focus_comes = true;
  }
  // The field gets the focus a frame or two after the request and would take the click of a button that is
  // pressed in between. A field with another name does not get it; the focus is requested again.
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool over_it = ImGui::IsMouseHoveringRect(at, {at.x + width, at.y + ImGui::GetFrameHeight()});
  const bool elsewhere = !free && !over_it && state.focus_comes;
  if (elsewhere) state.to_field = 1;
  ImGui::PushID(elsewhere ? "elsewhere" : "");
  const std::string before = progress.typed;
  FieldEvents events{.types_on = state.types_on};
  constexpr ImGuiInputTextFlags kFlags =
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll |
      ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_CallbackCharFilter;
  const bool entered = ImGui::InputText("##answer", &progress.typed, kFlags, on_field_event, &events);
  ImGui::PopID();
  state.types_on = events.types_on;
  state.field_active = ImGui::IsItemActive();
  if (state.field_active) state.focus_comes = false;
  if (events.wants_hint && play.asks()) wishes.hint = true;
  state.places["answer"] = item_area();
  if (progress.typed != before) play.withdraw();
  if (entered) wishes.answer = true;
  ImGui::SameLine();
  if (!play.step().question->unit.empty()) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(play.step().question->unit.c_str());
    ImGui::SameLine();
  }
  if (strip_button("Check", "Check", state, "Check the number (Enter)", false,
                   progress.typed.empty() ? "Type a number first, or a sum such as 3^4 - 1" : ""))
    wishes.answer = true;
}

void choices(Play& play, const Figures& figures, LessonPanelState& state, LessonWishes& wishes) {
  const Question& question = *play.step().question;
  const QuestionProgress& progress = play.progress();
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float end = ImGui::GetCursorPosX() + rest_of_line();
  for (std::size_t i = 0; i < question.choices.size(); ++i) {
    const std::string label = filled(question.choices[i], figures);
    if (i > 0) {
      ImGui::SameLine(0, gap);
      if (ImGui::GetCursorPosX() + button_width(label) > end) ImGui::NewLine();
    }
    ImGui::PushID(static_cast<int>(i));
    if (strip_button(fmt::format("choice {}", i + 1).c_str(), label, state, fmt::format("F{0} or {0}", i + 1),
                     progress.picked == i))
      wishes.choose = i;
    ImGui::PopID();
  }
}

void cell_row(const Figures& figures, LessonPanelState& state, LessonWishes& wishes) {
  const auto coordinate = [&](const char* name) -> std::string {
    const auto found = figures.known.find(name);
    return found == figures.known.end() ? "" : text_of(found->second);
  };
  const std::string x = coordinate("pinned1");
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(x.empty() ? "Click a point in the picture."
                                   : fmt::format("Pinned: ({}, {})", x, coordinate("pinned2")).c_str());
  ImGui::SameLine();
  if (strip_button("Check", "Check", state, "Check the pinned point (Enter)", false,
                   x.empty() ? "Click a point in the picture first" : ""))
    wishes.answer = true;
}

void verdict(const Play& play, const Figures& figures) {
  const Question& question = *play.step().question;
  const QuestionProgress& progress = play.progress();
  // The scene may have changed since the answer was given: use the report of that time.
  const Figures& then = progress.figures ? *progress.figures : figures;
  if (!progress.said.empty()) {
    warning(progress.said);
  } else if (progress.right) {
    coloured(theme::kAccent, "✓ Correct.");
  } else if (progress.judged && !progress.shown) {
    warning(progress.wrong > 1 ? fmt::format("Incorrect, try again ({} attempts).", progress.wrong)
                               : std::string("Incorrect, try again."));
  }
  if ((progress.right || progress.shown) && progress.said.empty()) {
    try {
      note(shown_answer(question, then));
    } catch (const InputError&) {
      note("The scene no longer shows the answer. Reset restores it.");
    }
    if (!question.after.text.empty()) wrapped(filled(question.after, then));
  } else if (progress.hint) {
    wrapped("Hint: " + filled(question.hint, figures));
  }
}

void question_part(Play& play, const Figures& figures, LessonPanelState& state, LessonWishes& wishes) {
  const Question& question = *play.step().question;
  const QuestionProgress& progress = play.progress();
  wrapped(filled(question.ask, figures));
  switch (question.kind) {
    case Question::Kind::kNumber:
      number_row(play, state, wishes);
      break;
    case Question::Kind::kChoice:
      choices(play, figures, state, wishes);
      break;
    case Question::Kind::kCell:
      cell_row(figures, state, wishes);
      break;
  }
  ImGui::SameLine();
  const bool over = progress.right || progress.shown;
  const std::string label = progress.hint ? "Show answer" : "Hint";
  if (ImGui::GetCursorPosX() + button_width(label) > ImGui::GetWindowContentRegionMax().x) ImGui::NewLine();
  if (!over && !progress.hint && strip_button("Hint", label, state, "Show a hint (Y)")) wishes.hint = true;
  if (!over && progress.hint && strip_button("Show", label, state, "Show the answer and how it is computed"))
    wishes.show_answer = true;
  if (over) ImGui::NewLine();
  verdict(play, figures);
  if (play.complete()) {
    coloured(theme::kAccent, fmt::format("✓ Lesson complete: {} of {} questions answered correctly.",
                                         play.answered(), play.questions()));
  }
  if (state.to_verdict > 0) {
    --state.to_verdict;
    ImGui::SetScrollHereY(1);
  }
}

}  // namespace

void begin_strip(const Area& area) {
  begin_bar("##lessons", area, ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollWithMouse);
}

void end_strip() {
  const ImVec2 at = ImGui::GetWindowPos();
  const ImVec2 size = ImGui::GetWindowSize();
  ImGui::GetWindowDrawList()->AddLine({at.x, at.y + size.y - 1}, {at.x + size.x, at.y + size.y - 1},
                                      ImGui::GetColorU32(ImGuiCol_Separator));
  ImGui::End();
}

bool strip_button(const char* name, const std::string& label, LessonPanelState& state,
                  const std::string& hint, bool chosen, const std::string& why_not) {
  const float width = std::min(button_width(label), std::max(ImGui::GetContentRegionAvail().x, 1.0f));
  const bool pressed = choice_button(label.c_str(), chosen, width, why_not, hint);
  state.places[name] = item_area();
  return pressed;
}

void lesson_panel(const Area& area, Play& play, const ListedLesson* next, const Figures& figures,
                  const std::string& changed, const std::string& message, LessonPanelState& state,
                  LessonWishes& wishes) {
  state.places.clear();
  state.field_active = false;
  begin_strip(area);
  header(play, next, state, wishes);
  if (!message.empty()) warning(message);
  const LessonStep& step = play.step();
  const bool beside = step.question && area.width >= kStripColumns * ImGui::GetFontSize();
  const float gap = ImGui::GetFontSize();
  const auto column = [&](const char* id, float width, auto&& content) {
    ImGui::BeginChild(id, {width, 0}, false, ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBackground);
    content();
    ImGui::EndChild();
  };
  const auto text = [&] {
    if (std::exchange(state.to_top, false)) ImGui::SetScrollY(0);
    wrapped(filled(step.text, figures));
    if (!changed.empty()) note(fmt::format("You changed: {}. Reset restores this step.", changed));
  };
  if (beside) {
    const float half = (rest_of_line() - gap) / 2;
    column("##text", half, text);
    ImGui::SameLine(0, gap);
    column("##question", 0, [&] { question_part(play, figures, state, wishes); });
  } else {
    column("##text", 0, [&] {
      text();
      if (!step.question) return;
      ImGui::Separator();
      question_part(play, figures, state, wishes);
    });
  }
  end_strip();
}

}  // namespace loom::app::lessons
