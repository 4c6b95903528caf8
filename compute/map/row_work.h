#pragma once

#include <algorithm>
#include <cstdint>

#include "compute/core/fast_divisor.h"
#include "compute/core/host_device.h"
#include "compute/geometry/blocked_fractal.h"

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

/// Whole rows of tiles, copied and written.
struct RowWork {
  /// Bytes of a row that are copied at a time, 16, 8, 4 or 1: rows begin at multiples of it and are as long.
  std::uint32_t chunk = 1;
  TileParts rows;  ///< chunks of a tile
};

/// For tiles whose rows lie `pitch` bytes apart in memory, and thread blocks of `threads`.
inline RowWork row_work(const BlockedFractal& fractal, std::uint64_t pitch, std::uint32_t threads) {
  RowWork work;
  for (const std::uint32_t chunk : {4u, 8u, 16u}) {
    if (fractal.rho_x % chunk == 0 && pitch % chunk == 0) work.chunk = chunk;
  }
  work.rows = TileParts(fractal.rho_x / work.chunk, fractal.rho_y, threads);
  return work;
}

/// How a thread block of lambda works on expanded storage.
enum class ExpandedForm {
  kCells,     ///< each thread reads around its cells and writes them
  kGathered,  ///< each thread reads around its cells, in words of eight bytes, which rows are made of; next
              ///< states are gathered and written in rows
  kStaged,    ///< the tiles and their rims are staged too
};
/// The fastest that was measured: of life, and of what reads no neighbours, which has nothing to stage.
ExpandedForm life_form(const BlockedFractal& fractal);
bool writes_rows(const BlockedFractal& fractal);

}  // namespace loom
