#pragma once

#include <cstdint>

#include "compute/engine/mandelbrot_engine.h"

namespace loom {

/// A summary of an engine's dwells.
struct DwellHash {
  /// Sum over the pixels i, row by row, of splitmix64(splitmix64(i) + dwell), modulo 2^64.
  std::uint64_t hash = 0;
  std::uint64_t interior = 0;  ///< pixels at the dwell limit
};

/// The summary of the last computation. The dwells are read a few rows at a time.
DwellHash hash_of_dwells(const MandelbrotEngine& engine);

}  // namespace loom
