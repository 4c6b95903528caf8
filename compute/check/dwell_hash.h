#pragma once

#include <cstdint>

#include "compute/engine/mandelbrot_engine.h"

namespace loom {

/// What an engine's dwells come to.
struct DwellHash {
  std::uint64_t hash =
      0;  ///< sum over the pixels i, row by row, of splitmix64(splitmix64(i) + dwell), modulo 2^64
  std::uint64_t interior = 0;  ///< pixels at the dwell limit
};

/// Of the last computation; a few rows are read at a time.
DwellHash hash_of_dwells(const MandelbrotEngine& engine);

}  // namespace loom
