#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson.h"

namespace loom::app::lessons {

/// A lesson that comes with the program, as its file's text.
struct BundledLesson {
  std::string_view name;
  std::string_view text;
};
/// In the order of a course.
const std::vector<BundledLesson>& bundled_lessons();

/// The bundled lesson of this name, else the lesson of this file. Throws as parse_lesson().
Lesson find_lesson(const std::string& name_or_file, const ReportFields& fields,
                   const CheckScene& check_scene);

}  // namespace loom::app::lessons
