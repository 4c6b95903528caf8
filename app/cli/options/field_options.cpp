#include "app/cli/options/field_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>

namespace loom::app {
namespace {

std::string type_of(const FieldInfo& field) {
  switch (field.form) {
    case FieldForm::kSwitch:
      return field.has_auto ? "on|off|auto" : "on|off";
    case FieldForm::kWhole:
      return field.has_auto ? "auto|N" : "N";
    case FieldForm::kReal:
      return "P";
    case FieldForm::kName:
      return "NAME";
    case FieldForm::kText:
    case FieldForm::kOther:
      break;
  }
  return "TEXT";
}

/// "Thread map: bounding-box, lambda, compact (lambda by default)", "Dwell limit: 1 to 65535 (512 by
/// default)"
std::string help_of(const FieldInfo& field, const std::string& prefix, const std::string& default_text) {
  std::string text(field.purpose);
  // A description after a prefix begins with a small letter, but for names and abbreviations.
  const bool is_word = text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])) != 0;
  if (!prefix.empty() && is_word)
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  text = prefix + text;
  if (field.is_flag) return text;
  const std::string names = fmt::format("{}", fmt::join(field.names(), ", "));
  std::string values = names;
  if (names.empty() && (field.form == FieldForm::kWhole || field.form == FieldForm::kReal))
    values = fmt::format("{} to {}", field.lowest, field.highest);
  if (field.has_auto) {
    values = fmt::format("{} (default, the fastest){}{}", kAutoWord, values.empty() ? "" : ", ", values);
  }
  if (!values.empty()) text += ": " + values;
  return field.has_auto || default_text.empty() ? text
                                                : fmt::format("{} ({} by default)", text, default_text);
}

}  // namespace

const std::optional<std::string>& typed_value(const TypedFields& typed, std::string_view option) {
  static const std::optional<std::string> none;
  const auto found = typed.find(option);
  return found == typed.end() ? none : found->second;
}

void add_field_option(CLI::App& command, const FieldInfo& field, TypedFields& typed,
                      const std::string& prefix, const std::string& default_text) {
  const std::string option(field.option);
  std::optional<std::string>& text = typed[option];
  const std::string help = help_of(field, prefix, default_text);
  if (field.is_flag) {
    command.add_flag_function(
        "--" + option, [&text](std::int64_t) { text = "on"; }, help);
  } else {
    command.add_option("--" + option, text, help)->type_name(type_of(field));
  }
}

}  // namespace loom::app
