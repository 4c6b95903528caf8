#pragma once

#include <algorithm>
#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/core/integer_math.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/map/row_work.h"
#include "compute/map/staged_tile.h"
#include "compute/map/tiling.h"

namespace loom {

// Where the tiles of a thread block lie in its shared memory while it looks around their cells.

/// Tiles are staged in fours, in one another: a word for each cell of StagedTile, and in it a byte for each
/// of four tiles. So a thread reads around its cell in four of its tiles at once. Of the tiles that a thread
/// block works on, four n has n, n + count, n + 2 count and n + 3 count, as far as there are so many: they
/// are the same threads'.
struct TileFours {
  std::uint32_t tiles = 1;
  std::uint32_t parallel = 1;  ///< fours that are worked on at once, as many as tiles would be
  std::uint32_t count = 1;
  std::uint32_t most = 1;  ///< tiles that one has: with nine tiles one after another, three fours of three

  TileFours() = default;
  explicit TileFours(const Tiling& tiling)
      : tiles(tiling.tiles()),
        parallel(tiling.parallel),
        count(tiling.parallel * ceil_divide(tiling.tiles() / tiling.parallel, 4u)),
        most(ceil_divide(tiles, count)) {}

  struct Place {
    std::uint32_t four;
    std::uint32_t byte;  ///< of its words
  };
  LOOM_HOST_DEVICE Place place(std::uint32_t tile) const {
    std::uint32_t byte = 0;
    for (; tile >= count; tile -= count) ++byte;
    return {tile, byte};
  }
};

/// The shared memory of a thread block's tiles, in multiples of 16 bytes: first their states, tile after
/// tile, with 15 bytes to spare and as if each four had the most, so that what stages them need not ask;
/// then `beside_bytes` for the caller, then the staged tiles.
struct RowMemory {
  std::uint32_t beside = 0;  ///< where those bytes begin
  std::uint32_t staged = 0;
  std::uint32_t bytes = 0;

  RowMemory() = default;
  RowMemory(const BlockedFractal& fractal, const TileFours& fours, std::uint32_t beside_bytes)
      : beside((fours.most * fours.count * fractal.block_area() + 15 + 15) & ~15u),
        staged(beside + ((beside_bytes + 15) & ~15u)),
        bytes(staged + ((4 * fours.count * StagedTile(fractal).cells + 15) & ~15u)) {}
};

/// Staging of tiles and their rims.
struct Staging {
  TileFours fours;
  std::uint32_t rounds = 1;           ///< tiles that a thread works on
  std::uint32_t rounds_of_fours = 1;  ///< and how many times it looks around for that
  StagedTile shape;
  RowMemory memory;
  TileParts states;  ///< cells of a tile, or four at a time (StagedTile::by_fours)
  TileParts rim;     ///< cells of a tile's rim; one where there are none
};

/// For thread blocks of `threads`; `rim_cells` as in rim_of_block(), `beside_bytes` as in RowMemory.
inline Staging staging(const BlockedFractal& fractal, std::uint32_t rim_cells, const Tiling& tiling,
                       std::uint32_t beside_bytes, std::uint32_t threads) {
  Staging work;
  work.fours = TileFours(tiling);
  work.rounds = tiling.tiles() / tiling.parallel;
  work.rounds_of_fours = work.fours.count / tiling.parallel;
  work.shape = StagedTile(fractal);
  work.memory = RowMemory(fractal, work.fours, beside_bytes);
  work.states = TileParts(fractal.rho_x / (work.shape.by_fours() ? 4 : 1), fractal.rho_y, threads);
  work.rim = TileParts(std::max(1u, rim_cells), 1, threads);
  return work;
}

}  // namespace loom
