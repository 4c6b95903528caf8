#include "compute/core/field.h"

#include <fmt/ranges.h>

#include <system_error>

namespace loom {
namespace {

// Written so that "nan", which compares false with everything, is refused.
template <typename Number>
bool is_in_range(std::string_view text, Number lowest, Number highest) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end && value >= lowest && value <= highest;
}

bool is_listed(const std::vector<std::string>& names, std::string_view text) {
  return std::ranges::find(names, text) != names.end();
}

}  // namespace

InputError bad_value(std::string_view name, std::string_view text, std::string_view allowed) {
  return InputError(fmt::format("{}: '{}' is not allowed; allowed: {}", name, text, allowed));
}

std::vector<std::string> FieldInfo::names() const {
  if (form == FieldForm::kSwitch) return {"on", "off"};
  return values == nullptr ? std::vector<std::string>{} : values();
}

std::string FieldInfo::allowed() const {
  const std::string list = fmt::format("{}", fmt::join(names(), ", "));
  std::string text = list;
  if (form == FieldForm::kReal) text = fmt::format("a number from {} to {}", lowest, highest);
  if (form == FieldForm::kWhole && list.empty()) {
    text = fmt::format("a whole number from {} to {}", lowest, highest);
  }
  return has_auto ? fmt::format("{}, {}", text, kAutoWord) : text;
}

void FieldInfo::check(std::string_view text, std::string_view name) const {
  if (has_auto && form == FieldForm::kWhole && text == kAutoWord) return;
  const std::string_view shown = name.empty() ? label : name;
  switch (form) {
    case FieldForm::kName:
    case FieldForm::kSwitch:
      if (is_listed(names(), text)) return;
      throw unknown_name(label, text, allowed());
    case FieldForm::kWhole: {
      const std::vector<std::string> some = names();
      const bool listed = some.empty() || is_listed(some, text);
      if (listed && is_in_range(text, lowest, highest)) return;
      throw bad_value(shown, text, allowed());
    }
    case FieldForm::kReal:
      if (is_in_range(text, static_cast<double>(lowest), static_cast<double>(highest))) return;
      throw bad_value(shown, text, allowed());
    case FieldForm::kText:
    case FieldForm::kOther:
      return;
  }
}

}  // namespace loom
