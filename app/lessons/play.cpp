#include "app/lessons/play.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "app/lessons/answer.h"

namespace loom::app::lessons {

Play::Play(Lesson lesson, Stage& stage, std::shared_ptr<const StageState> before)
    : lesson_(std::move(lesson)),
      stage_(stage),
      before_(before ? std::move(before) : stage.remember()),
      kept_(lesson_.steps.size()),
      progress_(lesson_.steps.size()) {
  stage_.set(step().scene);
}

void Play::enter(std::size_t step) {
  kept_[at_] = stage_.remember();
  at_ = step;
  if (kept_[at_]) {
    stage_.give_back(*kept_[at_]);
  } else {
    stage_.set(lesson_.steps[at_].scene);
  }
}

void Play::next() {
  if (!last()) enter(at_ + 1);
}

void Play::back() {
  if (!first()) enter(at_ - 1);
}

void Play::go_to(std::size_t step) {
  if (step != at_ && step < lesson_.steps.size()) enter(step);
}

void Play::reset_scene() {
  kept_[at_].reset();
  stage_.set(step().scene);
  if (!progress().right) withdraw();
}

std::size_t Play::questions() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(lesson_.steps, [](const LessonStep& one) { return one.question.has_value(); }));
}

std::size_t Play::answered() const {
  return static_cast<std::size_t>(std::ranges::count_if(progress_, &QuestionProgress::right));
}

void Play::end() {
  stage_.give_back(*before_);
}

void Play::judge(const Figures& figures, const std::function<bool()>& is_right) {
  QuestionProgress& now = progress();
  now.said.clear();
  now.right = false;
  now.judged = true;
  try {
    now.right = is_right();
  } catch (const MissingField&) {
    now.said = "The scene no longer shows what the question asks about. Reset restores it.";
    return;
  } catch (const InputError& error) {
    now.said = error.what();
    return;
  }
  if (now.right) {
    now.figures = figures;
    return;
  }
  ++now.wrong;
  now.hint = true;
}

void Play::answer_number(const Figures& figures) {
  if (!step().question || progress().typed.empty()) return;
  judge(figures, [&] { return is_right_number(*step().question, progress().typed, figures); });
}

void Play::answer_choice(std::size_t choice, const Figures& figures) {
  if (!step().question || choice >= step().question->choices.size()) return;
  progress().picked = choice;
  judge(figures, [&] { return right_choice(*step().question, figures) == choice; });
}

void Play::answer_cell(const Figures& figures) {
  if (!step().question) return;
  if (!figures.known.contains("pinned1")) {
    progress().judged = true;
    progress().said = "Click a point in the picture first; the click pins it.";
    return;
  }
  judge(figures, [&] { return is_right_cell(*step().question, figures); });
}

void Play::show_answer(const Figures& figures) {
  progress().shown = true;
  progress().said.clear();
  progress().figures = figures;
}

void Play::withdraw() {
  QuestionProgress& now = progress();
  now.right = now.judged = false;
  now.said.clear();
}

void Play::pinned_another() {
  const bool of_cell = step().question && step().question->kind == Question::Kind::kCell;
  if (of_cell && !progress().right) withdraw();
}

}  // namespace loom::app::lessons
