#pragma once

#include <optional>
#include <string>

#include "app/gui/layout.h"
#include "app/widgets/number_field.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"

namespace loom::app {

/// State of the panel between frames: rule and seed while the user types them, and their errors.
struct WorkloadPanelState {
  std::string rule_text;
  std::optional<LifeRule> written;  ///< the rule that rule_text shows
  std::string rule_problem;
  Area rule_field;  ///< area of the rule's text field; empty while it is hidden
  NumberFieldState seed;
};

/// The workload and its parameters; playback, random start and editing.
void workload_panel(WorkloadPanelState& state, LifeEdit& edit, const LifeStats& report);

}  // namespace loom::app
