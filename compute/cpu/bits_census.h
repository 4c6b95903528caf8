#pragma once

#include <cstdint>
#include <span>

#include "compute/engine/fractal_engine.h"

namespace loom::cpu {

/// The result of FractalEngine::census() for cells as bits (packed_cells.h).
Census census_of_bits(std::span<const std::uint8_t> bits);

}  // namespace loom::cpu
