#pragma once

#include <string>
#include <vector>

#include "app/lessons/report_values.h"
#include "app/report/report_value.h"
#include "compute/core/error.h"

namespace loom::app::lessons {

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

}  // namespace loom::app::lessons
