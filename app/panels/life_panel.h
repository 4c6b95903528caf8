#pragma once

#include <string>

#include "app/edit.h"
#include "app/gui/layout.h"
#include "app/report.h"

namespace loom::app {

/// What the panel remembers between frames: the rule as it is being typed, and what is wrong with it.
struct LifePanelState {
  std::string rule_text;
  std::string rule_problem;
  Area rule_field;  ///< where the rule is typed; empty while the section is folded
};

/// Playing, rule, random start and editing.
void life_panel(LifePanelState& state, Edit& edit, const Report& report);

}  // namespace loom::app
