#pragma once

#include "app/document/scene/workspace_state.h"
#include "app/report/report_value.h"

namespace loom::app {

/// The formats of all workspaces, in the order in which the window lists them.
scene::Formats workspace_formats();

/// The members of the state report that lessons may use, in the order in which `lesson --fields` lists them.
ReportFields report_fields();

}  // namespace loom::app
