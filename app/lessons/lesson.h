#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/report/report_value.h"
#include "app/widgets/control.h"
#include "compute/core/error.h"

namespace loom::app {
struct ShellEdit;
}

namespace loom::app::lessons {

/// The field with this name, which has numbers in place of #; null if there is none.
const ReportField* find_report_field(const ReportFields& fields, std::string_view name);

/// The names of the group of `name`, which is the part up to its last point, as a list "tiles_launched,
/// tiles_occupied, ..."; all names if there is no such group.
std::string allowed_fields(const ReportFields& fields, std::string_view name);

/// The value of a field of the report. Numbers are doubles: integers are exact up to 2^53.
using FieldValue = std::variant<double, bool, std::string>;

inline constexpr double kMaxExactInteger = 9007199254740992.0;  ///< 2^53

/// The report as a table of fields. A field without a value is missing.
struct ReportValues {
  std::map<std::string, FieldValue, std::less<>> known;
  /// Integers beyond 2^53. An expression cannot use them, because they would be rounded.
  std::map<std::string, std::string, std::less<>> too_large;
};

/// The report of the program (Application::state()) as fields: members of members are joined by a point, the
/// n-th element of an array `name` is called name<n>, counted from 1, and null is left out. Two names are
/// shortened: `explained` is `thread`, and the secondary panes are pane2, pane3, pane4.
ReportValues values_of_report(const nlohmann::ordered_json& report);

/// A value as lessons print it: 6 561, 0.3125, yes, lambda. Fractions have four significant digits.
std::string text_of(const FieldValue& value);
std::string text_of(double number);

/// A field of an expression has no value at the moment: no thread is pinned, the pane does not exist, or no
/// generation was timed yet.
class MissingField : public InputError {
 public:
  using InputError::InputError;
};

/// An expression over the fields of the report: + - * / ^, comparisons, and, or, not(), condition ? a : b,
/// floor, round, mod, min, max, abs, sqrt, log, log2, texts in quotation marks. All numbers are doubles:
/// sums, differences and products of integers are exact up to 2^53; a result beyond that is an error.
class Expression {
 public:
  /// Empty, without a value.
  Expression() = default;
  /// Throws InputError, "'TEXT' does not evaluate: why; allowed: ...", for a syntax error, for a field that
  /// is not one of `fields`, and for operands of the wrong kind. A student's input has no fields.
  Expression(std::string text, const ReportFields& fields);

  const std::string& text() const { return text_; }
  /// The fields that it uses, each once, in order.
  const std::vector<std::string>& fields() const { return fields_; }
  /// The kind of its value, derived from the kinds of its fields.
  bool gives_number() const { return std::holds_alternative<double>(sample_); }
  bool gives_boolean() const { return std::holds_alternative<bool>(sample_); }

  /// Throws MissingField, and InputError if there is no value: a division by zero, a number beyond 2^53.
  FieldValue value(const ReportValues& values) const;
  /// The expression with values instead of fields: "256 − 81". Throws MissingField.
  std::string with_values(const ReportValues& values) const;
  /// The expression as it is shown: "threads launched − cells".
  std::string pretty() const;

 private:
  std::string text_;
  std::vector<std::string> fields_;
  FieldValue sample_;
};

/// A text with values of the report in it: {=expression} as a number, a text or yes and no, {%=expression} as
/// a percentage, {B=expression} as bytes, {ms=expression} as milliseconds.
class TextTemplate {
 public:
  TextTemplate() = default;
  /// Throws InputError for an invalid expression, and for a brace that is not closed.
  TextTemplate(std::string source, const ReportFields& fields);

  /// As it was written.
  const std::string& source() const { return source_; }
  bool empty() const { return source_.empty(); }

  /// The text with its values, or "…" for a missing value. Does not throw for missing values.
  std::string with(const ReportValues& values) const;
  /// Throws InputError, as Expression::value() does, if a value is missing.
  void check(const ReportValues& values) const;

