#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>
#include <vector>

#include "app/lessons/lesson.h"

namespace loom::app::lessons {
namespace {

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

/// The text as an expression: without blanks, with a point for a decimal comma, and ASCII operators.
std::string plain_number(std::string_view typed) {
  std::string text(typed);
  replace_all(text, "\u00a0", "");
  replace_all(text, " ", "");
  replace_all(text, "−", "-");
  replace_all(text, "×", "*");
  replace_all(text, "·", "*");
  replace_all(text, ",", ".");
  const auto is_digit = [&](std::size_t at) {
    return std::isdigit(static_cast<unsigned char>(text[at])) != 0;
  };
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == 'x' && is_digit(i - 1) && is_digit(i + 1)) text[i] = '*';  // "16 x 16"
  }
  return text;
}

/// Removes the unit, which is printed after the field anyway: "175 threads", "61 %".
std::string_view without_unit(std::string_view typed, std::string_view unit) {
  const auto trim = [&] {
    while (typed.ends_with(' ')) typed.remove_suffix(1);
  };
  trim();
  if (unit.empty() || !typed.ends_with(unit)) return typed;
  typed.remove_suffix(unit.size());
  trim();
  return typed;
}

/// Whether the commas separate thousands, as in 1,024 and 262,144.
bool is_in_thousands(std::string_view typed) {
  const std::size_t first = typed.find(',');
  if (first == std::string_view::npos || first == 0 || first > 3 || typed[0] == '0') return false;
  for (std::size_t i = 0; i < typed.size(); ++i) {
    const bool comma = i >= first && (i - first) % 4 == 0;
    if (comma ? typed[i] != ',' : typed[i] < '0' || typed[i] > '9') return false;
  }
  return (typed.size() - first) % 4 == 0;
}

std::uint64_t coordinate(const Expression& expression, const ReportValues& values, const char* extent) {
  const FieldValue value = expression.value(values);
  const auto* number = std::get_if<double>(&value);
  const auto size = values.known.find(extent);
  const double end = size == values.known.end() ? 0 : std::get<double>(size->second);
  if (number == nullptr || *number != std::floor(*number) || !(*number >= 0 && *number < end)) {
    throw InputError(
        fmt::format("'{}' gives {}, which is outside the square; allowed: a whole number from 0 to {}",
                    expression.text(), text_of(value), text_of(end - 1)));
  }
  return static_cast<std::uint64_t>(*number);
}

}  // namespace

bool is_right_number(const Question& question, std::string_view typed, const ReportValues& values) {
  typed = without_unit(typed, question.unit);
  if (!typed.empty() && std::isalpha(static_cast<unsigned char>(typed.back())))
    throw InputError(fmt::format("'{}' is not a number", typed));
  const auto number_of = [&](const std::string& text) {
    const FieldValue given = Expression(text, {}).value({});
    const auto* number = std::get_if<double>(&given);
    if (number == nullptr) throw InputError(fmt::format("'{}' is not a number", typed));
    return *number;
  };
  std::vector<double> readings;
  const auto commas = std::count(typed.begin(), typed.end(), ',');
  if (is_in_thousands(typed)) {
    std::string digits(typed);
    replace_all(digits, ",", "");
    readings.push_back(number_of(digits));
  }
  if (readings.empty() || commas == 1) readings.push_back(number_of(plain_number(typed)));
  const FieldValue right = question.answer.value(values);
  const auto* wanted = std::get_if<double>(&right);
  if (wanted == nullptr)
    throw InputError(
        fmt::format("the answer '{}' is not a number; allowed: an expression that gives a number",
                    question.answer.text()));
  // Equal fractions may differ in the last bit of their doubles.
  const double allowed = std::max(question.tolerance, 1e-12) * std::abs(*wanted);
  return std::ranges::any_of(readings, [&](double number) { return std::abs(number - *wanted) <= allowed; });
}

std::size_t right_choice(const Question& question, const ReportValues& values) {
  const FieldValue value = question.answer.value(values);
  const std::size_t count = question.choices.size();
  if (const auto* number = std::get_if<double>(&value)) {
    const bool fits = *number == std::floor(*number) && *number >= 1 && *number <= static_cast<double>(count);
    if (fits) return static_cast<std::size_t>(*number) - 1;
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    for (std::size_t i = 0; i < count; ++i) {
      if (question.choices[i].text.with(values) == *text) return i;
    }
  }
  std::string names;
  for (const LessonText& choice : question.choices) names += fmt::format(", \"{}\"", choice.text.source());
  throw InputError(fmt::format("'{}' gives {}, which is not one of the choices; allowed: 1 to {}{}",
                               question.answer.text(), text_of(value), count, names));
}

bool is_right_cell(const Question& question, const ReportValues& values) {
  FieldValue value;
  try {
    value = question.answer.value(values);
  } catch (const MissingField&) {
    return false;
  }
  const auto* truth = std::get_if<bool>(&value);
  if (truth == nullptr)
    throw InputError(fmt::format("the answer '{}' is neither true nor false", question.answer.text()));
  return *truth;
}

bool is_right_code(const Question& question, const ReportValues& values) {
  return is_right_cell(question, values);
}

GridPoint right_cell(const Question& question, const ReportValues& values) {
  return {coordinate(question.cell_x, values, "width"), coordinate(question.cell_y, values, "height")};
}

std::string shown_answer(const Question& question, const ReportValues& values) {
  if (question.kind == Question::Kind::kCell) {
    const GridPoint cell = right_cell(question, values);
    return fmt::format("One correct answer: ({}, {})", cell.x, cell.y);
  }
  if (question.kind == Question::Kind::kCode)
    return "Show solution, above the code, replaces your code by one that passes.";
  const bool own = question.kind == Question::Kind::kChoice && !question.shown.text().empty();
  const Expression& expression = own ? question.shown : question.answer;
  std::string shown = expression.pretty();
  std::string last = shown;
  const auto then = [&](const std::string& text) {
    if (text != std::exchange(last, text)) shown += " = " + text;
  };
  then(expression.with_values(values));
  if (own || question.kind == Question::Kind::kNumber) then(text_of(expression.value(values)));
  if (question.kind == Question::Kind::kNumber)
    return question.unit.empty() ? shown : shown + " " + question.unit;
  return fmt::format("{}: {}", shown, question.choices[right_choice(question, values)].text.with(values));
}

std::string answer_in_values(const Question& question, const ReportValues& values) {
  if (question.kind == Question::Kind::kChoice)
    return question.choices[right_choice(question, values)].text.with(values);
  if (question.kind != Question::Kind::kNumber) return {};
  std::string text = question.answer.with_values(values);
  const std::string value = text_of(question.answer.value(values));
  if (text != value) text += " = " + value;
  return question.unit.empty() ? text : text + " " + question.unit;
}

}  // namespace loom::app::lessons
