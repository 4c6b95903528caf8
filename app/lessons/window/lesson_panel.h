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
  bool focus_field = false;  ///< the field for a number is to be typed into
  bool to_top = false;       ///< another step: its text is read from the beginning
  /// An answer was given: what is said about it scrolls into view. ImGui knows how long the content is a
  /// frame later.
  int to_verdict = 0;
  std::map<std::string, Area> places;  ///< of buttons and fields, by name
};

/// A step of a lesson with its question, over `area`: text at the left, question at the right where there is
/// room for both, else one below the other. `changed`: what of the step's scene is otherwise now. `message`:
/// why the file could not be read again.
void lesson_panel(const Area& area, Play& play, const Figures& figures, const std::string& changed,
                  const std::string& message, LessonPanelState& state, LessonWishes& wishes);

/// Begins and ends the window of the strip.
void begin_strip(const Area& area);
void end_strip();

/// A button that is remembered under a name.
bool strip_button(const char* name, const std::string& label, LessonPanelState& state,
                  const std::string& hint, bool chosen = false, const std::string& why_not = {});

}  // namespace loom::app::lessons
