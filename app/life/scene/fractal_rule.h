#pragma once

#include <optional>

#include "app/life/scene/life_settings.h"

namespace loom::app {

/// A rule that goes with a fractal.
struct FractalRule {
  LifeRule rule;
  bool of_file = false;  ///< the fractal's file names it; else life goes on under it, as was measured
};
/// Of a fractal that came from a file what the file says, of the catalogue's patterns::living_rule(); nothing
/// for others.
std::optional<FractalRule> rule_of(const LifeSettings& settings, const NbbFractal& fractal);
/// The rule that the file of the chosen fractal names, if it names one, becomes the rule of life.
void take_rule_of_file(LifeSettings& settings);

}  // namespace loom::app
