#pragma once

#include <optional>
#include <string>

#include "app/widgets/inputs.h"
#include "app/workspaces/life/panels/method_panel.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"

namespace loom::app {

/// State of the panel between frames: rule and seed while the user types them, and their errors.
struct BasicsPanelState {
  std::string rule_text;
  std::optional<LifeRule> written;  ///< the rule that rule_text shows
  std::string rule_problem;
  Area rule_field;  ///< area of the rule's text field; empty while it is hidden
  NumberFieldState seed;
};

/// What most users set: tile size, rule and random start, below the numbers of the fractal and the launch.
void basics_panel(BasicsPanelState& state, const MethodPanelState& method, LifeEdit& edit,
                  const LifeStats& stats);
/// Selects a rule from a list.
void choose_rule(BasicsPanelState& state, LifeEdit& edit, LifeRule rule);

/// A rule that suits a fractal.
struct FractalRule {
  LifeRule rule;
  /// True: named by the fractal's file. False: measured to survive on the fractal.
  bool of_file = false;
};
/// The rule for a fractal: from its file, or patterns::long_lived_rule() for built-in fractals; nothing for
/// others.
std::optional<FractalRule> rule_of(const LifeSettings& settings, const NbbFractal& fractal);
/// Sets the rule of life that the file of the selected fractal names, if it names one.
void take_rule_of_file(LifeSettings& settings);

}  // namespace loom::app
