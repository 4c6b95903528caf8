#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/expression.h"

namespace loom::app::lessons {

/// A text with values of the report in it: {=expression} as a number, a text or yes and no, {%=expression} as
/// a percentage, {B=expression} as bytes, {ms=expression} as milliseconds.
class TextTemplate {
 public:
  /// Throws InputError for an invalid expression, and for a brace that is not closed.
  explicit TextTemplate(std::string_view text);

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
  std::vector<Part> parts_;
};

}  // namespace loom::app::lessons
