#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/lessons/lesson.h"
#include "app/lessons/lesson_session.h"
#include "app/lessons/window/lesson_list.h"
#include "app/lessons/window/lesson_panel.h"
#include "app/shell/dock.h"
#include "app/shell/shell_settings.h"
#include "app/tasks/learning_progress.h"
#include "app/widgets/control_marks.h"

namespace loom::app::lessons {

/// The window as a host, with what the strip needs in addition to scenes.
class LessonWindowHost : public LessonHost {
 public:
  /// Begins a frame: applies the scene's settings of the shell.
  virtual void begin(ShellEdit& shell) = 0;
  /// The current report of the program.
  virtual ReportValues values() = 0;
  /// Checks that set() accepts a scene; see CheckScene.
  virtual void check(const SceneSettingList& scene) const = 0;
  /// Names of the settings that differ from a scene; empty if there are none.
  virtual std::string changed(const SceneSettingList& scene) = 0;
};

/// The keys of an open lesson.
Shortcuts<LessonRequests> lesson_shortcuts();

/// Lessons in the strip: the list of lessons, or a lesson in progress.
class LessonStrip final : public Strip {
 public:
  /// `fields`: those that lessons may use. `marks` must outlive the strip.
  LessonStrip(std::unique_ptr<LessonWindowHost> host, ReportFields fields, ControlMarks& marks);

  void begin(ShellEdit& shell) override;
  bool press(const KeyPress& press) override;
  CommandSource commands() override;
  const Command* command_of(const KeyPress& press) const override { return keys_.find(press); }
  void act(ShellEdit& shell) override;
  void leave(ShellEdit& shell) override;
  bool shown() const override { return session_ || list_shown_; }
  bool shows_list() const override { return list_shown_; }
  void build(const Area& area, ShellEdit& shell) override;
  void overlays(ImDrawList& list) override;
  Area ring() const override { return ring_.value_or(Area{}); }
  void add_state(nlohmann::ordered_json& json) override;

  /// Starts a lesson, in place of a current one; its first scene is set in the next frame.
  void play(Lesson lesson);
  /// Goes to the next step, like Ctrl →.
  void next() { ++requests_.step; }
  /// Called when the window ends. As LearningProgress::finish().
  std::string finish() { return progress_.finish(); }
  /// The current report.
  ReportValues values() { return host_->values(); }

 private:
  void start(const std::string& name);
  void reload();
  void close();
  void answer();
  void enter_step();
  void refresh();
  void note_progress();
  bool press_in_list(const KeyPress& press);
  bool press_answer(const KeyPress& press);
  void type(char sign);
  void pick(std::size_t choice);
  bool asks_for(Question::Kind kind) const;
  const LessonListEntry* next_lesson() const;
  void select_next_lesson();

  std::unique_ptr<LessonWindowHost> host_;
  ReportFields fields_;
  ControlMarks& marks_;
  Shortcuts<LessonRequests> keys_;  ///< commands of a step, then one for each lesson
  std::size_t step_commands_;
  std::vector<LessonListEntry> listed_;
  std::vector<std::string> labels_;  ///< of listed_, in menus
  LearningProgress progress_{"lesson"};
  bool list_shown_ = false;
  bool built_ = false;      ///< the strip was built in this frame
  bool was_built_ = false;  ///< the strip was built in the last frame
  std::optional<LessonSession> session_;
  LessonRequests requests_;
  LessonPanelState panel_;
  ReportValues values_;  ///< the report, updated several times per second
  std::chrono::steady_clock::time_point values_updated_at_;
  std::optional<std::string> changed_;  ///< settings that differ from the step's scene, updated with values_
  int frames_in_step_ = 0;              ///< since its scene was set
  int frames_missing_ = 0;              ///< consecutive frames in which the highlighted control was not drawn
  std::optional<Area> ring_;
  bool side_panel_folded_ = false;  ///< the ring is then around the button that unfolds it
  bool start_shown_ = false;
  std::string message_;
};

}  // namespace loom::app::lessons
