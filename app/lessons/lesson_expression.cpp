#include <fmt/format.h>
#include <muparserx/mpParser.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <new>
#include <utility>

#include "app/lessons/lesson.h"
#include "app/text/format.h"
#include "compute/core/input_text.h"

namespace loom::app::lessons {
namespace {

/// The parser is recursive: a longer expression could exhaust the stack.
constexpr std::size_t kMaxExpression = 400;
constexpr const char* kNameCharacters = "0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view kAllowed =
    "numbers, fields of the report, + - * / ^ == != < > <= >= and or ? :, floor, round, mod, min, max, abs, "
    "sqrt, log, log2, not";
/// Names that an expression may use besides fields and functions.
constexpr std::array<std::string_view, 6> kWords = {"true", "false", "and", "or", "pi", "e"};

/// A numeric function that the parser does not provide.
class NumberFunction final : public mup::ICallback {
 public:
  using Meaning = std::function<double(double, double)>;
  NumberFunction(const char* name, int arguments, Meaning meaning)
      : ICallback(mup::cmFUNC, name, arguments), meaning_(std::move(meaning)) {}
  void Eval(mup::ptr_val_type& result, const mup::ptr_val_type* arguments, int count) override {
    const double second = count > 1 ? arguments[1]->GetFloat() : 0;
    *result = mup::Value(meaning_(arguments[0]->GetFloat(), second));
  }
  const mup::char_type* GetDesc() const override { return "a function of numbers"; }
  mup::IToken* Clone() const override { return new NumberFunction(*this); }

 private:
  Meaning meaning_;
};

class NotFunction final : public mup::ICallback {
 public:
  NotFunction() : ICallback(mup::cmFUNC, "not", 1) {}
  void Eval(mup::ptr_val_type& result, const mup::ptr_val_type* arguments, int) override {
    *result = mup::Value(!arguments[0]->GetBool());
  }
  const mup::char_type* GetDesc() const override { return "the opposite"; }
  mup::IToken* Clone() const override { return new NotFunction(*this); }
};

void define_functions(mup::ParserX& parser) {
  using mup::TokenPtr;
  const auto define = [&](const char* name, int arguments, NumberFunction::Meaning meaning) {
    parser.DefineFun(TokenPtr<mup::ICallback>(new NumberFunction(name, arguments, std::move(meaning))));
  };
  define("floor", 1, [](double x, double) { return std::floor(x); });
  define("round", 1, [](double x, double) { return std::round(x); });
  define("mod", 2, [](double x, double y) { return x - y * std::floor(x / y); });
  parser.DefineFun(TokenPtr<mup::ICallback>(new NotFunction()));
}

bool begins_name(char letter) {
  return letter == '_' || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}
bool in_name(char letter) {
  return begins_name(letter) || letter == '.' || (letter >= '0' && letter <= '9');
}

/// Calls `name` for each field and `rest` for all text between, texts in quotation marks included.
template <typename Name, typename Rest>
void split(std::string_view text, Name&& name, Rest&& rest) {
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = at + 1;
    if (text[at] == '"') {
      end = std::min(text.find('"', at + 1), text.size() - 1) + 1;
      rest(text.substr(at, end - at));
    } else if (begins_name(text[at])) {
      while (end < text.size() && in_name(text[end])) ++end;
      const std::string_view word = text.substr(at, end - at);
      const std::size_t next = std::min(text.find_first_not_of(' ', end), text.size());
      const bool is_call = next < text.size() && text[next] == '(';
      const bool is_word = std::find(kWords.begin(), kWords.end(), word) != kWords.end();
      // "and (" is not a call.
      is_word || is_call ? rest(word) : name(word);
    } else {
      // Digits stay together, so that the e of 1e6 is not taken for a name.
      if (in_name(text[at])) {
        while (end < text.size() && in_name(text[end])) ++end;
      }
      rest(text.substr(at, end - at));
    }
    at = end;
  }
}

mup::Value value_for_parser(const FieldValue& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return mup::Value(*truth);
  if (const auto* text = std::get_if<std::string>(&value)) return mup::Value(*text);
  return mup::Value(std::get<double>(value));
}

using Look = std::function<FieldValue(const std::string&)>;

/// Throws InputError with the reason only, without the expression's text.
FieldValue evaluate(const std::string& text, const std::vector<std::string>& fields, const Look& look) {
  try {
    mup::ParserX parser(mup::pckCOMMON | mup::pckNON_COMPLEX | mup::pckSTRING);
    parser.DefineNameChars(kNameCharacters);
    parser.EnableAutoCreateVar(false);
    define_functions(parser);
    for (const std::string& field : fields) parser.DefineConst(field, value_for_parser(look(field)));
    parser.SetExpr(text);
    const mup::IValue& result = parser.Eval();
    switch (result.GetType()) {
      case 'b':
        return result.GetBool();
      case 's':
        return result.GetString();
      case 'i':
      case 'f':
        return static_cast<double>(result.GetFloat());
      default:
        throw InputError("the result is not a number, a text, true or false");
    }
  } catch (const InputError&) {
    throw;
  } catch (const mup::ParserError& error) {
    throw InputError(error.GetMsg());
  } catch (const std::bad_alloc&) {  // not caused by the expression
    throw;
  } catch (const std::exception& error) {
    throw InputError(error.what());
  }
}

std::string without_end(std::string text) {
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
  return text;
}

FieldValue sample_of(const ReportField& field) {
  switch (field.kind) {
    case ReportField::Kind::kBoolean:
      return true;
    case ReportField::Kind::kText:
      return std::string();
    case ReportField::Kind::kNumber:
      break;
  }
  return 1.0;
}

/// Operators as they are printed.
std::string printed(std::string_view part) {
  if (part == "*") return "×";
  if (part == "-") return "−";
  return std::string(part);
}

}  // namespace

