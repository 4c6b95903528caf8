#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/field.h"

namespace loom::app {

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
