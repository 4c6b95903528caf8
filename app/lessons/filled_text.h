#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/expression.h"

namespace loom::app::lessons {

/// A text with values of the report in it: {=expression} as a number, a text or yes and no, {%=expression} as
/// a share in per cent, {B=expression} as bytes, {ms=expression} as milliseconds.
class FilledText {
 public:
  /// Throws InputError for what is no expression, and for a brace that is not closed.
  explicit FilledText(std::string_view text);

  /// The text with its values; one that is not known is "…". Never throws for figures.
  std::string with(const Figures& figures) const;
  /// Throws InputError, as Expression::value() does, where a value is missing.
  void check(const Figures& figures) const;

 private:
  struct Part {
    std::string text;
    std::vector<Expression> expression;  ///< none or one: then `text` says how it is written
  };
  std::vector<Part> parts_;
};

}  // namespace loom::app::lessons