Expression::Expression(std::string text, const ReportFields& fields) : text_(std::move(text)) {
  if (text_.size() > kMaxExpression) {
    throw InputError(fmt::format("'{}' does not evaluate: it has {} bytes; allowed: up to {}", shown(text_),
                                 text_.size(), kMaxExpression));
  }
  std::string unknown;
  bool comment = false;
  split(
      text_,
      [&](std::string_view word) {
        const std::string name(word);
        if (find_report_field(fields, name) == nullptr) {
          if (unknown.empty()) unknown = name;
        } else if (std::find(fields_.begin(), fields_.end(), name) == fields_.end()) {
          fields_.push_back(name);
        }
      },
      // '#' begins a comment in the parser's language.
      [&](std::string_view rest) { comment = comment || rest == "#"; });
  if (comment)
    throw InputError(
        fmt::format("'{}' does not evaluate: '#' is not an operator; allowed: {}", text_, kAllowed));
  if (!unknown.empty()) {
    throw InputError(fields.empty() ? fmt::format("'{}' is not a number", text_)
                                    : fmt::format("'{}' does not evaluate: unknown field '{}'; allowed: {}",
                                                  text_, unknown, allowed_fields(fields, unknown)));
  }
  try {
    sample_ = evaluate(text_, fields_,
                       [&](const std::string& name) { return sample_of(*find_report_field(fields, name)); });
  } catch (const InputError& error) {
    throw InputError(fmt::format("'{}' does not evaluate: {}; allowed: {}", text_, without_end(error.what()),
                                 fields.empty() ? "a number, or a sum like 3^4 - 1" : kAllowed));
  }
}

FieldValue Expression::value(const ReportValues& values) const {
  const auto look = [&](const std::string& field) -> FieldValue {
    const auto found = values.known.find(field);
    if (found != values.known.end()) return found->second;
    const auto large = values.too_large.find(field);
    if (large != values.too_large.end()) {
      throw InputError(
          fmt::format("'{}' does not evaluate: {} is {}, beyond 2^53, where doubles are not exact; "
                      "allowed: a smaller scene",
                      text_, field, large->second));
    }
    throw MissingField(fmt::format("'{}' does not evaluate: {} is not known in this scene", text_, field));
  };
  FieldValue value;
  try {
    value = evaluate(text_, fields_, look);
  } catch (const MissingField&) {
    throw;
  } catch (const InputError& error) {
    const std::string why = without_end(error.what());
    throw InputError(why.starts_with('\'') ? why : fmt::format("'{}' does not evaluate: {}", text_, why));
  }
  if (const auto* number = std::get_if<double>(&value)) {
    if (!std::isfinite(*number))
      throw InputError(fmt::format("'{}' does not evaluate: it has no finite value here", text_));
    if (std::abs(*number) > kMaxExactInteger)
      throw InputError(fmt::format(
          "'{}' does not evaluate: the result is beyond 2^53, where doubles are not exact", text_));
  }
  return value;
}

