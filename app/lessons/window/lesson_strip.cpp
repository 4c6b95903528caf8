#include "app/lessons/window/lesson_strip.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/gui/theme.h"
#include "app/shell/shortcuts.h"

namespace loom::app::lessons {
namespace {

/// Interval between updates of the report during a lesson.
constexpr std::chrono::milliseconds kBetweenMetrics{200};
/// Number of frames without the highlighted control after which all panels are shown.
constexpr int kPatientFrames = 3;
/// The shown workspace changes one frame after a step's scene was set, and takes its settings in the frame
/// after that. The frame in which a lesson starts is counted too.
constexpr int kFramesToScene = 4;
/// The field for an answer has its final place one frame after its step was entered.
constexpr int kFramesToField = 2;

/// The tab of the side panel that has a control.
SideTab tab_of(Control control) {
  switch (control) {
    case Control::kThread:
    case Control::kLambda:
    case Control::kTraffic:
    case Control::kCostModel:
    case Control::kLandscape:
      return SideTab::kDetails;
    case Control::kPanesMetrics:
    case Control::kMetrics:
    case Control::kWork:
    case Control::kLevels:
      return SideTab::kMetrics;
    default:
      return SideTab::kMain;
  }
}

bool is_enter(const KeyPress& press) {
  return (press.key == GLFW_KEY_ENTER || press.key == GLFW_KEY_KP_ENTER) && !press.ctrl && !press.repeat;
}

}  // namespace

Shortcuts<LessonRequests> lesson_shortcuts() {
  Shortcuts<LessonRequests> keys;
  keys.add({"Enter", "lesson: check the answer; after a correct one, next step", Menu::kLearn, "Check answer",
            "confirm"},
           is_enter, [](LessonRequests& w) { w.answer = true; });
  // LessonStrip::press_answer() takes these keys.
  keys.add({"1 to 4", "lesson: choose an answer"}, no_key(), [](LessonRequests&) {});
  keys.add({"Y", "lesson: show a hint", Menu::kLearn, "Hint"}, key('y'),
           [](LessonRequests& w) { w.hint = true; });
  keys.add({"Ctrl → or PgDn", "lesson: next step", Menu::kLearn, "Next step", "page down"},
           any_of(with_ctrl({GLFW_KEY_RIGHT}), key(GLFW_KEY_PAGE_DOWN)), [](LessonRequests& w) { ++w.step; });
  keys.add({"Ctrl ← or PgUp", "lesson: previous step", Menu::kLearn, "Previous step", "page up"},
           any_of(with_ctrl({GLFW_KEY_LEFT}), key(GLFW_KEY_PAGE_UP)), [](LessonRequests& w) { --w.step; });
  keys.add({"Ctrl ↑", "lesson: show or hide the answer", Menu::kLearn, "Show or hide answer"},
           with_ctrl({GLFW_KEY_UP}), [](LessonRequests& w) { w.toggle_answer = true; });
  keys.add({"Ctrl ↓", "lesson, lecture mode: show or hide the whole text", Menu::kLearn, "Whole text"},
           with_ctrl({GLFW_KEY_DOWN}), [](LessonRequests& w) { w.toggle_text = true; });
  keys.add({"Ctrl R", "lesson: restore the scene of the step", Menu::kLearn, "Reset step"}, with_ctrl({'r'}),
           [](LessonRequests& w) { w.reset_scene = true; });
  return keys;
}

LessonStrip::LessonStrip(std::unique_ptr<LessonHost> host, ReportFields fields, ControlMarks& marks)
    : host_(std::move(host)),
      fields_(std::move(fields)),
      marks_(marks),
      keys_(lesson_shortcuts()),
      step_commands_(keys_.commands().size()) {
  for (const BundledLesson& one : bundled_lessons()) {
    const Lesson lesson = find_lesson(std::string(one.name), fields_, [](const SceneSettingList&) {});
    const auto questions =
        std::ranges::count_if(lesson.steps, [](const LessonStep& step) { return step.question.has_value(); });
    listed_.push_back({lesson.name, lesson.title, lesson.summary, lesson.minutes, lesson.in_short_course,
                       static_cast<std::size_t>(questions), progress_.solved(lesson.name)});
    labels_.push_back(fmt::format("{}. {}", listed_.size(), lesson.title));
  }
  // The labels and texts are complete and stay where they are.
  for (std::size_t i = 0; i < listed_.size(); ++i) {
    keys_.add({.keys = "",
               .meaning = listed_[i].summary.c_str(),
               .menu = Menu::kLesson,
               .label = labels_[i].c_str()},
              no_key(), [name = listed_[i].name](LessonRequests& w) { w.start = name; });
  }
}

void LessonStrip::begin(ShellEdit& shell) {
  host_->begin(shell);
  was_built_ = std::exchange(built_, false);
  panel_.field_active &= was_built_;
}

bool LessonStrip::press(const KeyPress& press) {
  if (list_shown_) return press_in_list(press);
  if (!session_) return false;
  // Where another field has the keyboard focus, such as the code of a map, the page keys still turn steps: a
  // presenter's remote has no others.
  if (ImGui::GetIO().WantTextInput && !panel_.field_active) {
    const bool turns = press.key == GLFW_KEY_PAGE_UP || press.key == GLFW_KEY_PAGE_DOWN;
    return turns && keys_.press(press, requests_);
  }
  // Enter pins the point at the picture's cursor before it checks the pinned point.
  if (asks_for(Question::Kind::kCell) && is_enter(press)) {
    refresh();
    if (!values_.known.contains("pinned1")) return false;
  }
  return press_answer(press) || keys_.press(press, requests_);
}

// Arrow keys, page keys, digits and Enter choose a lesson. The list has columns from top to bottom.
bool LessonStrip::press_in_list(const KeyPress& press) {
  if (press.ctrl || ImGui::GetIO().WantTextInput) return false;
  if (is_enter(press)) {
    requests_.start = listed_[panel_.selected].name;
    return true;
  }
  const auto move = [&](std::size_t by, bool back) {
    const std::size_t to = back ? panel_.selected - by : panel_.selected + by;
    if (to < listed_.size()) panel_.selected = to;  // a step before the first one is a large number
    return true;
  };
  if (press.key >= '0' && press.key <= '9') return true;  // its character follows
  if (press.character >= '1' && press.character <= '9') {
    panel_.selected = std::min<std::size_t>(press.character - '1', listed_.size() - 1);
    return true;
  }
  switch (press.key) {
    case GLFW_KEY_UP:
    case GLFW_KEY_PAGE_UP:
      return move(1, true);
    case GLFW_KEY_DOWN:
    case GLFW_KEY_PAGE_DOWN:
      return move(1, false);
    case GLFW_KEY_LEFT:
      return move(panel_.list_rows, true);
    case GLFW_KEY_RIGHT:
      return move(panel_.list_rows, false);
    default:
      return false;
  }
}

// While a question is open, digits and other characters that a number may begin with belong to the answer and
// do not change the scene.
bool LessonStrip::press_answer(const KeyPress& press) {
  if (press.ctrl || !session_->awaits_answer() || !was_built_) return false;
  const auto is_digit = [](unsigned one) { return one >= '0' && one <= '9'; };
  if (press.key > 0 && is_digit(static_cast<unsigned>(press.key))) return true;  // its character follows
  const unsigned sign = press.character;
  switch (session_->step().question->kind) {
    case Question::Kind::kNumber:
      if (!is_digit(sign) && sign != '.' && sign != '-') return false;
      type(static_cast<char>(sign));
      return true;
    case Question::Kind::kChoice:
      if (!is_digit(sign)) return false;
      if (sign != '0') pick(sign - '1');
      return true;
    case Question::Kind::kCell:
      if (!is_digit(sign)) return false;
      session_->progress().feedback =
          "Answer with a point of the picture: click it, or use the arrow keys and Enter. 1, 2 and 3 switch "
          "the map once that is done.";
      return true;
    case Question::Kind::kCode:
      return false;
  }
  return false;
}

void LessonStrip::type(char sign) {
  QuestionProgress& progress = session_->progress();
  if (progress.has_verdict) progress.typed.clear();
  progress.typed += sign;
  session_->clear_verdict();
  panel_.to_field = 1;
  panel_.append_typed = true;
}

// Key repeat does not pick again.
void LessonStrip::pick(std::size_t choice) {
  const QuestionProgress& progress = session_->progress();
  const bool picked = progress.picked == choice && progress.has_verdict;
  if (!picked && choice < session_->step().question->choices.size()) requests_.choose = choice;
}

bool LessonStrip::asks_for(Question::Kind kind) const {
  return session_->awaits_answer() && session_->step().question->kind == kind;
}

// Null for a lesson from a file, and for the last lesson.
const LessonListEntry* LessonStrip::next_lesson() const {
  if (session_->lesson().is_file()) return nullptr;
  const auto here = std::ranges::find(listed_, session_->lesson().name, &LessonListEntry::name);
  return here == listed_.end() || here + 1 == listed_.end() ? nullptr : &*(here + 1);
}

// The first lesson with an open question.
void LessonStrip::select_next_lesson() {
  const auto open =
      std::ranges::find_if(listed_, [](const LessonListEntry& one) { return one.solved < one.questions; });
  panel_.selected = open == listed_.end() ? 0 : static_cast<std::size_t>(open - listed_.begin());
}

CommandSource LessonStrip::commands() {
  return {.commands = keys_.commands(),
          .run = [this](std::size_t i) { keys_.run(i, requests_); },
          .problem = [this](std::size_t i) -> const char* {
            return session_ || i >= step_commands_ ? nullptr : "No lesson is open";
          }};
}

void LessonStrip::play(Lesson lesson) {
  session_.emplace(std::move(lesson), *host_, session_ ? session_->before() : nullptr);
  list_shown_ = false;
  message_.clear();
  enter_step();
}

void LessonStrip::start(const std::string& name) {
  try {
    play(find_lesson(name, fields_, [this](const SceneSettingList& scene) { host_->check(scene); }));
  } catch (const InputError& error) {
    message_ = error.what();
    list_shown_ = list_shown_ || !session_;
  }
}

void LessonStrip::reload() {
  try {
    const std::size_t at = session_->at();
    play(read_lesson_file(session_->lesson().file, fields_,
                          [this](const SceneSettingList& scene) { host_->check(scene); }));
    session_->go_to(std::min(at, session_->lesson().steps.size() - 1));
    enter_step();
  } catch (const InputError& error) {
    message_ = error.what();
  }
}

void LessonStrip::close() {
  list_shown_ = false;
  message_.clear();
  marks_.set_highlight(std::nullopt);
  marks_.set_hidden(std::nullopt);
  if (!session_) return;
  session_->end();
  session_.reset();
}

void LessonStrip::leave(ShellEdit& shell) {
  close();
  host_->begin(shell);
}

void LessonStrip::enter_step() {
  marks_.set_highlight(session_->step().highlight);
  session_->progress().solved_before =
      !session_->lesson().is_file() && progress_.has(session_->lesson().name, session_->at() + 1);
  frames_missing_ = 0;
  frames_in_step_ = 0;
  changed_.reset();
  panel_.to_top = true;
  panel_.whole_text = false;
  panel_.append_typed = panel_.focus_comes = false;
  panel_.to_field = asks_for(Question::Kind::kNumber) ? kFramesToField : 0;
  values_updated_at_ = {};
}

void LessonStrip::answer() {
  const LessonStep& step = session_->step();
  const QuestionProgress& progress = session_->progress();
  const int wrong = progress.wrong;
  if (!step.question || progress.is_correct) {
    session_->next();
    return enter_step();
  }
  switch (step.question->kind) {
    case Question::Kind::kNumber:
      session_->answer_number(values_);
      if (!progress.is_correct) panel_.to_field = 1;
      break;
    case Question::Kind::kCell:
      session_->answer_cell(values_);
      break;
    case Question::Kind::kCode:
      session_->answer_code(values_);
      break;
    case Question::Kind::kChoice:
      break;  // a choice is checked when it is selected
  }
  if (progress.is_correct || progress.wrong > wrong || !progress.feedback.empty())
    panel_.to_verdict = kFramesToVerdict;
}

void LessonStrip::note_progress() {
  if (session_->lesson().is_file() || !session_->progress().is_correct) return;
  const std::string& name = session_->lesson().name;
  progress_.add(name, session_->at() + 1);
  const auto entry = std::ranges::find(listed_, name, &LessonListEntry::name);
  if (entry != listed_.end()) entry->solved = progress_.solved(name);
}

void LessonStrip::refresh() {
  const auto pinned = [this](const char* name) {
    const auto found = values_.known.find(name);
    return found == values_.known.end() ? std::string() : text_of(found->second);
  };
  const auto before = std::pair(pinned("pinned1"), pinned("pinned2"));
  values_ = host_->values();
  if (before != std::pair(pinned("pinned1"), pinned("pinned2"))) session_->on_pin_changed();
  // Code that passes is an answer without another button.
  const LessonStep& step = session_->step();
  const bool asks_for_code = step.question && step.question->kind == Question::Kind::kCode;
  if (asks_for_code && session_->awaits_answer() && is_right_code(*step.question, values_)) {
    session_->answer_code(values_);
    note_progress();
    panel_.to_verdict = kFramesToVerdict;
  }
  if (frames_in_step_ >= kFramesToScene) changed_ = host_->changed(session_->step().scene);
  values_updated_at_ = std::chrono::steady_clock::now();
}

void LessonStrip::act(ShellEdit& shell) {
  const LessonCommands asked = std::exchange(shell.lessons, {});
  if (asked.list) requests_.list = true;
  if (asked.start) requests_.start = asked.start;
  LessonRequests requests = std::exchange(requests_, {});
  if (requests.list) list_shown_ = !list_shown_;
  if (requests.list && list_shown_) select_next_lesson();
  if (shell.commands.dismiss && list_shown_) list_shown_ = shell.commands.dismiss = false;
  if (requests.list) message_.clear();
  const bool goes_on = session_ && !list_shown_ && session_->complete() && requests.step > 0;
  if (goes_on && next_lesson() != nullptr) requests = {.start = next_lesson()->name};
  if (requests.start) start(*requests.start);
  if (requests.close) close();
  if (requests.clear_progress) {
    progress_.clear();
    for (LessonListEntry& one : listed_) one.solved = 0;
  }
  if (const std::string why = progress_.update(); !why.empty())
    message_ = "Progress cannot be saved and lasts until this window closes: " + why;
  if (!session_ || list_shown_) return;
  ++frames_in_step_;
  if (requests.reload) reload();
  if (requests.toggle_answer && session_->step().question && !session_->progress().is_correct)
    (session_->progress().shown ? requests.hide_answer : requests.show_answer) = true;
  if (requests.answer || requests.choose || requests.show_answer) refresh();
  if (requests.choose) session_->answer_choice(*requests.choose, values_);
  if (requests.choose) panel_.to_verdict = kFramesToVerdict;
  if (requests.answer) answer();
  if (requests.answer || requests.choose) note_progress();
  if (requests.hint) session_->show_hint();
  // In lecture mode the hint takes the place of the verdict.
  if (requests.hint && session_->awaits_answer() && is_lecture_mode(shell.settings))
    session_->clear_verdict();
  // In lecture mode the choices need the line of the hint.
  if (requests.hint && asks_for(Question::Kind::kChoice)) panel_.whole_text = is_lecture_mode(shell.settings);
  if (requests.show_answer) session_->show_answer(values_);
  if (requests.hide_answer) session_->hide_answer();
  if (requests.toggle_text) panel_.whole_text = !panel_.whole_text && is_lecture_mode(shell.settings);
  if (requests.toggle_lecture) toggle_lecture_mode(shell.settings);
  if (!is_lecture_mode(shell.settings)) panel_.whole_text = false;
  if (requests.hint || requests.show_answer) panel_.to_verdict = kFramesToVerdict;
  if (requests.reset_scene) session_->reset_scene();
  const std::size_t before = session_->at();
  if (requests.step > 0) session_->next();
  if (requests.step < 0) session_->back();
  if (session_->at() != before || requests.reset_scene) enter_step();
  if (asks_for(Question::Kind::kCell)) shell.view.cursor = true;
  if (std::chrono::steady_clock::now() - values_updated_at_ > kBetweenMetrics) refresh();
  // In a lecture the picture comes first: what is in the side panel is shown when it is opened (F9).
  if (frames_missing_ < kPatientFrames || is_lecture_mode(shell.settings)) return;
  if (frames_missing_ == kPatientFrames) {
    shell.settings.show_panels = shell.settings.show_side_panel = true;
    show_timing(shell.settings);
  }
  if (shell.settings.side_tab && marks_.highlighted())
    shell.settings.side_tab = tab_of(*marks_.highlighted());
}

void LessonStrip::build(const Area& area, ShellEdit& shell) {
  built_ = true;
  const bool asks = session_ && session_->awaits_answer();
  marks_.set_hidden(asks ? session_->step().hide : std::nullopt);
  side_panel_folded_ = !shell.settings.show_side_panel;
  if (list_shown_ || !session_) {
    lesson_list(area, listed_, session_.has_value(), message_, panel_, requests_);
  } else if (is_lecture_mode(shell.settings) && is_brief()) {
    lecture_panel(area, *session_, next_lesson(), values_, panel_, requests_);
  } else {
    lesson_panel(area, *session_, next_lesson(), values_, changed_.value_or(""), message_, panel_, requests_);
  }
}

void LessonStrip::overlays(ImDrawList& list, bool is_covered) {
  ring_.reset();
  const auto& highlighted = marks_.highlighted();
  if (!session_ || list_shown_ || !highlighted) return;
  frames_missing_ = marks_.missing() && !marks_.drawn(*highlighted) ? frames_missing_ + 1 : 0;
  ring_ = marks_.visible_area(*highlighted);
  if (!marks_.drawn(*highlighted) && side_panel_folded_) ring_ = marks_.visible_area(Control::kSidePanel);
  // The ring is not drawn over a screen or an open drop-down list.
  if (is_covered) ring_.reset();
  const bool covered = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  if (ring_ && !covered) draw_ring(list, *ring_);
}

void LessonStrip::add_state(nlohmann::ordered_json& json) {
  nlohmann::ordered_json own;
  own["list"] = list_shown_;
  own["selected"] = listed_[panel_.selected].name;
  own["solved"] = nlohmann::ordered_json::object();
  for (const LessonListEntry& one : listed_) own["solved"][one.name] = one.solved;
  own["name"] = nullptr;
  own["message"] = message_;
  if (session_) {
    const LessonStep& step = session_->step();
    const QuestionProgress& progress = session_->progress();
    own["name"] = session_->lesson().is_file() ? session_->lesson().file : session_->lesson().name;
    own["step"] = session_->at() + 1;
    own["steps"] = session_->lesson().steps.size();
    own["highlight"] = nullptr;
    if (step.highlight) own["highlight"] = name_of(*step.highlight);
    own["hidden"] = nullptr;
    if (marks_.hidden()) own["hidden"] = name_of(*marks_.hidden());
    own["ring"] = nullptr;
    if (ring_) own["ring"] = numbers_of(*ring_);
    own["question"] = step.question.has_value();
    own["typed"] = progress.typed;
    own["wrong"] = progress.wrong;
    own["right"] = progress.is_correct;
    own["solved_before"] = progress.solved_before;
    own["hint"] = progress.hint;
    own["shown"] = progress.shown;
    own["said"] = progress.feedback;
    own["whole_text"] = panel_.whole_text;
    own["judged"] = progress.has_verdict;
    own["complete"] = session_->complete();
    own["changed"] = nullptr;
    if (changed_) own["changed"] = *changed_;
  }
  own["places"] = nlohmann::ordered_json::object();
  for (const auto& [name, area] : panel_.areas) own["places"][name] = numbers_of(area);
  json["lesson"] = std::move(own);
}

}  // namespace loom::app::lessons
