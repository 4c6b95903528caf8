#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/json_reader.h"
#include "compute/core/field.h"

namespace loom::app {

/// A member of a member for the rows of a table: kMember<&Settings::config, &Config::level>.
template <auto... kPath>
constexpr auto kMember = [](auto& settings) -> auto& {
  return (settings.*....*kPath);
};

/// The JSON value of a setting: a number, true or false, or a text.
nlohmann::ordered_json json_value(const FieldInfo& field, const std::string& text);

/// The text of a member that json_value() wrote. A text is accepted for every form. Throws InputError.
std::string field_text(const JsonReader& json, const char* key);

/// Adds a member for each field that `is_written` selects and that has a text; null if the field does not
/// apply.
template <typename Settings, typename IsWritten>
void add_fields(nlohmann::ordered_json& json, std::span<const Field<Settings>> fields,
                const Settings& settings, IsWritten is_written) {
  for (const Field<Settings>& field : fields) {
    if (field.form == FieldForm::kOther || field.key.empty() || !std::invoke(is_written, field)) continue;
    const auto text = field.text(settings);
    json[std::string(field.key)] = text ? json_value(field, *text) : nlohmann::ordered_json();
  }
}
template <typename Settings>
void add_fields(nlohmann::ordered_json& json, std::span<const Field<Settings>> fields,
                const Settings& settings) {
  add_fields(json, fields, settings, [](const FieldInfo&) { return true; });
}

/// Reads the members that are there and not null; the others keep their values. Throws InputError that names
/// a wrong member.
template <typename Settings>
void read_fields(const JsonReader& json, std::span<const Field<Settings>> fields, Settings& settings) {
  for (const Field<Settings>& field : fields) {
    if (field.form == FieldForm::kOther || field.key.empty()) continue;
    const std::string key(field.key);
    if (!json.has(key.c_str()) || json.is_null(key.c_str())) continue;
    field.read(field_text(json, key.c_str()), settings, json.path(key.c_str()));
  }
}

/// The undo names of the settings in which two values differ, each once, in the order of the table.
template <typename Settings>
std::vector<std::string_view> changed_undo_names(std::span<const Field<Settings>> fields,
                                                 const Settings& before, const Settings& after) {
  std::vector<std::string_view> names;
  for (const Field<Settings>& field : fields) {
    const bool known = std::ranges::find(names, field.undo) != names.end();
    if (!field.undo.empty() && !known && !field.equal(before, after)) names.push_back(field.undo);
  }
  return names;
}

/// A copy of `kept` with all settings from `from` that are undone.
template <typename Settings>
Settings with_undone_fields(std::span<const Field<Settings>> fields, Settings kept, const Settings& from) {
  for (const Field<Settings>& field : fields) {
    if (!field.undo.empty()) field.copy(from, kept);
  }
  return kept;
}

/// Appends the labels of the settings that a lesson watches and that differ: "map, tile size".
template <typename Settings>
void add_lesson_changes(std::string& labels, std::span<const Field<Settings>> fields, const Settings& before,
                        const Settings& after) {
  for (const Field<Settings>& field : fields) {
    if (!field.in_lesson || field.equal(before, after)) continue;
    if (!labels.empty()) labels += ", ";
    labels += field.label;
  }
}

}  // namespace loom::app