std::string Expression::with_values(const ReportValues& values) const {
  std::string shown;
  split(
      text_,
      [&](std::string_view word) {
        const auto found = values.known.find(word);
        if (found == values.known.end())
          throw MissingField(
              fmt::format("'{}' does not evaluate: {} is not known in this scene", text_, word));
        shown += text_of(found->second);
      },
      [&](std::string_view rest) { shown += printed(rest); });
  return shown;
}

namespace {

/// "thread.level3.offset_x" as "offset of level 3 in x".
std::string plain_words(std::string_view field) {
  for (const std::string_view group : {"thread.", "mandelbrot."})
    if (field.starts_with(group)) field.remove_prefix(group.size());
  // The last word of a field of two dimensions is its axis.
  std::string axis;
  if (field.ends_with("_x") || field.ends_with("_y")) {
    axis = fmt::format(" in {}", field.back());
    field.remove_suffix(2);
  }
  std::string level;
  constexpr std::string_view kLevel = "level";
  const std::size_t point = field.find('.');
  if (field.starts_with(kLevel) && point != std::string_view::npos) {
    level = fmt::format(" of level {}", field.substr(kLevel.size(), point - kLevel.size()));
    field.remove_prefix(point + 1);
  }
  std::string words(field);
  std::ranges::replace_if(
      words, [](char c) { return c == '_' || c == '.'; }, ' ');
  return words + level + axis;
}

}  // namespace

std::string Expression::pretty() const {
  std::string shown;
  split(
      text_, [&](std::string_view word) { shown += plain_words(word); },
      [&](std::string_view rest) { shown += printed(rest); });
  return shown;
}

namespace {

constexpr std::array<std::string_view, 4> kOpenings = {"{=", "{%=", "{B=", "{ms="};

std::string written(const std::string& how, const FieldValue& value) {
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr || how == "{=") return text_of(value);
  if (how == "{%=") return format_percent(*number);
  if (how == "{ms=") return format_time(*number);
  if (*number < 0) return text_of(value);
  return format_bytes(static_cast<std::uint64_t>(*number));
}

}  // namespace

TextTemplate::TextTemplate(std::string source, const ReportFields& fields) : source_(std::move(source)) {
  const std::string_view text = source_;
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    std::string_view opening;
    for (const std::string_view one : kOpenings) {
      if (text.substr(at).starts_with(one)) opening = one;
    }
    if (opening.empty()) {
      if (text[at] == '{' || text[at] == '}') {
        throw InputError(
            fmt::format("'{}' in a text; allowed: {{=expression}}, {{%=fraction}}, {{B=bytes}}, "
                        "{{ms=milliseconds}}",
                        text.substr(at, 12)));
      }
      plain += text[at++];
      continue;
    }
    const std::size_t begin = at + opening.size();
    const std::size_t end = text.find('}', begin);
    if (end == std::string_view::npos) {
      throw InputError(fmt::format("'{}' is not closed; allowed: {{=expression}}", text.substr(at, 12)));
    }
    if (!plain.empty()) parts_.push_back({std::move(plain), {}});
    plain.clear();
    parts_.push_back(
        {std::string(opening), {Expression(std::string(text.substr(begin, end - begin)), fields)}});
    at = end + 1;
  }
  if (!plain.empty()) parts_.push_back({std::move(plain), {}});
}

std::string TextTemplate::with(const ReportValues& values) const {
  std::string text;
  for (const Part& part : parts_) {
    if (part.expression.empty()) {
      text += part.text;
      continue;
    }
    try {
      text += written(part.text, part.expression.front().value(values));
    } catch (const InputError&) {
      text += "…";
    }
  }
  return text;
}

void TextTemplate::check(const ReportValues& values) const {
  for (const Part& part : parts_) {
    if (!part.expression.empty()) part.expression.front().value(values);
  }
}

}  // namespace loom::app::lessons
