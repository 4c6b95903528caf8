#include "app/settings/field_json.h"

#include <fmt/format.h>

#include <charconv>

namespace loom::app {
namespace {

template <typename Number>
Number number_of(const std::string& text) {
  Number value{};
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

nlohmann::ordered_json json_value(const FieldInfo& field, const std::string& text) {
  if (text == kAutoWord) return text;
  if (field.form == FieldForm::kSwitch) return text == "on";
  if (field.form == FieldForm::kWhole) return number_of<std::uint64_t>(text);
  if (field.form == FieldForm::kReal) return number_of<double>(text);
  return text;
}

std::string field_text(const JsonReader& json, const char* key) {
  const nlohmann::ordered_json& value = json.any(key);
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  if (value.is_number_unsigned()) return fmt::format("{}", value.get<std::uint64_t>());
  if (value.is_number_integer()) return fmt::format("{}", value.get<std::int64_t>());
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  throw InputError(fmt::format("{} is not a text, a number, true or false", json.path(key)));
}

}  // namespace loom::app
