#pragma once

#include <cstdint>

#include "compute/engine/mandelbrot_engine.h"

namespace loom {

/// How many of the places that differ from the exhaustive method are explained by border filling: the pixel
/// lies inside a filled region, or inside a filled tile of a leaf, and has the one dwell of the border around
/// it. Any other difference is a fault. The engine's last computation must have listed its regions.
std::uint64_t count_border_misses(const MandelbrotEngine& engine, const DwellDifferences& differences);

}  // namespace loom
