#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/options/scene_options.h"
#include "app/document/scene/scene.h"
#include "app/lessons/lesson.h"
#include "app/program/program.h"
#include "render/png.h"

namespace loom::app {

/// A step with the values of its scene, and its evaluated question.
struct LessonStepResult {
  std::string title;
  std::string answer;  ///< "threads_launched = 256"; empty without a question
  // With the values of the scene; empty without a question.
  std::string text = {};
  std::string question = {};
  std::vector<std::string> choices = {};
  std::string unit = {};
  std::string after = {};
  render::RgbImage image = {};  ///< of the scene; empty unless requested
};

/// Plays a lesson in the whole program, off screen: each scene is applied and computed, each highlighted
/// control must be visible, each value in a text and each answer must evaluate, and no scene may already
/// answer its question. Throws InputError "FILE:LINE: what is wrong; what is allowed"; MachineError if there
/// is no OpenGL. With images, the panels have the usual text size instead of the largest.
std::vector<LessonStepResult> check_lesson(const lessons::Lesson& lesson, bool with_images = false);

/// Loads the bundled lesson of this name, otherwise a file, and checks what can be checked without the
/// program. Throws InputError.
lessons::Lesson load_lesson(const std::string& name_or_file);

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
