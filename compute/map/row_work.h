#pragma once

#include <algorithm>
#include <cstdint>

#include "compute/core/fast_divisor.h"
#include "compute/core/host_device.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/map/staged_tile.h"

namespace loom {

// How a thread block works on its tiles together: it stages them in shared memory and writes whole rows. Each
// of these is a loop over small tasks that the threads share out, whatever cells are theirs.

/// Parts of a tile, numbered row by row, and how threads share them out.
struct TileParts {
  FastDivisor<std::uint32_t> of_row;
  FastDivisor<std::uint32_t> of_tile;
  /// Tiles that the threads work on at once, a thread a part. Where a tile has more parts than there are
  /// threads, they go through the parts of one.
  std::uint32_t at_once = 1;

  TileParts() = default;
  TileParts(std::uint32_t parts, std::uint32_t rows, std::uint32_t threads)
      : of_row(parts), of_tile(parts * rows), at_once(std::max(1u, threads / (parts * rows))) {}

  struct Part {
    std::uint32_t row;
    std::uint32_t part;  ///< in its row
  };
  LOOM_HOST_DEVICE Part part(std::uint32_t number) const {
    const std::uint32_t row = of_row.divide(number);
    return {row, number - row * of_row.value()};
  }
};

/// Sets of the nine blocks around a tile and it itself, a bit each, by their numbers in BlockNeighbours.
inline constexpr std::uint32_t kAllAround = 0x1ff;

/// Such a set as a list.
struct NeighbourList {
  std::uint64_t packed = 0;  ///< four bits each
  FastDivisor<std::uint32_t> count;
  LOOM_HOST_DEVICE std::uint32_t which(std::uint32_t i) const {
    return static_cast<std::uint32_t>(packed >> (4 * i)) & 15u;
  }
};

inline NeighbourList neighbour_list(std::uint32_t set) {
  NeighbourList list;
  std::uint32_t count = 0;
  for (std::uint64_t which = 0; which < 9; ++which) {
    if ((set >> which & 1u) != 0) list.packed |= which << (4 * count++);
  }
  list.count = FastDivisor<std::uint32_t>(std::max(1u, count));  // of none, block 0 is looked for
  return list;
}

struct RowWork {
  /// Bytes of a row that are copied at a time, 16, 8, 4 or 1: rows begin at multiples of it and are as long.
  std::uint32_t chunk = 1;
  TileParts rows;                           ///< chunks of a tile
  TileParts rim;                            ///< cells of a tile's rim; one where there are none
  FastDivisor<std::uint32_t> staged_pitch;  ///< StagedTile::pitch()
};

/// For tiles whose rows lie `pitch` bytes apart in memory, and thread blocks of `threads`; `rim_cells` as in
/// rim_of_block().
inline RowWork row_work(const BlockedFractal& fractal, std::uint64_t pitch, std::uint32_t rim_cells,
                        std::uint32_t threads) {
  const StagedTile staged{static_cast<int>(fractal.rho_x), static_cast<int>(fractal.rho_y)};
  RowWork work;
  for (const std::uint32_t chunk : {4u, 8u, 16u}) {
    if (fractal.rho_x % chunk == 0 && pitch % chunk == 0) work.chunk = chunk;
  }
  work.rows = TileParts(fractal.rho_x / work.chunk, fractal.rho_y, threads);
  work.rim = TileParts(std::max(1u, rim_cells), 1, threads);
  work.staged_pitch = FastDivisor<std::uint32_t>(static_cast<std::uint32_t>(staged.pitch()));
  return work;
}

/// The shared memory of a thread block's tiles, in multiples of 16 bytes: first the next states, tile after
/// tile with 15 bytes to spare, then `beside` bytes for the caller, then the staged tiles.
struct RowMemory {
  std::uint32_t beside = 0;  ///< where these begin
  std::uint32_t staged = 0;
  std::uint32_t bytes = 0;
};
LOOM_HOST_DEVICE RowMemory row_memory(const BlockedFractal& fractal, std::uint32_t tiles,
                                      std::uint32_t beside) {
  const StagedTile staged{static_cast<int>(fractal.rho_x), static_cast<int>(fractal.rho_y)};
  RowMemory memory;
  memory.beside = (tiles * fractal.block_area() + 15 + 15) & ~15u;
  memory.staged = memory.beside + ((beside + 15) & ~15u);
  memory.bytes = memory.staged + ((tiles * static_cast<std::uint32_t>(staged.bytes()) + 15) & ~15u);
  return memory;
}

/// How a thread block of lambda works on expanded storage.
enum class ExpandedForm {
  kCells,     ///< each thread reads around its cells and writes them
  kGathered,  ///< each thread reads around its cells; next states are gathered and written in rows
  kStaged,    ///< the tiles and their rims are staged too
};
/// The fastest that was measured: of life, and of what reads no neighbours, which has nothing to stage.
ExpandedForm life_form(const BlockedFractal& fractal);
bool writes_rows(const BlockedFractal& fractal);

}  // namespace loom
