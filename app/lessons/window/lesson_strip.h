#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/lessons/play.h"
#include "app/lessons/window/lesson_list.h"
#include "app/lessons/window/lesson_panel.h"
#include "app/lessons/window/window_stage.h"
#include "app/shell/strip.h"
#include "app/widgets/control_marks.h"

namespace loom::app::lessons {

/// The lessons in the strip: their list, or one that is played.
class LessonStrip final : public Strip {
 public:
  /// `marks` must outlive it.
  LessonStrip(std::unique_ptr<WindowStage> stage, ControlMarks& marks);

  void begin(ShellEdit& shell) override;
  bool press(const KeyPress& press) override;
  std::span<const KeyHelp> keys() const override;
  void act(ShellEdit& shell) override;
  bool shown() const override { return play_ || list_shown_; }
  void build(const Area& area, ShellEdit& shell) override;
  void overlays(ImDrawList& list) override;
  void add_state(nlohmann::ordered_json& json) override;

  /// Plays a lesson, in place of one that is played; the next frame has its first scene.
  void play(Lesson lesson);
  /// The next step, as Ctrl and the right arrow do.
  void next() { ++wishes_.step; }
  /// The report of the moment.
  Figures figures() { return stage_->figures(); }
  /// The list of lessons, or away with it.
  void show_list(bool shown) { list_shown_ = shown; }

 private:
  void start(const std::string& name);
  void reload();
  void close();
  void answer();
  void enter_step();
  void refresh();
  bool press_answer(const KeyPress& press);
  void type(char sign);
  void pick(std::size_t choice);
  bool asks_for_number() const;
  const ListedLesson* next_lesson() const;

  std::unique_ptr<WindowStage> stage_;
  ControlMarks& marks_;
  Shortcuts<LessonWishes> keys_;
  std::vector<ListedLesson> listed_;
  bool list_shown_ = false;
  bool built_ = false;     ///< in this frame
  bool in_sight_ = false;  ///< it was built in the last one
  std::optional<Play> play_;
  LessonWishes wishes_;
  LessonPanelState panel_;
  Figures figures_;  ///< of the report, some times a second
  std::chrono::steady_clock::time_point figures_at_;
  std::optional<std::string> changed_;  ///< of the step's scene, likewise
  int frames_in_step_ = 0;              ///< since its scene was asked for
  int frames_missing_ = 0;              ///< in which the control that is looked for was not drawn
  std::optional<Area> ring_;
  std::string message_;
};

}  // namespace loom::app::lessons
