#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "app/gui/layout.h"
#include "app/lessons/lesson_session.h"

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
  bool whole_text = false;            ///< lecture mode: the whole text is shown over the picture
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

/// The same for lecture mode, in three lines of large text: the question or the verdict, and the answer. The
/// whole text of the step is shown below the strip, over the picture, on request.
void lecture_panel(const Area& area, LessonSession& session, const LessonListEntry* next,
                   const ReportValues& values, LessonPanelState& state, LessonRequests& requests);

/// Begin and end the window of the strip.
void begin_strip(const Area& area);
void end_strip();

/// A button whose area is stored under a name in `state`.
bool strip_button(const char* name, const std::string& label, LessonPanelState& state,
                  const std::string& hint, bool chosen = false, const std::string& disabled_reason = {});

}  // namespace loom::app::lessons
