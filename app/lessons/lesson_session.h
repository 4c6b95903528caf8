#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/lessons/lesson.h"
#include "app/lessons/report_values.h"

namespace loom::app::lessons {

/// The state of a host, which only the host can read.
struct SceneSnapshot {
  virtual ~SceneSnapshot() = default;
};

/// Where lessons are played: the window with its workspaces.
class LessonHost {
 public:
  virtual ~LessonHost() = default;
  /// The whole current scene, including the user's cells.
  virtual std::shared_ptr<const SceneSnapshot> take_snapshot() = 0;
  virtual void restore_snapshot(const SceneSnapshot& state) = 0;
  /// Replaces the current scene by one of a lesson, which was checked when the lesson was read.
  virtual void set(const SceneSettingList& scene) = 0;
};

/// A student's progress with a question.
struct QuestionProgress {
  int wrong = 0;                      ///< number of wrong answers
  bool is_correct = false;            ///< the last answer was correct
  bool has_verdict = false;           ///< the verdict on the last answer still holds
  bool hint = false;                  ///< the hint is shown
  bool shown = false;                 ///< the answer was requested, and is shown
  bool solved_before = false;         ///< when the step was entered
  std::string typed;                  ///< the text in the field
  std::optional<std::size_t> picked;  ///< the selected choice
  std::string feedback;               ///< why the last answer could not be checked
  /// The report at the time of the correct or shown answer, which the text after it refers to.
  std::optional<ReportValues> values;
};

/// A lesson in progress: the current step, the progress with each question, and the scenes. The scene of a
/// step is set when the step is entered for the first time. The student's changes are stored per step and
/// restored when the step is entered again. The scene from before the lesson is restored by end().
class LessonSession {
 public:
  /// Begins with the first step. `host` must outlive it. `before`: the scene that end() restores; null for
  /// the current one. A lesson that replaces another passes that lesson's before().
  LessonSession(Lesson lesson, LessonHost& host, std::shared_ptr<const SceneSnapshot> before = nullptr);
  const std::shared_ptr<const SceneSnapshot>& before() const { return scene_before_; }

  const Lesson& lesson() const { return lesson_; }
  std::size_t at() const { return at_; }
  const LessonStep& step() const { return lesson_.steps[at_]; }
  QuestionProgress& progress() { return progress_[at_]; }
  const QuestionProgress& progress() const { return progress_[at_]; }
  bool first() const { return at_ == 0; }
  bool last() const { return at_ + 1 == lesson_.steps.size(); }
  /// Whether the question of this step is still open.
  bool awaits_answer() const { return step().question && !progress().is_correct && !progress().shown; }
  /// Whether this is the last step and its question is not open.
  bool complete() const { return last() && !awaits_answer(); }
  /// Number of questions of the lesson, and of those answered correctly.
  std::size_t questions() const;
  std::size_t answered() const;

  /// To the next or the previous step; no effect if there is none.
  void next();
  void back();
  void go_to(std::size_t step);
  /// Restores the scene of the step and discards the student's changes.
  void reset_scene();
  /// Restores the scene from before the lesson.
  void end();

  // Answers are checked against the current report. If that fails, progress().feedback has the reason.
  void answer_number(const ReportValues& values);
  void answer_choice(std::size_t choice, const ReportValues& values);
  void answer_cell(const ReportValues& values);
  void answer_code(const ReportValues& values);
  void show_hint() { progress().hint = true; }
  void show_answer(const ReportValues& values);
  void hide_answer() { progress().shown = false; }
  /// Clears the verdict on the last answer, for another one.
  void clear_verdict();
  /// Another point was pinned: clears a verdict that was not correct. The point is no answer until it is
  /// checked.
  void on_pin_changed();

 private:
  void enter(std::size_t step);
  void judge(const ReportValues& values, const std::function<bool()>& is_right);

  Lesson lesson_;
  LessonHost& host_;
  std::size_t at_ = 0;
  std::shared_ptr<const SceneSnapshot> scene_before_;               ///< the scene from before the lesson
  std::vector<std::shared_ptr<const SceneSnapshot>> saved_scenes_;  ///< of each step that was left
  std::vector<QuestionProgress> progress_;
};

}  // namespace loom::app::lessons
