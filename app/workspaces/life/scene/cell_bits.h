#pragma once

#include <cstdint>
#include <vector>

#include "compute/engine/fractal_engine.h"
#include "compute/engine/packed_cells.h"

namespace loom::app {

/// The cells of a field, as FractalEngine::read_bits() has them: the same whatever the map, the storage and
/// the backend.
struct CellBits {
  std::uint64_t count = 0;
  std::vector<std::uint8_t> bytes;
  bool alive(std::uint64_t index) const { return (bytes[index / 8] >> (index % 8) & 1) != 0; }
  friend bool operator==(const CellBits&, const CellBits&) = default;
};

/// All cells of an engine. Throws OperationCancelled where the engine is watched, std::bad_alloc.
CellBits read_cell_bits(const FractalEngine& engine);

/// As FractalEngine::census() has it.
Census census_of(const CellBits& bits);

}  // namespace loom::app
