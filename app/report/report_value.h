#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace loom::app {

/// A member of the state report that lessons may use. In a name, # stands for a number: pane# for pane2 to
/// pane4, level# for the existing levels.
struct ReportField {
  enum class Kind { kNumber, kBoolean, kText };
  std::string name;
  Kind kind = Kind::kNumber;
  std::string meaning;
};
using ReportFields = std::vector<ReportField>;

/// The kind of a number, a boolean, a text, or an optional one.
template <typename Value>
constexpr ReportField::Kind report_kind() {
  if constexpr (std::is_same_v<Value, bool>) {
    return ReportField::Kind::kBoolean;
  } else if constexpr (std::is_arithmetic_v<Value>) {
    return ReportField::Kind::kNumber;
  } else if constexpr (std::is_constructible_v<std::string, Value>) {
    return ReportField::Kind::kText;
  } else {
    return report_kind<typename Value::value_type>();
  }
}

template <typename Value>
nlohmann::ordered_json report_json(const Value& value) {
  return value;
}
/// Null for an unknown value.
template <typename Value>
nlohmann::ordered_json report_json(const std::optional<Value>& value) {
  if (!value) return nullptr;
  return *value;
}

/// A row of a table of report values: the name and the meaning of a member of the state report, and its value
/// in a Source. State report, lessons and documentation loop over the tables; a new value is a new row.
template <typename Source>
struct ReportValue {
  /// `get`: a lambda without captures that returns the value in a Source.
  template <typename Get>
  constexpr ReportValue(const char* member, const char* description, Get /*get*/)
      : name(member),
        meaning(description),
        kind(report_kind<std::remove_cvref_t<std::invoke_result_t<Get, const Source&>>>()),
        value([](const Source& source) { return report_json(Get()(source)); }) {
    static_assert(std::is_empty_v<Get>);
  }
  /// A setting, which is written with all other settings.
  constexpr ReportValue(const char* member, const char* description, ReportField::Kind of_setting)
      : name(member), meaning(description), kind(of_setting) {}

  const char* name;
  const char* meaning;
  ReportField::Kind kind;
  nlohmann::ordered_json (*value)(const Source& source) = nullptr;  ///< null for a setting
};

/// Without a source, all values are null.
template <typename Source, std::size_t kRows>
void add_values(nlohmann::ordered_json& json, const ReportValue<Source> (&table)[kRows],
                const std::type_identity_t<Source>* source) {
  for (const ReportValue<Source>& row : table) {
    if (row.value == nullptr) continue;
    json[row.name] = source ? row.value(*source) : nullptr;
  }
}

/// `prefix`: what comes before the names, "pane#.".
template <typename Source, std::size_t kRows>
void add_fields(ReportFields& fields, const std::string& prefix, const ReportValue<Source> (&table)[kRows]) {
  for (const ReportValue<Source>& row : table)
    fields.push_back({prefix + row.name, row.kind, row.meaning});
}

}  // namespace loom::app
