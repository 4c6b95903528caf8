#include "app/lessons/window/lesson_strip.h"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/gui/theme.h"
#include "app/lessons/bundled.h"
#include "app/shell/key_match.h"

namespace loom::app::lessons {
namespace {

/// Interval between updates of the report during a lesson.
constexpr std::chrono::milliseconds kBetweenFigures{200};
/// Number of frames without the highlighted control after which all panels are shown.
constexpr int kPatientFrames = 3;
constexpr int kFramesToScene = 3;
/// The field for an answer has its final place one frame after its step was entered.
constexpr int kFramesToField = 2;

Shortcuts<LessonWishes> lesson_shortcuts() {
  Shortcuts<LessonWishes> keys;
  keys.add("Enter", "lesson: check the answer; after a correct one, next step",
           any_of(key(GLFW_KEY_ENTER), key(GLFW_KEY_KP_ENTER)), [](LessonWishes& w) { w.answer = true; });
  struct AnswerKey {
    const char* label;
    const char* meaning;
    int code;
  };
  static constexpr std::array kAnswers = {AnswerKey{"F1 or 1", "lesson: first choice", GLFW_KEY_F1},
                                          AnswerKey{"F2 or 2", "lesson: second choice", GLFW_KEY_F2},
                                          AnswerKey{"F3 or 3", "lesson: third choice", GLFW_KEY_F3},
                                          AnswerKey{"F4 or 4", "lesson: fourth choice", GLFW_KEY_F4}};
  for (std::size_t i = 0; i < kAnswers.size(); ++i) {
    keys.add(kAnswers[i].label, kAnswers[i].meaning, key(kAnswers[i].code),
             [=](LessonWishes& w) { w.choose = i; });
  }
  keys.add("Y", "lesson: show a hint", key('y'), [](LessonWishes& w) { w.hint = true; });
  keys.add("Ctrl →", "lesson: next step", with_ctrl({GLFW_KEY_RIGHT}), [](LessonWishes& w) { ++w.step; });
  keys.add("Ctrl ←", "lesson: previous step", with_ctrl({GLFW_KEY_LEFT}), [](LessonWishes& w) { --w.step; });
  keys.add("Ctrl R", "lesson: restore the scene of the step", with_ctrl({'r'}),
           [](LessonWishes& w) { w.reset_scene = true; });
  return keys;
}

void draw_ring(ImDrawList& list, const Area& area) {
  const float font = ImGui::GetFontSize();
  const float out = font * 0.2f;
  const ImVec2 low{area.x - out, area.y - out};
  const ImVec2 high{area.x + area.width + out, area.y + area.height + out};
  // Bright on dark, so that it is visible on any background.
  list.AddRect(low, high, theme::kRingEdge, font * 0.4f, 0, font * 0.34f);
  list.AddRect(low, high, theme::kRing, font * 0.4f, 0, font * 0.16f);
}

}  // namespace

LessonStrip::LessonStrip(std::unique_ptr<WindowStage> stage, ControlMarks& marks)
    : stage_(std::move(stage)), marks_(marks), keys_(lesson_shortcuts()) {
  for (const BundledLesson& one : bundled_lessons()) {
    const Lesson lesson = find_lesson(std::string(one.name), [](const SceneWords&) {});
    listed_.push_back({lesson.name, lesson.title, lesson.summary});
  }
}

void LessonStrip::begin(ShellEdit& shell) {
  stage_->begin(shell);
  in_sight_ = std::exchange(built_, false);
  panel_.field_active &= in_sight_;
}

bool LessonStrip::press(const KeyPress& press) {
  if (!play_ || list_shown_) return false;
  // Another field has the keyboard focus.
  if (ImGui::GetIO().WantTextInput && !panel_.field_active) return false;
  return press_answer(press) || keys_.press(press, wishes_);
}

// While a question is open, digits belong to it, and change no scene; so do the other signs that a number may
// begin with.
bool LessonStrip::press_answer(const KeyPress& press) {
  if (press.ctrl || !play_->asks() || !in_sight_) return false;
  const auto is_digit = [](unsigned one) { return one >= '0' && one <= '9'; };
  if (press.key > 0 && is_digit(static_cast<unsigned>(press.key))) return true;  // its character follows
  const unsigned sign = press.character;
  switch (play_->step().question->kind) {
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
      play_->progress().said =
          "Click a point of the picture to answer. 1, 2 and 3 switch the map once that is done.";
      return true;
  }
  return false;
}

void LessonStrip::type(char sign) {
  QuestionProgress& progress = play_->progress();
  if (progress.judged) progress.typed.clear();
  progress.typed += sign;
  play_->withdraw();
  panel_.to_field = 1;
  panel_.types_on = true;
}

// A key that is held picks once.
void LessonStrip::pick(std::size_t choice) {
  const QuestionProgress& progress = play_->progress();
  const bool picked = progress.picked == choice && progress.judged;
  if (!picked && choice < play_->step().question->choices.size()) wishes_.choose = choice;
}

bool LessonStrip::asks_for_number() const {
  return play_->asks() && play_->step().question->kind == Question::Kind::kNumber;
}

// None for a lesson from a file, and for the last one.
const ListedLesson* LessonStrip::next_lesson() const {
  if (play_->lesson().is_file()) return nullptr;
  const auto here = std::ranges::find(listed_, play_->lesson().name, &ListedLesson::name);
  return here == listed_.end() || here + 1 == listed_.end() ? nullptr : &*(here + 1);
}

std::span<const KeyHelp> LessonStrip::keys() const {
  if (!play_) return {};
  return keys_.help();
}

void LessonStrip::play(Lesson lesson) {
  play_.emplace(std::move(lesson), *stage_, play_ ? play_->before() : nullptr);
  list_shown_ = false;
  message_.clear();
  enter_step();
}

void LessonStrip::start(const std::string& name) {
  try {
    play(find_lesson(name, [this](const SceneWords& scene) { stage_->check(scene); }));
  } catch (const InputError& error) {
    message_ = error.what();
    list_shown_ = list_shown_ || !play_;
  }
}

void LessonStrip::reload() {
  try {
    const std::size_t at = play_->at();
    play(read_lesson_file(play_->lesson().file, [this](const SceneWords& scene) { stage_->check(scene); }));
    play_->go_to(std::min(at, play_->lesson().steps.size() - 1));
    enter_step();
  } catch (const InputError& error) {
    message_ = error.what();
  }
}

void LessonStrip::close() {
  list_shown_ = false;
  message_.clear();
  marks_.want(std::nullopt);
  if (!play_) return;
  play_->end();
  play_.reset();
}

void LessonStrip::enter_step() {
  marks_.want(play_->step().highlight);
  frames_missing_ = 0;
  frames_in_step_ = 0;
  changed_.reset();
  panel_.to_top = true;
  panel_.types_on = false;
  panel_.to_field = asks_for_number() ? kFramesToField : 0;
  figures_at_ = {};
}

void LessonStrip::answer() {
  const LessonStep& step = play_->step();
  const QuestionProgress& progress = play_->progress();
  const int wrong = progress.wrong;
  if (!step.question || progress.right) {
    play_->next();
    return enter_step();
  }
  switch (step.question->kind) {
    case Question::Kind::kNumber:
      play_->answer_number(figures_);
      if (!progress.right) panel_.to_field = 1;
      break;
    case Question::Kind::kCell:
      play_->answer_cell(figures_);
      break;
    case Question::Kind::kChoice:
      break;  // a choice is checked when it is selected
  }
  if (progress.right || progress.wrong > wrong || !progress.said.empty())
    panel_.to_verdict = kFramesToVerdict;
}

void LessonStrip::refresh() {
  const auto pinned = [this](const char* name) {
    const auto found = figures_.known.find(name);
    return found == figures_.known.end() ? std::string() : text_of(found->second);
  };
  const auto before = std::pair(pinned("pinned1"), pinned("pinned2"));
  figures_ = stage_->figures();
  if (before != std::pair(pinned("pinned1"), pinned("pinned2"))) play_->pinned_another();
  // The scene of a step is complete a few frames after it was set.
  if (frames_in_step_ >= kFramesToScene) changed_ = stage_->changed(play_->step().scene);
  figures_at_ = std::chrono::steady_clock::now();
}

void LessonStrip::act(ShellEdit& shell) {
  const LessonCommands asked = std::exchange(shell.lessons, {});
  if (asked.list) wishes_.list = true;
  if (asked.start) wishes_.start = asked.start;
  const LessonWishes wishes = std::exchange(wishes_, {});
  if (wishes.list) list_shown_ = !list_shown_;
  if (wishes.list) message_.clear();
  if (wishes.start) start(*wishes.start);
  if (wishes.close) close();
  if (!play_ || list_shown_) return;
  ++frames_in_step_;
  if (wishes.reload) reload();
  if (wishes.answer || wishes.choose || wishes.show_answer) refresh();
  if (wishes.choose) play_->answer_choice(*wishes.choose, figures_);
  if (wishes.choose) panel_.to_verdict = kFramesToVerdict;
  if (wishes.answer) answer();
  if (wishes.hint) play_->show_hint();
  if (wishes.show_answer) play_->show_answer(figures_);
  if (wishes.hint || wishes.show_answer) panel_.to_verdict = kFramesToVerdict;
  if (wishes.reset_scene) play_->reset_scene();
  const std::size_t before = play_->at();
  if (wishes.step > 0) play_->next();
  if (wishes.step < 0) play_->back();
  if (play_->at() != before || wishes.reset_scene) enter_step();
  if (std::chrono::steady_clock::now() - figures_at_ > kBetweenFigures) refresh();
  if (frames_missing_ == kPatientFrames) {
    shell.settings.show_panels = true;
    show_all_figures(shell.settings);
  }
}

void LessonStrip::build(const Area& area, ShellEdit&) {
  built_ = true;
  if (list_shown_ || !play_) {
    lesson_list(area, listed_, play_.has_value(), message_, panel_, wishes_);
  } else {
    lesson_panel(area, *play_, next_lesson(), figures_, changed_.value_or(""), message_, panel_, wishes_);
  }
}

void LessonStrip::overlays(ImDrawList& list) {
  ring_.reset();
  const auto& wanted = marks_.wanted();
  if (!play_ || list_shown_ || !wanted) return;
  frames_missing_ = marks_.missing() && !marks_.drawn(*wanted) ? frames_missing_ + 1 : 0;
  ring_ = marks_.seen(*wanted);
  // The ring is not drawn over an open drop-down list.
  const bool covered = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  if (ring_ && !covered) draw_ring(list, *ring_);
}

void LessonStrip::add_state(nlohmann::ordered_json& json) {
  nlohmann::ordered_json own;
  own["list"] = list_shown_;
  own["name"] = nullptr;
  own["message"] = message_;
  if (play_) {
    const LessonStep& step = play_->step();
    const QuestionProgress& progress = play_->progress();
    own["name"] = play_->lesson().is_file() ? play_->lesson().file : play_->lesson().name;
    own["step"] = play_->at() + 1;
    own["steps"] = play_->lesson().steps.size();
    own["highlight"] = nullptr;
    if (step.highlight) own["highlight"] = name_of(*step.highlight);
    own["ring"] = nullptr;
    if (ring_) own["ring"] = numbers_of(*ring_);
    own["question"] = step.question.has_value();
    own["typed"] = progress.typed;
    own["wrong"] = progress.wrong;
    own["right"] = progress.right;
    own["hint"] = progress.hint;
    own["shown"] = progress.shown;
    own["said"] = progress.said;
    own["judged"] = progress.judged;
    own["complete"] = play_->complete();
    own["changed"] = nullptr;
    if (changed_) own["changed"] = *changed_;
  }
  own["places"] = nlohmann::ordered_json::object();
  for (const auto& [name, area] : panel_.places) own["places"][name] = numbers_of(area);
  json["lesson"] = std::move(own);
}

}  // namespace loom::app::lessons
