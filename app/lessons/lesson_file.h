#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/lessons/lesson.h"

namespace loom::app::lessons {

inline constexpr std::size_t kMaxSteps = 12;
inline constexpr std::size_t kMaxChoices = 4;

/// Checks that the program accepts a scene. Throws InputError that says what is wrong and what is allowed.
using CheckScene = std::function<void(const SceneSettingList&)>;

/// Reads a lesson: title, summary, [scene], and [[step]] tables with text, title, highlight, [step.scene] and
/// [step.question]; see docs/reference/file-formats.md. Checks everything that needs no running program:
/// scenes with `check_scene`, controls, expressions and their fields, which are some of `fields`. Throws
/// InputError, "FILE:LINE: what is wrong; what is allowed".
Lesson parse_lesson(std::string_view text, const std::string& file, const ReportFields& fields,
                    const CheckScene& check_scene);

/// Reads a lesson from a file. Throws as parse_lesson(), and InputError if the file cannot be read.
Lesson read_lesson_file(const std::string& path, const ReportFields& fields, const CheckScene& check_scene);

/// "FILE:LINE: what"
InputError at_line(const Lesson& lesson, std::size_t line, std::string_view what);

/// The scene without its setting number `word`.
SceneSettingList without(const SceneSettingList& scene, std::size_t word);

}  // namespace loom::app::lessons
