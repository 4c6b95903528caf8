#pragma once

#include <optional>
#include <string>

#include "app/gui/layout.h"
#include "app/life/scene/life_facts.h"
#include "app/life/scene/life_settings.h"
#include "app/widgets/number_field.h"

namespace loom::app {

/// What the panel remembers between frames: rule and seed as they are being typed, and what is wrong with
/// them.
struct WorkloadPanelState {
  std::string rule_text;
  std::optional<LifeRule> written;  ///< the rule that the text was last written for
  std::string rule_problem;
  Area rule_field;  ///< where the rule is typed; empty while it is not shown
  NumberFieldState seed;
};

/// What every thread does with its cell, and its parameters; playing, random start and editing.
void workload_panel(WorkloadPanelState& state, LifeEdit& edit, const LifeFacts& report);

}  // namespace loom::app
