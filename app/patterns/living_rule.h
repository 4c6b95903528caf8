#pragma once

#include <optional>

#include "compute/geometry/nbb_fractal.h"
#include "compute/workload/game_of_life.h"

namespace loom::app::patterns {

/// A rule under which a random start goes on to change on a fractal of the catalogue: tests/patterns measures
/// after 300 generations that at least a twentieth of the cells is alive and a tenth of them changes. Nothing
/// for other fractals, whose rules nobody has measured.
std::optional<LifeRule> living_rule(const NbbFractal& fractal);

}  // namespace loom::app::patterns
