#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/expression.h"
#include "app/widgets/control.h"

namespace loom::app::lessons {

/// One setting of a scene as in the file: the name of an option of the command line and its value; no value
/// for a flag.
struct SceneSetting {
  std::string key;
  std::optional<std::string> value;
  std::size_t line = 0;
  friend bool operator==(const SceneSetting&, const SceneSetting&) = default;
};
/// All settings of a scene. A setting that is not named has the default of the command line.
struct SceneSettingList {
  std::vector<SceneSetting> entries;
  std::size_t line = 0;  ///< where the table begins
};

struct LessonText {
  TextTemplate text;
  std::size_t line = 0;
};

/// A question to the student. The correct answer is always an expression over the report.
struct Question {
  enum class Kind {
    kNumber,  ///< a number is typed
    kChoice,  ///< one of several choices is selected
    kCell,    ///< a point in the picture is pinned by a click
    kCode,    ///< a thread map is written that passes an exercise
  };
  Kind kind = Kind::kNumber;
  LessonText ask;
  /// kNumber: the number. kChoice: the number of the correct choice, from 1, or its text. kCell: whether the
  /// pinned point is correct. kCode: whether the code passed.
  Expression answer;
  std::size_t answer_line = 0;
  double tolerance = 0;             ///< kNumber: allowed deviation, relative to the answer
  std::string unit;                 ///< kNumber: printed after the field
  std::vector<LessonText> choices;  ///< kChoice: 2 to 4
  Expression shown;                 ///< kChoice: what is shown with it; empty for the answer
  Expression cell_x;                ///< kCell: one correct point
  Expression cell_y;
  std::size_t cell_line = 0;
  LessonText hint;   ///< shown after the first wrong answer, or on request
  LessonText after;  ///< shown after the correct answer; may be empty
  std::size_t line = 0;
};

struct LessonStep {
  std::string title;
  LessonText text;
  SceneSettingList scene;  ///< the settings of the lesson, overridden by those of the step
  std::optional<Control> highlight;
  std::size_t highlight_line = 0;
  /// What the question asks for: not shown until it is answered. Only Control::kLambda.
  std::optional<Control> hide;
  std::optional<Question> question;
  std::size_t line = 0;
};

struct Lesson {
  std::string name;  ///< of a bundled lesson; empty for a lesson from a file
  std::string file;  ///< for error messages, and to read it again
  bool is_file() const { return name.empty(); }
  std::string title;
  std::string summary;           ///< one sentence for the list
  int minutes = 0;               ///< how long it takes in class, estimated; 0: not given
  bool in_short_course = false;  ///< part of the course of about 45 minutes
  std::vector<LessonStep> steps;
};

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
