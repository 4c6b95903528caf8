#pragma once

#include <string>
#include <string_view>

#include "app/report/report_value.h"

namespace loom::app::lessons {

/// The field with this name, which has numbers in place of #; null if there is none.
const ReportField* find_report_field(const ReportFields& fields, std::string_view name);

/// The names of the group of `name`, which is the part up to its last point, as a list "tiles_launched,
/// tiles_occupied, ..."; all names if there is no such group.
std::string allowed_fields(const ReportFields& fields, std::string_view name);

}  // namespace loom::app::lessons
