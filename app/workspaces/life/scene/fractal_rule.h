#pragma once

#include <optional>

#include "app/workspaces/life/scene/life_settings.h"

namespace loom::app {

/// A rule that goes with a fractal.
struct FractalRule {
  LifeRule rule;
  bool of_file =
      false;  ///< the file of the fractal names it; otherwise it was measured to survive on the fractal
};
/// The rule for a fractal: from its file, or patterns::long_lived_rule() for built-in fractals; nothing for
/// others.
std::optional<FractalRule> rule_of(const LifeSettings& settings, const NbbFractal& fractal);
/// The rule that the file of the chosen fractal names, if it names one, becomes the rule of life.
void take_rule_of_file(LifeSettings& settings);

}  // namespace loom::app
