#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compute/core/fast_divisor.h"
#include "compute/core/host_device.h"
#include "compute/core/integer_math.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/tiling.h"

namespace loom {

/// A tile with a halo of one cell on each side, as a GPU's shared memory holds it: rows of `pitch` cells. If
/// a row's own cells are a multiple of four, they begin at a multiple of four, so that four cells can be
/// copied at a time. Of the four cells between two rows, the first is right of the upper row and the last is
/// left of the lower row.
struct StagedTile {
  std::uint32_t rho_x = 1;
  std::uint32_t rho_y = 1;
  std::uint32_t own = 1;  ///< index of a row's first own cell
  std::uint32_t pitch = 3;
  std::uint32_t cells = 9;

  StagedTile() = default;
  explicit StagedTile(const TiledFractal& fractal) : rho_x(fractal.rho_x), rho_y(fractal.rho_y) {
    own = by_fours() ? 4 : 1;
    pitch = rho_x + (by_fours() ? 4 : 2);
    cells = (rho_y + 2) * pitch + (by_fours() ? 4 : 0);
  }
  LOOM_HOST_DEVICE bool by_fours() const { return rho_x % 4 == 0; }
  /// The index of the cell at (x, y), -1 <= x <= rho_x, -1 <= y <= rho_y; -1 may be given as its unsigned
  /// wrap-around.
  LOOM_HOST_DEVICE std::uint32_t at(std::uint32_t x, std::uint32_t y) const {
    return (y + 1) * pitch + x + own;
  }
};

/// One halo cell: the byte that it is read from and its index in the staged tile, packed into 32 bits.
struct HaloCell {
  std::uint32_t packed;
  /// The tile that holds it: an index into the nine tiles of TileNeighbours.
  LOOM_HOST_DEVICE std::uint32_t tile() const { return packed & 15u; }
  /// Its byte offset in that tile, below rho_x * rho_y <= 1024.
  LOOM_HOST_DEVICE std::uint32_t source() const { return packed >> 4 & 1023u; }
  /// Its index in the staged tile, below 2^18.
  LOOM_HOST_DEVICE std::uint32_t target() const { return packed >> 14; }
};

/// The halo cells of a tile that are adjacent to a cell of the tile. Holes of the fractal, which are always
/// dead, are left out.
std::vector<HaloCell> halo_of_tile(const TiledFractal& fractal);

/// The tiles that contain these halo cells: bit i for tile i of TileNeighbours.
std::uint32_t tiles_of_halo(const std::vector<HaloCell>& halo);

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

// The positions of a thread block's tiles in its shared memory while it counts neighbours.

/// Tiles are staged interleaved in groups of four: there is one word per cell of StagedTile, with one byte
/// for each of four tiles, so that a thread reads the neighbours of its cell in four tiles at a time. Group n
/// of a thread block holds the tiles n, n + count, n + 2 count and n + 3 count, as far as they exist; the
/// same threads work on all four.
struct TileFours {
  std::uint32_t tiles = 1;
  std::uint32_t parallel = 1;  ///< groups that are processed in parallel, as many as single tiles would be
  std::uint32_t count = 1;
  /// Largest number of tiles in a group: nine consecutive tiles make three groups of three.
  std::uint32_t most = 1;

  TileFours() = default;
  explicit TileFours(const Tiling& tiling)
      : tiles(tiling.tiles()),
        parallel(tiling.parallel),
        count(tiling.parallel * ceil_divide(tiling.tiles() / tiling.parallel, 4u)),
        most(ceil_divide(tiles, count)) {}

  struct Place {
    std::uint32_t four;
    std::uint32_t byte;  ///< byte of the group's words
  };
  LOOM_HOST_DEVICE Place place(std::uint32_t tile) const {
    std::uint32_t byte = 0;
    for (; tile >= count; tile -= count) ++byte;
    return {tile, byte};
  }
};

/// The shared memory of a thread block's tiles, in multiples of 16 bytes. First come the cell states, tile
/// after tile, padded by 15 bytes and sized as if each group were full, so that staging needs no bounds
/// checks; then `beside_bytes` for the caller; then the staged tiles.
struct RowMemory {
  std::uint32_t beside = 0;  ///< offset of the caller's bytes
  std::uint32_t staged = 0;
  std::uint32_t bytes = 0;

  RowMemory() = default;
  RowMemory(const TiledFractal& fractal, const TileFours& fours, std::uint32_t beside_bytes)
      : beside((fours.most * fours.count * fractal.points_per_tile() + 15 + 15) & ~15u),
        staged(beside + ((beside_bytes + 15) & ~15u)),
        bytes(staged + ((4 * fours.count * StagedTile(fractal).cells + 15) & ~15u)) {}
};

/// Staging of tiles and their halos.
struct Staging {
  TileFours fours;
  std::uint32_t rounds = 1;           ///< tiles that each thread works on
  std::uint32_t rounds_of_fours = 1;  ///< neighbour reads per thread for these tiles
  StagedTile shape;
  RowMemory memory;
  TileParts states;  ///< cells of a tile, or four at a time (StagedTile::by_fours)
  TileParts halo;    ///< halo cells of a tile; one if there are none
};

/// For thread blocks of `threads` threads; `halo_cells` as in halo_of_tile(), `beside_bytes` as in RowMemory.
inline Staging staging(const TiledFractal& fractal, std::uint32_t halo_cells, const Tiling& tiling,
                       std::uint32_t beside_bytes, std::uint32_t threads) {
  Staging work;
  work.fours = TileFours(tiling);
  work.rounds = tiling.tiles() / tiling.parallel;
  work.rounds_of_fours = work.fours.count / tiling.parallel;
  work.shape = StagedTile(fractal);
  work.memory = RowMemory(fractal, work.fours, beside_bytes);
  work.states = TileParts(fractal.rho_x / (work.shape.by_fours() ? 4 : 1), fractal.rho_y, threads);
  work.halo = TileParts(std::max(1u, halo_cells), 1, threads);
  return work;
}

}  // namespace loom
