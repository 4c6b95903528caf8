#include "app/lessons/text_template.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "app/text/format.h"

namespace loom::app::lessons {
namespace {

constexpr std::array<std::string_view, 4> kOpenings = {"{=", "{%=", "{B=", "{ms="};

std::string written(const std::string& how, const FieldValue& value) {
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr || how == "{=") return text_of(value);
  if (how == "{%=") return format_percent(*number);
  if (how == "{ms=") return format_ms(*number) + " ms";
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
