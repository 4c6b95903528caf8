#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loom::app::lessons {

/// A field of the report that a lesson may use. In a name, # stands for a number: pane# for pane2 to pane4,
/// level# for the existing levels.
struct ReportField {
  enum class Kind { kNumber, kBoolean, kText };
  std::string name;
  Kind kind = Kind::kNumber;
  std::string meaning;
};

/// All fields, in the order in which `lesson --fields` lists them.
const std::vector<ReportField>& report_fields();

/// The field with this name, which has numbers in place of #; null if there is none.
const ReportField* find_report_field(std::string_view name);

/// The names of the group of `name`, which is the part up to its last point, as a list "tiles_launched,
/// tiles_occupied, ..."; all names if there is no such group.
std::string allowed_fields(std::string_view name);

}  // namespace loom::app::lessons
