#include "app/lessons/figures.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/text/format.h"

namespace loom::app::lessons {
namespace {

std::string name_of_member(const std::string& parent, const std::string& key) {
  const std::string name = key == "explained" ? "thread" : key;
  return parent.empty() ? name : parent + "." + name;
}

std::string name_of_element(const std::string& array, std::size_t index) {
  if (array == "panes_beside") return fmt::format("pane{}", index + 2);
  return fmt::format("{}{}", array, index + 1);
}

void flatten(const nlohmann::ordered_json& json, const std::string& name, Figures& figures) {
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) flatten(value, name_of_member(name, key), figures);
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i) flatten(json[i], name_of_element(name, i), figures);
  } else if (json.is_boolean()) {
    figures.known[name] = json.get<bool>();
  } else if (json.is_string()) {
    figures.known[name] = json.get<std::string>();
  } else if (json.is_number()) {
    const double number = json.get<double>();
    if (json.is_number_integer() && std::abs(number) >= kMostExact) {
      figures.too_large[name] = json.dump();
    } else {
      figures.known[name] = number;
    }
  }
}

}  // namespace

Figures figures_of(const nlohmann::ordered_json& report) {
  Figures figures;
  flatten(report, "", figures);
  return figures;
}

std::string text_of(double number) {
  if (std::isfinite(number) && number == std::round(number) && std::abs(number) < kMostExact) {
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
