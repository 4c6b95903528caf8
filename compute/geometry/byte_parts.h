#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/geometry/blocked_fractal.h"
#include "compute/geometry/cell_storage.h"
#include "compute/geometry/part_stretch.h"

namespace loom {

// A fractal's compact storage in bytes dealt to several devices: each has rows of the orthotope of blocks,
// one after the other, and so contiguous places. A row's number is every second digit of its blocks, so that
// a part is a few replicas in each of the coarsest; what lies across a cut is a short list of cells, the same
// for every generation. Made from the digits alone, never by looking at all cells.

/// Rows as many as their `shares` of all. Throws InputError where there are fewer rows than parts, with the
/// most parts that the blocks allow, or one's share is less than a row.
std::vector<BlockRows> deal_rows(const BlockedFractal& whole, std::span<const std::uint32_t> shares);
/// Parts of nearly equal size.
std::vector<BlockRows> deal_rows(const BlockedFractal& whole, std::uint32_t parts);

/// The same fractal of which these rows are held.
BlockedFractal part_of(const BlockedFractal& whole, BlockRows rows);

/// Cells in the blocks that are held.
inline std::uint64_t cells_held(const BlockedFractal& part) {
  return part.held.count * part.orthotope_x * part.block_cells;
}

/// How a part's generation lies in memory: its own places, the first as far past a multiple of kAligned as in
/// the whole, and behind them the copies of others' cells.
struct PartBytes {
  static constexpr std::uint64_t kAligned = 256;
  std::uint64_t origin = 0;  ///< of the whole's places, the one that lies where the memory begins
  std::uint64_t first = 0;   ///< the first own one
  std::uint64_t places = 0;  ///< own ones
  std::uint64_t copies = 0;  ///< where the copies begin in the memory
};
PartBytes part_bytes(const BlockedFractal& part);

/// Memory seen by the whole's places: of these only the own ones are there.
std::uint8_t* by_place(const BlockedFractal& part, std::uint8_t* memory);
inline HeldCells held_cells(const BlockedFractal& part, std::uint8_t* memory) {
  const PartBytes bytes = part_bytes(part);
  return {{by_place(part, memory)}, bytes.first, bytes.places};
}

/// What a part tells others and is told, a cell at a time. Where a cell is, is where it lies in the part's
/// memory (PartBytes).
struct ByteRim {
  std::vector<std::uint64_t> copies;  ///< others' cells beside own ones, by place in the whole, ascending
  std::vector<PartStretch> told_by;   ///< stretches of the copies, in the order of the parts
  std::vector<std::uint64_t> rim;     ///< the own cells beside others', ascending
  std::vector<std::uint32_t> told;   ///< numbers in `rim`, in the order in which the others keep their copies
  std::vector<PartStretch> told_to;  ///< stretches of `told`, in the order of the parts
  /// [direction * rim.size() + i]: the cell beside rim[i], own or a copy; kNoIndex where there is none.
  std::vector<std::uint64_t> beside;
};

/// The rim of one of the parts.
ByteRim make_byte_rim(const BlockedFractal& whole, const std::vector<BlockRows>& parts, std::uint32_t part);

/// Bytes of a part's generation with its copies.
std::uint64_t bytes_with_copies(const BlockedFractal& part, const ByteRim& rim);

}  // namespace loom
