#pragma once

#include <algorithm>
#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/core/integer_math.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/row_work.h"
#include "compute/map/staged_tile.h"
#include "compute/map/tiling.h"

namespace loom {

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
