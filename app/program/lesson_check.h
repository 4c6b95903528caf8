#pragma once

#include <string>
#include <vector>

#include "app/lessons/lesson.h"

namespace loom::app {

/// The evaluated question of a step.
struct LessonStepResult {
  std::string title;
  std::string answer;  ///< "threads_launched = 256"; empty without a question
};

/// Plays a lesson in the whole program, off screen: each scene is applied and computed, each highlighted
/// control must be visible, each value in a text and each answer must evaluate, and no scene may already
/// answer its question. Throws InputError "FILE:LINE: what is wrong; what is allowed"; MachineError if there
/// is no OpenGL.
std::vector<LessonStepResult> check_lesson(const lessons::Lesson& lesson);

/// Loads the bundled lesson of this name, otherwise a file, and checks what can be checked without the
/// program. Throws InputError.
lessons::Lesson load_lesson(const std::string& name_or_file);

}  // namespace loom::app
