#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/layout.h"
#include "app/lessons/lesson.h"
#include "app/shell/dock.h"
#include "app/shell/shell_settings.h"
#include "app/tasks/learning_progress.h"
#include "app/widgets/control_marks.h"

namespace loom::app::lessons {

/// An entry of the list of lessons.
struct LessonListEntry {
  std::string name;
  std::string title;
  std::string summary;
  int minutes = 0;  ///< estimated; 0: unknown
  bool in_short_course = false;
  std::size_t questions = 0;
  std::size_t solved = 0;  ///< questions answered correctly, in earlier starts too
};

/// Requests of keys and buttons, until LessonStrip::act() processes them.
struct LessonRequests {
  int step = 0;  ///< steps forward (+) or back (-)
  bool answer = false;
  std::optional<std::size_t> choose;
  bool hint = false;
  bool show_answer = false;
  bool hide_answer = false;
  bool toggle_answer = false;  ///< show or hide the answer
  bool toggle_text = false;    ///< lecture mode: show or hide the whole text of the step
  bool toggle_lecture = false;
  bool space = false;  ///< Space was typed before a number: it pauses and plays as elsewhere
  bool reset_scene = false;
  bool reload = false;  ///< read the lesson's file again
  bool list = false;    ///< show or hide the list
  bool close = false;   ///< end the lesson, or close the list
  bool clear_progress = false;
  std::optional<std::string> start;
};

inline constexpr int kFramesToVerdict = 3;

/// State of the panel between frames.
struct LessonPanelState {
  /// Number of frames until the field for a number gets the keyboard focus, if it is visible; 0: no change.
  int to_field = 0;
  /// Text was typed while the field did not have the focus: it gets the focus, with the cursor at the end.
  bool append_typed = false;
  bool field_active = false;  ///< the field has the keyboard focus
  bool focus_comes = false;   ///< the field was given the keyboard focus and does not have it yet
  bool to_top = false;        ///< another step was entered: scroll to the beginning of its text
  /// Number of frames in which the verdict on an answer scrolls into view: ImGui knows the length of the
  /// content one frame later.
  int to_verdict = 0;
  bool whole_text = false;            ///< lecture mode: the whole text is shown
  std::size_t selected = 0;           ///< by keys, in the list of lessons
  std::size_t list_rows = 1;          ///< of that list
  std::map<std::string, Area> areas;  ///< areas of buttons and fields, by name
};

/// A step of a lesson with its question, over `area`: text on the left and question on the right if there is
/// room for both, else one below the other. `changed`: the settings that differ from the step's scene.
/// `message`: why the file could not be read again. `next`: the next lesson of the list, or null.
void lesson_panel(const Area& area, LessonSession& session, const LessonListEntry* next,
                  const ReportValues& values, const std::string& changed, const std::string& message,
                  LessonPanelState& state, LessonRequests& requests);

/// The same for lecture mode, in a few lines of large text: the question or the verdict, and the answer. On
/// request, lesson_panel() with the whole text takes its place.
void lecture_panel(const Area& area, LessonSession& session, const LessonListEntry* next,
                   const ReportValues& values, LessonPanelState& state, LessonRequests& requests);

/// Begin and end the window of the strip.
void begin_strip(const Area& area);
void end_strip();

/// A button whose area is stored under a name in `state`.
bool strip_button(const char* name, const std::string& label, LessonPanelState& state,
                  const std::string& hint, bool chosen = false, const std::string& disabled_reason = {});

/// The list of lessons, over `area`. `plays`: a lesson is open, and the list offers to return to it.
void lesson_list(const Area& area, const std::vector<LessonListEntry>& lessons, bool plays,
                 const std::string& message, LessonPanelState& state, LessonRequests& requests);

/// The keys of an open lesson.
Shortcuts<LessonRequests> lesson_shortcuts();

/// Lessons in the strip: the list of lessons, or a lesson in progress.
class LessonStrip final : public Strip {
 public:
  /// `fields`: those that lessons may use. `marks` must outlive the strip.
  LessonStrip(std::unique_ptr<LessonHost> host, ReportFields fields, ControlMarks& marks);

  void begin(ShellEdit& shell) override;
  bool press(const KeyPress& press) override;
  CommandSource commands() override;
  const Command* command_of(const KeyPress& press) const override { return keys_.find(press); }
  void act(ShellEdit& shell) override;
  void leave(ShellEdit& shell) override;
  bool shown() const override { return session_ || list_shown_; }
  bool shows_list() const override { return list_shown_; }
  bool is_brief() const override { return session_ && !panel_.whole_text; }
  bool take_space() override { return std::exchange(requests_.space, false); }
  void build(const Area& area, ShellEdit& shell) override;
  void overlays(ImDrawList& list, bool is_covered) override;
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

  std::unique_ptr<LessonHost> host_;
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
  std::string message_;
};

}  // namespace loom::app::lessons
