#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/lessons/expression.h"
#include "app/widgets/control.h"

namespace loom::app::lessons {

/// One setting of a scene as the file has it: the name of an option of the command line and what would be
/// typed after it; nothing for an option that takes no value.
struct SceneWord {
  std::string key;
  std::optional<std::string> value;
  std::size_t line = 0;
  friend bool operator==(const SceneWord&, const SceneWord&) = default;
};
/// All settings of a scene; what it does not name is as the command line has it without that option.
struct SceneWords {
  std::vector<SceneWord> words;
  std::size_t line = 0;  ///< where the table begins
};

/// A text with {=expression} in it; see FilledText.
struct LessonText {
  std::string text;
  std::size_t line = 0;
};

/// What a student is asked. The right answer is always an expression over the report.
struct Question {
  enum class Kind {
    kNumber,  ///< a number is typed
    kChoice,  ///< one of several is picked
    kCell,    ///< a point of the picture is pinned by a click
  };
  Kind kind = Kind::kNumber;
  LessonText ask;
  /// Of a number: the number. Of a choice: the number of the right one, from 1, or its text. Of a cell:
  /// whether the pinned point is right.
  std::string answer;
  std::size_t answer_line = 0;
  double tolerance = 0;             ///< of a number: this share of it is allowed either way
  std::string unit;                 ///< of a number: printed after the field
  std::vector<LessonText> choices;  ///< of a choice: 2 to 4
  std::string shown;   ///< of a choice: the expression that is shown with it; the answer's if empty
  std::string cell_x;  ///< of a cell: the expressions of one point that is right
  std::string cell_y;
  std::size_t cell_line = 0;
  LessonText hint;   ///< after the first wrong answer, or when it is asked for
  LessonText after;  ///< once the answer is right; may be empty
  std::size_t line = 0;
};

struct LessonStep {
  std::string title;
  LessonText text;
  SceneWords scene;  ///< the lesson's, with this step's over it
  std::optional<Control> highlight;
  std::size_t highlight_line = 0;
  std::optional<Question> question;
  std::size_t line = 0;
};

struct Lesson {
  std::string name;  ///< of a bundled one; empty: it is of a file
  std::string file;  ///< for complaints, and to read it again
  bool is_file() const { return name.empty(); }
  std::string title;
  std::string summary;  ///< one sentence for the list
  std::vector<LessonStep> steps;
};

}  // namespace loom::app::lessons
