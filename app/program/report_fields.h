#pragma once

#include "app/report/report_value.h"

namespace loom::app {

/// The members of the state report that lessons may use, in the order in which `lesson --fields` lists them.
ReportFields report_fields();

}  // namespace loom::app
