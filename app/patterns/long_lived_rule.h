#pragma once

#include <optional>

#include "compute/geometry/nbb_fractal.h"
#include "compute/workload/game_of_life.h"

namespace loom::app::patterns {

/// A rule under which a random start keeps changing on a fractal of the catalogue: after 300 generations at
/// least a twentieth of the cells is alive and a tenth changes (checked by tests/patterns). Empty for other
/// fractals.
std::optional<LifeRule> long_lived_rule(const NbbFractal& fractal);

}  // namespace loom::app::patterns
