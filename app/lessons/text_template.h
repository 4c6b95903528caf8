#pragma once

#include <string>
#include <vector>

#include "app/lessons/expression.h"

namespace loom::app::lessons {

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
