#pragma once

#include <optional>

#include "compute/core/coord.h"
#include "compute/geometry/nbb_fractal.h"

namespace loom {

// lambda and nu in their plainest form, written out from the definition: what every arithmetic is checked
// against at levels that are too high for ReferenceLife. They share no code with the maps.

/// Where the cell at a compact coordinate of a fractal of level `level` lies. `omega` lies within the
/// k^ceil(level / 2) x k^floor(level / 2) orthotope.
Coord64 reference_lambda(const NbbFractal& fractal, int level, Coord64 omega);

/// The compact coordinate of the cell at an expanded coordinate; nothing for a hole. `place` lies within the
/// square.
std::optional<Coord64> reference_nu(const NbbFractal& fractal, int level, Coord64 place);

}  // namespace loom
