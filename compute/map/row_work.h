#pragma once

#include <algorithm>
#include <cstdint>

#include "compute/core/fast_divisor.h"
#include "compute/core/host_device.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom {

// Cooperative work of a thread block: staging its tiles in shared memory and writing whole rows. Each of
// these is a loop over small tasks that are distributed over all threads of the thread block, independent of
// the cells that each thread computes.

/// The parts of a tile, numbered row by row, and their distribution over threads.
struct TileParts {
  FastDivisor<std::uint32_t> of_row;
  FastDivisor<std::uint32_t> of_tile;
  /// Tiles that the threads process in parallel, one part per thread. If a tile has more parts than there are
  /// threads, the threads loop over the parts of one tile.
  std::uint32_t at_once = 1;

  TileParts() = default;
  TileParts(std::uint32_t parts, std::uint32_t rows, std::uint32_t threads)
      : of_row(parts), of_tile(parts * rows), at_once(std::max(1u, threads / (parts * rows))) {}

  struct Part {
    std::uint32_t row;
    std::uint32_t part;  ///< index in its row
  };
  LOOM_HOST_DEVICE Part part(std::uint32_t number) const {
    const std::uint32_t row = of_row.divide(number);
    return {row, number - row * of_row.value()};
  }
};

/// Sets of a tile and its eight neighbours as bit masks, numbered as in TileNeighbours.
inline constexpr std::uint32_t kAllAround = 0x1ff;

/// The same set as a list.
struct NeighbourList {
  std::uint64_t packed = 0;  ///< four bits per neighbour
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
  list.count = FastDivisor<std::uint32_t>(std::max(1u, count));  // an empty set is treated as tile 0
  return list;
}

/// Copies and writes whole rows of tiles.
struct RowWork {
  /// Bytes per copy: 16, 8, 4 or 1. Row addresses and row lengths are multiples of it.
  std::uint32_t chunk = 1;
  TileParts rows;  ///< chunks of a tile
};

/// For tiles whose rows are `pitch` bytes apart in memory, and thread blocks of `threads` threads.
inline RowWork row_work(const TiledFractal& fractal, std::uint64_t pitch, std::uint32_t threads) {
  RowWork work;
  for (const std::uint32_t chunk : {4u, 8u, 16u}) {
    if (fractal.rho_x % chunk == 0 && pitch % chunk == 0) work.chunk = chunk;
  }
  work.rows = TileParts(fractal.rho_x / work.chunk, fractal.rho_y, threads);
  return work;
}

/// The kernel form of the lambda map on expanded storage.
enum class ExpandedKernel {
  kCells,     ///< each thread reads its cells' neighbours and writes its cells
  kGathered,  ///< each thread reads its cells' neighbours in the 8-byte words that rows consist of; next
              ///< states are gathered and written in rows
  kStaged,    ///< as kGathered, and the tiles with their halos are staged in shared memory
};
/// The form that was measured to be the fastest for life. Workloads that read no neighbours have nothing to
/// stage.
ExpandedKernel expanded_kernel(const TiledFractal& fractal);
bool writes_rows(const TiledFractal& fractal);

}  // namespace loom
