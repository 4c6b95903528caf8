#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace loom::app::lessons {

/// A lesson that can be chosen.
struct ListedLesson {
  std::string name;
  std::string title;
  std::string summary;
};

/// What keys and buttons ask of the lessons, until it is done.
struct LessonWishes {
  int step = 0;  ///< steps onwards (+) or back (-)
  bool answer = false;
  std::optional<std::size_t> choose;
  bool hint = false;
  bool show_answer = false;
  bool reset_scene = false;
  bool reload = false;  ///< read the lesson's file again
  bool list = false;    ///< the list, or back from it
  bool close = false;   ///< the lesson ends, or the list goes
  std::optional<std::string> start;
};

}  // namespace loom::app::lessons
