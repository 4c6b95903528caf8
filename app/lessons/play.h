#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/lessons/figures.h"
#include "app/lessons/lesson.h"

namespace loom::app::lessons {

/// What a stage remembers of itself, for the stage alone to read.
struct StageState {
  virtual ~StageState() = default;
};

/// Where lessons are played: the window with its workspaces.
class Stage {
 public:
  virtual ~Stage() = default;
  /// The whole scene of the moment, the user's own cells among it.
  virtual std::shared_ptr<const StageState> remember() = 0;
  virtual void give_back(const StageState& state) = 0;
  /// A scene of a lesson, in place of what there is. It was checked when the lesson was read.
  virtual void set(const SceneWords& scene) = 0;
};

/// How far a student has come with a question.
struct QuestionProgress {
  int wrong = 0;                      ///< answers
  bool right = false;                 ///< the last answer was
  bool judged = false;                ///< what is said about the last answer still holds
  bool hint = false;                  ///< is shown
  bool shown = false;                 ///< the answer was asked for, and is shown
  std::string typed;                  ///< into the field
  std::optional<std::size_t> picked;  ///< the choice
  std::string said;                   ///< about the last answer: why it could not be taken
  /// The report when the answer was right, or was shown: what is said of it goes on being true of that.
  std::optional<Figures> figures;
};

/// A lesson that is played: the step, what became of each question, and the scenes. The scene of a step is
/// set when the step is entered; what the student changes there is kept, apart from it, and comes back with
/// the step. What there was before the lesson comes back when it ends.
class Play {
 public:
  /// Begins with the first step. `stage` must outlive it. `before`: what end() gives back, where that is not
  /// the scene of the moment but that of before another lesson.
  Play(Lesson lesson, Stage& stage, std::shared_ptr<const StageState> before = nullptr);
  const std::shared_ptr<const StageState>& before() const { return before_; }

  const Lesson& lesson() const { return lesson_; }
  std::size_t at() const { return at_; }
  const LessonStep& step() const { return lesson_.steps[at_]; }
  QuestionProgress& progress() { return progress_[at_]; }
  const QuestionProgress& progress() const { return progress_[at_]; }
  bool first() const { return at_ == 0; }
  bool last() const { return at_ + 1 == lesson_.steps.size(); }
  /// Whether this step waits for an answer.
  bool asks() const { return step().question && !progress().right && !progress().shown; }
  /// Whether nothing is left to do: the last step asks for nothing more.
  bool complete() const { return last() && !asks(); }
  /// How many questions the lesson has, and how many are answered right.
  std::size_t questions() const;
  std::size_t answered() const;

  /// To the next step, or back; nothing where there is none.
  void next();
  void back();
  void go_to(std::size_t step);
  /// The step's own scene again; what the student changed is forgotten.
  void reset_scene();
  /// What was there before the lesson is given back.
  void end();

  // Answers, by the report of the moment. What cannot be judged leaves its reason in progress().said.
  void answer_number(const Figures& figures);
  void answer_choice(std::size_t choice, const Figures& figures);
  void answer_cell(const Figures& figures);
  void show_hint() { progress().hint = true; }
  void show_answer(const Figures& figures);
  /// Another answer is to be given: the last one's verdict goes.
  void withdraw();
  /// Another point was pinned, which answers nothing before it is checked. What was right stays right.
  void pinned_another();

 private:
  void enter(std::size_t step);
  void judge(const Figures& figures, const std::function<bool()>& is_right);

  Lesson lesson_;
  Stage& stage_;
  std::size_t at_ = 0;
  std::shared_ptr<const StageState> before_;             ///< the lesson
  std::vector<std::shared_ptr<const StageState>> kept_;  ///< of each step, once it was left
  std::vector<QuestionProgress> progress_;
};

}  // namespace loom::app::lessons
