#include <algorithm>
#include <utility>

#include "app/lessons/lesson.h"

namespace loom::app::lessons {

LessonSession::LessonSession(Lesson lesson, LessonHost& host, std::shared_ptr<const SceneSnapshot> before)
    : lesson_(std::move(lesson)),
      host_(host),
      scene_before_(before ? std::move(before) : host.take_snapshot()),
      saved_scenes_(lesson_.steps.size()),
      progress_(lesson_.steps.size()) {
  host_.set(step().scene);
}

void LessonSession::enter(std::size_t step) {
  saved_scenes_[at_] = host_.take_snapshot();
  at_ = step;
  if (saved_scenes_[at_]) {
    host_.restore_snapshot(*saved_scenes_[at_]);
  } else {
    host_.set(lesson_.steps[at_].scene);
  }
}

void LessonSession::next() {
  if (!last()) enter(at_ + 1);
}

void LessonSession::back() {
  if (!first()) enter(at_ - 1);
}

void LessonSession::go_to(std::size_t step) {
  if (step != at_ && step < lesson_.steps.size()) enter(step);
}

void LessonSession::reset_scene() {
  saved_scenes_[at_].reset();
  host_.set(step().scene);
  if (!progress().is_correct) clear_verdict();
}

std::size_t LessonSession::questions() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(lesson_.steps, [](const LessonStep& one) { return one.question.has_value(); }));
}

std::size_t LessonSession::answered() const {
  return static_cast<std::size_t>(std::ranges::count_if(progress_, &QuestionProgress::is_correct));
}

void LessonSession::end() {
  host_.restore_snapshot(*scene_before_);
}

void LessonSession::judge(const ReportValues& values, const std::function<bool()>& is_right) {
  QuestionProgress& now = progress();
  now.feedback.clear();
  now.is_correct = false;
  now.has_verdict = true;
  try {
    now.is_correct = is_right();
  } catch (const MissingField&) {
    now.feedback = "The scene no longer shows what the question asks about. Reset restores it.";
    return;
  } catch (const InputError& error) {
    now.feedback = error.what();
    return;
  }
  if (now.is_correct) {
    now.values = values;
    return;
  }
  ++now.wrong;
  now.hint = true;
}

void LessonSession::answer_number(const ReportValues& values) {
  if (!step().question || progress().typed.empty()) return;
  judge(values, [&] { return is_right_number(*step().question, progress().typed, values); });
}

void LessonSession::answer_choice(std::size_t choice, const ReportValues& values) {
  if (!step().question || choice >= step().question->choices.size()) return;
  progress().picked = choice;
  judge(values, [&] { return right_choice(*step().question, values) == choice; });
}

void LessonSession::answer_cell(const ReportValues& values) {
  if (!step().question) return;
  if (!values.known.contains("pinned1")) {
    progress().has_verdict = true;
    progress().feedback = "Click a point in the picture first; the click pins it.";
    return;
  }
  judge(values, [&] { return is_right_cell(*step().question, values); });
}

void LessonSession::answer_code(const ReportValues& values) {
  if (!step().question) return;
  judge(values, [&] { return is_right_code(*step().question, values); });
}

void LessonSession::show_answer(const ReportValues& values) {
  progress().shown = true;
  progress().feedback.clear();
  progress().values = values;
}

void LessonSession::clear_verdict() {
  QuestionProgress& now = progress();
  now.is_correct = now.has_verdict = false;
  now.feedback.clear();
}

void LessonSession::on_pin_changed() {
  const bool of_cell = step().question && step().question->kind == Question::Kind::kCell;
  if (of_cell && !progress().is_correct) clear_verdict();
}

}  // namespace loom::app::lessons
