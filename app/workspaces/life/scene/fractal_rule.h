#pragma once

#include <optional>

#include "app/workspaces/life/scene/life_settings.h"

namespace loom::app {

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
