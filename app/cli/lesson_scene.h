#pragma once

#include <cstdint>

#include "app/cli/program.h"
#include "app/lessons/lesson.h"

namespace loom::app {

/// What a scene of a lesson comes to.
struct LessonScene {
  ProgramSettings settings;
  std::uint32_t steps = 0;  ///< generations before the student sees it
};

/// Reads the words of a scene as the command line reads its options, with the same names, values and
/// defaults; what the machine or the person in front of it decides (backend, size, text size) is left out.
/// A scene stands still unless it says "play". Throws InputError, one line with what is allowed.
LessonScene read_lesson_scene(const lessons::SceneWords& words);

}  // namespace loom::app