 private:
  struct Part {
    std::string text;
    std::vector<Expression>
        expression;  ///< none or one; with one, `text` is its opening, which gives the format
  };
  std::string source_;
  std::vector<Part> parts_;
};

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

/// Whether a typed number equals the answer within the tolerance. The text may be a sum, "3^4 - 1", and may
/// have blanks between digits. Throws InputError if it is not a number, and as Expression::value() does.
bool is_right_number(const Question& question, std::string_view typed, const ReportValues& values);

/// The correct choice, from 0. Throws InputError if the answer is none of the choices, and as above.
std::size_t right_choice(const Question& question, const ReportValues& values);

/// Whether the pinned point is correct. It is not if a field has no value, for example because no thread is
/// launched there. Throws InputError.
bool is_right_cell(const Question& question, const ReportValues& values);
/// Whether the code in the window passes its exercise.
bool is_right_code(const Question& question, const ReportValues& values);
/// One correct point. Throws InputError if the expressions give a point outside the square.
struct GridPoint {
  std::uint64_t x = 0;
  std::uint64_t y = 0;
};
GridPoint right_cell(const Question& question, const ReportValues& values);

/// The answer and how it is computed: "threads_launched − cells = 256 − 81 = 175". Throws as above.
std::string shown_answer(const Question& question, const ReportValues& values);
/// The answer of a number in the scene's values, "16 × 16 = 256 threads", or the right choice; empty for
/// other questions. Throws InputError as shown_answer() does.
std::string answer_in_values(const Question& question, const ReportValues& values);

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

/// The state of a host, which only the host can read.
struct SceneSnapshot {
  virtual ~SceneSnapshot() = default;
};

/// Where lessons are played: the window with its workspaces.
class LessonHost {
 public:
  virtual ~LessonHost() = default;
  /// The whole current scene, including the user's cells.
  virtual std::shared_ptr<const SceneSnapshot> take_snapshot() = 0;
  virtual void restore_snapshot(const SceneSnapshot& state) = 0;
  /// Replaces the current scene by one of a lesson, which was checked when the lesson was read.
  virtual void set(const SceneSettingList& scene) = 0;
  // For the strip, in a window.
  /// Begins a frame: applies the scene's settings of the shell.
  virtual void begin(ShellEdit&) {}
  /// The current report of the program.
  virtual ReportValues values() { return {}; }
  /// Checks that set() accepts a scene; see CheckScene.
  virtual void check(const SceneSettingList&) const {}
  /// Names of the settings that differ from a scene; empty if there are none.
  virtual std::string changed(const SceneSettingList&) { return {}; }
};

/// A student's progress with a question.
struct QuestionProgress {
  int wrong = 0;                      ///< number of wrong answers
  bool is_correct = false;            ///< the last answer was correct
  bool has_verdict = false;           ///< the verdict on the last answer still holds
  bool hint = false;                  ///< the hint is shown
  bool shown = false;                 ///< the answer was requested, and is shown
  bool solved_before = false;         ///< when the step was entered
  std::string typed;                  ///< the text in the field
  std::optional<std::size_t> picked;  ///< the selected choice
  std::string feedback;               ///< why the last answer could not be checked
  /// The report at the time of the correct or shown answer, which the text after it refers to.
  std::optional<ReportValues> values;
};

/// A lesson in progress: the current step, the progress with each question, and the scenes. The scene of a
/// step is set when the step is entered for the first time. The student's changes are stored per step and
/// restored when the step is entered again. The scene from before the lesson is restored by end().
class LessonSession {
 public:
  /// Begins with the first step. `host` must outlive it. `before`: the scene that end() restores; null for
  /// the current one. A lesson that replaces another passes that lesson's before().
  LessonSession(Lesson lesson, LessonHost& host, std::shared_ptr<const SceneSnapshot> before = nullptr);
  const std::shared_ptr<const SceneSnapshot>& before() const { return scene_before_; }

  const Lesson& lesson() const { return lesson_; }
  std::size_t at() const { return at_; }
  const LessonStep& step() const { return lesson_.steps[at_]; }
  QuestionProgress& progress() { return progress_[at_]; }
  const QuestionProgress& progress() const { return progress_[at_]; }
  bool first() const { return at_ == 0; }
  bool last() const { return at_ + 1 == lesson_.steps.size(); }
  /// Whether the question of this step is still open.
  bool awaits_answer() const { return step().question && !progress().is_correct && !progress().shown; }
  /// Whether this is the last step and its question is not open.
  bool complete() const { return last() && !awaits_answer(); }
  /// Number of questions of the lesson, and of those answered correctly.
  std::size_t questions() const;
  std::size_t answered() const;

  /// To the next or the previous step; no effect if there is none.
  void next();
  void back();
  void go_to(std::size_t step);
  /// Restores the scene of the step and discards the student's changes.
  void reset_scene();
  /// Restores the scene from before the lesson.
  void end();

  // Answers are checked against the current report. If that fails, progress().feedback has the reason.
  void answer_number(const ReportValues& values);
  void answer_choice(std::size_t choice, const ReportValues& values);
  void answer_cell(const ReportValues& values);
  void answer_code(const ReportValues& values);
  void show_hint() { progress().hint = true; }
  void show_answer(const ReportValues& values);
  void hide_answer() { progress().shown = false; }
  /// Clears the verdict on the last answer, for another one.
  void clear_verdict();
  /// Another point was pinned: clears a verdict that was not correct. The point is no answer until it is
  /// checked.
  void on_pin_changed();

 private:
  void enter(std::size_t step);
  void judge(const ReportValues& values, const std::function<bool()>& is_right);

  Lesson lesson_;
  LessonHost& host_;
  std::size_t at_ = 0;
  std::shared_ptr<const SceneSnapshot> scene_before_;               ///< the scene from before the lesson
  std::vector<std::shared_ptr<const SceneSnapshot>> saved_scenes_;  ///< of each step that was left
  std::vector<QuestionProgress> progress_;
};

}  // namespace loom::app::lessons
