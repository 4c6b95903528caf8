#pragma once

#include <cstdint>
#include <optional>

#include "app/cli/options/scene_options.h"
#include "app/document/scene/scene.h"
#include "app/lessons/lesson.h"
#include "app/program/program.h"

namespace loom::app {

/// The settings of a scene in a lesson.
struct LessonScene {
  ProgramSettings settings;
  std::uint32_t steps = 0;  ///< generations before the student sees it
};

/// Reads a scene as the command line reads its options, with the same names, values and defaults, except for
/// what depends on machine or user (backend, window size, text size). A scene is paused unless it contains
/// "play". Throws InputError with what is allowed.
LessonScene read_lesson_scene(const lessons::SceneSettingList& entries);

/// The scene of --open; empty if it was not typed. Throws as scene::read_file(), CapacityError if the
/// selected backend has not enough memory for its cells.
std::optional<scene::Scene> open_scene(const SceneOptions& options);

}  // namespace loom::app
