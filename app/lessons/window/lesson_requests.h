#pragma once

#include <cstddef>
#include <optional>
#include <string>

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

}  // namespace loom::app::lessons
