#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/figures.h"
#include "compute/core/error.h"

namespace loom::app::lessons {

/// A field that an expression needs is not known at the moment: no thread is explained, no pane is there, no
/// generation was measured.
class MissingField : public InputError {
 public:
  using InputError::InputError;
};

/// An expression over the fields of the report: + - * / ^, comparisons, and, or, not(), condition ? a : b,
/// floor, round, mod, min, max, abs, sqrt, log, log2, texts in quotation marks. Doubles throughout: sums,
/// differences and products of whole numbers are exact up to 2^53, beyond which no value is given.
class Expression {
 public:
  enum class Fields { kReport, kNone };

  /// Throws InputError, "'TEXT' does not evaluate: why; allowed: ...", for what is no expression, for a field
  /// that the report does not have, and for operands of the wrong kind. `fields`: kNone for what a student
  /// types.
  explicit Expression(std::string text, Fields fields = Fields::kReport);

  const std::string& text() const { return text_; }
  /// The fields that it names, each once, in order.
  const std::vector<std::string>& fields() const { return fields_; }
  /// What kind of value it gives, as far as the kinds of its fields say.
  bool gives_number() const { return std::holds_alternative<double>(sample_); }
  bool gives_truth() const { return std::holds_alternative<bool>(sample_); }

  /// Throws MissingField, and InputError where there is no value: a division by zero, a number beyond 2^53.
  FieldValue value(const Figures& figures) const;
  /// "256 − 81": the expression with the values put in. Throws MissingField.
  std::string with_values(const Figures& figures) const;
  /// "threads_launched − cells": as it is shown.
  std::string pretty() const;

 private:
  std::string text_;
  std::vector<std::string> fields_;
  FieldValue sample_;
};

}  // namespace loom::app::lessons
