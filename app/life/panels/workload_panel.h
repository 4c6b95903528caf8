#pragma once

#include <string>

#include "app/gui/layout.h"
#include "app/life/report.h"
#include "app/shell/edit.h"
#include "app/widgets/number_field.h"

namespace loom::app {

/// What the panel remembers between frames: rule and seed as they are being typed, and what is wrong with
/// them.
struct WorkloadPanelState {
  std::string rule_text;
  std::string rule_problem;
  Area rule_field;  ///< where the rule is typed; empty while it is not shown
  NumberFieldState seed;
};

/// What every thread does with its cell, and its parameters; playing, random start and editing.
void workload_panel(WorkloadPanelState& state, Edit& edit, const Report& report);

}  // namespace loom::app
