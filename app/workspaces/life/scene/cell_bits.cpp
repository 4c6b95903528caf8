#include "app/workspaces/life/scene/cell_bits.h"

#include "compute/cpu/bits_census.h"

namespace loom::app {

CellBits read_cell_bits(const FractalEngine& engine) {
  CellBits bits{.count = engine.cell_count(), .bytes = {}};
  bits.bytes.resize(static_cast<std::size_t>(bytes_of_bits(bits.count)));
  engine.read_bits(bits.bytes);
  return bits;
}

Census census_of(const CellBits& bits) {
  return cpu::census_of_bits(bits.bytes);
}

}  // namespace loom::app
