#pragma once

#include <cstdint>
#include <vector>

#include "compute/engine/fractal_engine.h"
#include "compute/engine/packed_cells.h"

namespace loom::app {

/// The cells of a field in the format of FractalEngine::read_bits(), which is independent of map, storage and
/// backend.
struct CellBits {
  std::uint64_t count = 0;
  std::vector<std::uint8_t> bytes;
  bool alive(std::uint64_t index) const { return (bytes[index / 8] >> (index % 8) & 1) != 0; }
  friend bool operator==(const CellBits&, const CellBits&) = default;
};

/// Reads all cells. Throws OperationCancelled if the engine's monitor is cancelled, std::bad_alloc.
CellBits read_cell_bits(const FractalEngine& engine);

/// Equal to FractalEngine::census() of the same cells.
Census census_of(const CellBits& bits);

}  // namespace loom::app
