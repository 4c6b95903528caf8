#pragma once

#include <optional>

#include "compute/core/coord.h"
#include "compute/geometry/nbb_fractal.h"

namespace loom {

// Plain implementations of lambda and nu from their definitions. Every arithmetic is checked against them at
// levels that are too high for ReferenceLife. They share no code with the maps.

/// The expanded coordinate of the cell at a compact coordinate, for a fractal of level `level`. `omega` is in
/// the k^ceil(level / 2) x k^floor(level / 2) orthotope.
Coord64 reference_lambda(const NbbFractal& fractal, int level, Coord64 omega);

/// The compact coordinate of the cell at an expanded coordinate; nothing for a hole. `place` is within the
/// square.
std::optional<Coord64> reference_nu(const NbbFractal& fractal, int level, Coord64 place);

}  // namespace loom
