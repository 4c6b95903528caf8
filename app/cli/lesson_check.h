#pragma once

#include <string>
#include <vector>

#include "app/lessons/lesson.h"

namespace loom::app {

/// What a step's question comes to in the program.
struct CheckedStep {
  std::string title;
  std::string answer;  ///< "threads_launched = 256"; empty without a question
};

/// Plays a lesson in the whole program, off screen: each scene is set and computed, what is highlighted must
/// be drawn, each value in a text and each answer must evaluate, and no question may be answered by its own
/// scene. Throws InputError, "FILE:LINE: what is wrong; what is allowed"; MachineError where there is no
/// OpenGL.
std::vector<CheckedStep> check_lesson(const lessons::Lesson& lesson);

/// The bundled lesson of this name, else the lesson of a file, as far as it can be checked without the
/// program. Throws InputError.
lessons::Lesson load_lesson(const std::string& name_or_file);

}  // namespace loom::app
