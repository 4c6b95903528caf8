#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/lessons/lesson.h"

namespace loom::app::lessons {

inline constexpr std::size_t kMostSteps = 12;
inline constexpr std::size_t kMostChoices = 4;

/// Looks at a scene as the program would take it. Throws InputError that says what is wrong and what is
/// allowed.
using CheckScene = std::function<void(const SceneWords&)>;

/// Reads a lesson: title, summary, [scene], and [[step]] tables with text, title, highlight, [step.scene] and
/// [step.question]; docs/reference/file-formats.md has the rest. All that can be said without a running
/// program is checked: scenes by `check_scene`, controls, expressions and their fields. Throws InputError,
/// "FILE:LINE: what is wrong; what is allowed".
Lesson parse_lesson(std::string_view text, const std::string& file, const CheckScene& check_scene);

/// Of a file. Throws InputError likewise, and where the file cannot be read.
Lesson read_lesson_file(const std::string& path, const CheckScene& check_scene);

/// "FILE:LINE: what"
InputError at_line(const Lesson& lesson, std::size_t line, std::string_view what);

/// The same scene without its word number `word`.
SceneWords without(const SceneWords& scene, std::size_t word);

}  // namespace loom::app::lessons
