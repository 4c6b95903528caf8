#pragma once

#include <cstdint>

#include "compute/engine/mandelbrot_engine.h"

namespace loom {

/// Counts the differences from the exhaustive method that border filling explains: the pixel is inside a
/// filled region, or inside a filled tile of a leaf, and has the uniform dwell of the border around it. Any
/// other difference is an error. The engine's last computation must have listed its regions.
std::uint64_t count_border_misses(const MandelbrotEngine& engine, const DwellDifferences& differences);

}  // namespace loom
