#pragma once

#include <cstdint>
#include <span>

namespace loom {

// Cells as bits by canonical index: cell i is bit i % 8 of byte i / 8. Bits behind the last cell are 0.

/// Bytes that so many cells take.
constexpr std::uint64_t bytes_of_bits(std::uint64_t cells) {
  return cells / 8 + (cells % 8 != 0 ? 1 : 0);
}

/// From a byte a cell, 0 where it is dead, to bits, and back to 0 and 1; there are
/// bytes_of_bits(cells.size()) bytes of bits.
void pack_cells(std::span<const std::uint8_t> cells, std::uint8_t* bits);
void unpack_cells(const std::uint8_t* bits, std::span<std::uint8_t> cells);

}  // namespace loom
