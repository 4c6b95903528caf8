#include "app/workspaces/life/scene/fractal_rule.h"

#include "app/patterns/bundled.h"

namespace loom::app {

std::optional<FractalRule> rule_of(const LifeSettings& settings, const NbbFractal& fractal) {
  const auto& file = settings.from_file;
  if (file && file->rule && file->fractal == fractal) return FractalRule{*file->rule, true};
  if (const auto lives = patterns::long_lived_rule(fractal)) return FractalRule{*lives, false};
  return std::nullopt;
}

void take_rule_of_file(LifeSettings& settings) {
  const auto own = rule_of(settings, settings.config.fractal);
  if (own && own->of_file) settings.rule = own->rule;
}

}  // namespace loom::app
