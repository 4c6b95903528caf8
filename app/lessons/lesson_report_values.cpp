#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/lessons/lesson.h"
#include "app/text/format.h"

namespace loom::app::lessons {
namespace {

bool is_digit(char letter) {
  return std::isdigit(static_cast<unsigned char>(letter)) != 0;
}

bool matches(std::string_view pattern, std::string_view name) {
  std::size_t at = 0;
  for (const char letter : pattern) {
    if (letter == '#') {
      const std::size_t begin = at;
      while (at < name.size() && is_digit(name[at])) ++at;
      if (at == begin) return false;
    } else if (at == name.size() || name[at++] != letter) {
      return false;
    }
  }
  return at == name.size();
}

}  // namespace

const ReportField* find_report_field(const ReportFields& fields, std::string_view name) {
  const auto found =
      std::ranges::find_if(fields, [&](const ReportField& field) { return matches(field.name, name); });
  return found == fields.end() ? nullptr : &*found;
}

std::string allowed_fields(const ReportFields& fields, std::string_view name) {
  std::string group(name.substr(0, name.rfind('.') + 1));
  for (std::size_t at = 0; at < group.size();) {
    std::size_t end = at;
    while (end < group.size() && is_digit(group[end])) ++end;
    if (end > at) group.replace(at, end - at, "#");
    ++at;
  }
  const auto list = [&](auto&& wanted) {
    std::string names;
    for (const ReportField& field : fields) {
      if (wanted(field)) names += (names.empty() ? "" : ", ") + field.name;
    }
    return names;
  };
  const std::string near = list([&](const ReportField& field) {
    return field.name.starts_with(group) && field.name.find('.', group.size()) == std::string::npos;
  });
  return near.empty() ? list([](const ReportField&) { return true; }) : near;
}

namespace {

std::string name_of_member(const std::string& parent, const std::string& key) {
  const std::string name = key == "explained" ? "thread" : key;
  return parent.empty() ? name : parent + "." + name;
}

std::string name_of_element(const std::string& array, std::size_t index) {
  if (array == "panes_beside") return fmt::format("pane{}", index + 2);
  return fmt::format("{}{}", array, index + 1);
}

void flatten(const nlohmann::ordered_json& json, const std::string& name, ReportValues& values) {
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) flatten(value, name_of_member(name, key), values);
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i) flatten(json[i], name_of_element(name, i), values);
  } else if (json.is_boolean()) {
    values.known[name] = json.get<bool>();
  } else if (json.is_string()) {
    values.known[name] = json.get<std::string>();
  } else if (json.is_number()) {
    const double number = json.get<double>();
    if (json.is_number_integer() && std::abs(number) >= kMaxExactInteger) {
      values.too_large[name] = json.dump();
    } else {
      values.known[name] = number;
    }
  }
}

}  // namespace

ReportValues values_of_report(const nlohmann::ordered_json& report) {
  ReportValues values;
  flatten(report, "", values);
  return values;
}

std::string text_of(double number) {
  if (std::isfinite(number) && number == std::round(number) && std::abs(number) < kMaxExactInteger) {
    const auto size = static_cast<std::uint64_t>(std::abs(number));
    return (number < 0 ? "−" : "") + format_count(size);
  }
  return fmt::format("{:.4g}", number);
}

std::string text_of(const FieldValue& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "yes" : "no";
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return text_of(std::get<double>(value));
}

}  // namespace loom::app::lessons
