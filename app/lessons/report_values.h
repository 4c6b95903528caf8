#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <variant>

#include "app/report/report_value.h"

namespace loom::app::lessons {

/// The field with this name, which has numbers in place of #; null if there is none.
const ReportField* find_report_field(const ReportFields& fields, std::string_view name);

/// The names of the group of `name`, which is the part up to its last point, as a list "tiles_launched,
/// tiles_occupied, ..."; all names if there is no such group.
std::string allowed_fields(const ReportFields& fields, std::string_view name);

/// The value of a field of the report. Numbers are doubles: integers are exact up to 2^53.
using FieldValue = std::variant<double, bool, std::string>;

inline constexpr double kMaxExactInteger = 9007199254740992.0;  ///< 2^53

/// The report as a table of fields. A field without a value is missing.
struct ReportValues {
  std::map<std::string, FieldValue, std::less<>> known;
  /// Integers beyond 2^53. An expression cannot use them, because they would be rounded.
  std::map<std::string, std::string, std::less<>> too_large;
};

/// The report of the program (Application::state()) as fields: members of members are joined by a point, the
/// n-th element of an array `name` is called name<n>, counted from 1, and null is left out. Two names are
/// shortened: `explained` is `thread`, and the secondary panes are pane2, pane3, pane4.
ReportValues values_of_report(const nlohmann::ordered_json& report);

/// A value as lessons print it: 6 561, 0.3125, yes, lambda. Fractions have four significant digits.
std::string text_of(const FieldValue& value);
std::string text_of(double number);

}  // namespace loom::app::lessons
