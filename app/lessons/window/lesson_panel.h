#pragma once

#include <map>
#include <string>

#include "app/gui/layout.h"
#include "app/lessons/play.h"
#include "app/lessons/window/lesson_wishes.h"

namespace loom::app::lessons {

inline constexpr int kFramesToVerdict = 3;

/// What the panel remembers between frames.
struct LessonPanelState {
  /// In so many frames the field for a number gets the keyboard, if it is in sight; 0: nothing is to change.
  int to_field = 0;
  /// What was typed while the field did not have the keyboard: it gets it, to be typed on at the end.
  bool types_on = false;
  bool field_active = false;  ///< the field has the keyboard
  bool focus_comes = false;   ///< the field was given the keyboard and does not have it yet
  bool to_top = false;        ///< another step: its text is read from the beginning
  /// An answer was given: what is said about it scrolls into view. ImGui knows how long the content is a
  /// frame later.
  int to_verdict = 0;
  std::map<std::string, Area> places;  ///< of buttons and fields, by name
};

/// A step of a lesson with its question, over `area`: text at the left, question at the right where there is
/// room for both, else one below the other. `changed`: what of the step's scene is otherwise now. `message`:
/// why the file could not be read again. `next`: the lesson that comes after this one; null: there is none.
void lesson_panel(const Area& area, Play& play, const ListedLesson* next, const Figures& figures,
                  const std::string& changed, const std::string& message, LessonPanelState& state,
                  LessonWishes& wishes);

/// Begins and ends the window of the strip.
void begin_strip(const Area& area);
void end_strip();

/// A button that is remembered under a name.
bool strip_button(const char* name, const std::string& label, LessonPanelState& state,
                  const std::string& hint, bool chosen = false, const std::string& why_not = {});

}  // namespace loom::app::lessons
