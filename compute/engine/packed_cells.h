#pragma once

#include <cstdint>
#include <span>

namespace loom {

// Cells as bits by canonical index: cell i is bit i % 8 of byte i / 8. Bits after the last cell are 0.

/// Bytes for this number of cells.
constexpr std::uint64_t bytes_of_bits(std::uint64_t cells) {
  return cells / 8 + (cells % 8 != 0 ? 1 : 0);
}

/// Convert between one byte per cell (0 if dead) and bits; unpacking gives 0 or 1. `bits` has
/// bytes_of_bits(cells.size()) bytes.
void pack_cells(std::span<const std::uint8_t> cells, std::uint8_t* bits);
void unpack_cells(const std::uint8_t* bits, std::span<std::uint8_t> cells);

}  // namespace loom
