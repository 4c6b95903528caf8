#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loom::app::lessons {

/// A field of the report that a lesson may use. In a name, # stands for a number: pane# for pane2 to pane4,
/// level# for the levels that there are.
struct ReportField {
  enum class Kind { kNumber, kTruth, kText };
  std::string name;
  Kind kind = Kind::kNumber;
  std::string meaning;
};

/// All of them, in the order in which they are listed to an author.
const std::vector<ReportField>& report_fields();

/// The field with this name, with numbers where the table has #; null where there is none.
const ReportField* find_report_field(std::string_view name);

/// "blocks_launched, blocks_occupied, ...": the names that begin as `name` does up to its last point; all
/// names where none does.
std::string allowed_fields(std::string_view name);

}  // namespace loom::app::lessons
