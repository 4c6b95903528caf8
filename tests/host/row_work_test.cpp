#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "compute/geometry/nbb_catalog.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/staging.h"

namespace loom {
namespace {

/// How often each part of each tile is processed, by running the loop of cuda/life/row_tiles.cuh for every
/// thread.
std::vector<int> times_of_parts(const TileParts& parts, std::uint32_t tiles, std::uint32_t threads) {
  const std::uint32_t of_tile = parts.of_tile.value();
  std::vector<int> times(std::size_t{tiles} * of_tile);
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    std::uint32_t number = thread;
    std::uint32_t first = 0;
    if (parts.at_once > 1) {
      first = parts.of_tile.divide(number);
      if (first >= parts.at_once) continue;
      number -= first * of_tile;
    }
    for (; number < of_tile; number += threads) {
      const TileParts::Part part = parts.part(number);
      for (std::uint32_t tile = first; tile < tiles; tile += parts.at_once) {
        ++times.at(std::size_t{tile} * of_tile + part.row * parts.of_row.value() + part.part);
      }
    }
  }
  return times;
}

TEST(RowWork, ThreadsShareOutEveryPartOfEveryTileOnce) {
  for (const std::uint32_t of_row : {1u, 2u, 7u, 27u}) {
    for (const std::uint32_t rows : {1u, 9u, 27u}) {
      for (const std::uint32_t threads : {1u, 5u, 27u, 32u, 243u, 512u}) {
        for (const std::uint32_t tiles : {1u, 3u, 27u}) {
          const auto times = times_of_parts(TileParts(of_row, rows, threads), tiles, threads);
          EXPECT_EQ(times, std::vector<int>(times.size(), 1))
              << of_row << " of " << rows << " rows, " << threads << " threads, " << tiles << " tiles";
        }
      }
    }
  }
}

TEST(RowWork, ChunksAreWholePartsOfEveryRow) {
  for (const NbbFractal& fractal : catalog()) {
    for (const std::uint32_t tile_size : allowed_tile_sizes(fractal, 5)) {
      SCOPED_TRACE(fractal.name() + " tile size " + std::to_string(tile_size));
      const TiledFractal tiled = make_tiled_fractal(fractal, 5, tile_size);
      for (const std::uint64_t pitch : {tiled.width, std::uint64_t{tiled.rho_x}}) {
        const RowWork work = row_work(tiled, pitch, 64);
        EXPECT_EQ(pitch % work.chunk, 0u);
        EXPECT_EQ(work.rows.of_row.value() * work.chunk, tiled.rho_x);
        EXPECT_EQ(work.rows.of_tile.value() * work.chunk, tiled.points_per_tile());
        EXPECT_TRUE(work.chunk == 16 || tiled.rho_x % 16 != 0 || pitch % 16 != 0);
        const Staging staged = staging(tiled, 3, {3, 1, 1}, 72, 64);
        const std::uint32_t piece = staged.shape.by_fours() ? 4 : 1;
        EXPECT_EQ(staged.states.of_tile.value() * piece, tiled.points_per_tile());
        EXPECT_EQ((staged.shape.own | staged.shape.pitch | staged.shape.cells) % piece, 0u);
        const RowMemory& memory = staged.memory;
        EXPECT_GE(memory.beside, 3 * tiled.points_per_tile() + 15);
        EXPECT_GE(memory.staged, memory.beside + 72);
        EXPECT_GE(memory.bytes, memory.staged + 4 * staged.shape.cells)
            << "three tiles share one group of four";
        EXPECT_EQ((memory.beside | memory.staged | memory.bytes) % 16, 0u);
      }
    }
  }
}

TEST(TileFours, EveryTileIsOneByteOfOneFourOfTheSameThreads) {
  for (const Tiling tiling : {Tiling{1, 1, 1}, Tiling{9, 1, 1}, Tiling{27, 1, 3}, Tiling{81, 1, 27},
                              Tiling{64, 1, 8}, Tiling{2, 2, 4}, Tiling{25, 1, 5}}) {
    const TileFours fours(tiling);
    std::set<std::pair<std::uint32_t, std::uint32_t>> places;
    for (std::uint32_t tile = 0; tile < tiling.tiles(); ++tile) {
      const TileFours::Place place = fours.place(tile);
      EXPECT_LT(place.four, fours.count);
      EXPECT_LT(place.byte, fours.most);
      EXPECT_EQ(place.four + place.byte * fours.count, tile);
      EXPECT_EQ(tile % tiling.parallel, place.four % fours.parallel)
          << "a tile and its group of four must be processed by the same threads";
      EXPECT_TRUE(places.insert({place.four, place.byte}).second);
    }
    EXPECT_LE(fours.most, 4u);
    EXPECT_LT(4 * fours.count, tiling.tiles() + 4 * tiling.parallel) << "too many groups of four";
    EXPECT_LT(fours.most * fours.count, tiling.tiles() + fours.count) << "too much memory";
  }
}

TEST(RowWork, TheListHoldsTheTilesOfTheSet) {
  const NeighbourList list = neighbour_list(0b101001010);
  ASSERT_EQ(list.count.value(), 4u);
  std::set<std::uint32_t> found;
  for (std::uint32_t i = 0; i < 4; ++i) found.insert(list.which(i));
  EXPECT_EQ(found, (std::set<std::uint32_t>{1, 3, 6, 8}));
  EXPECT_EQ(neighbour_list(kAllAround).count.value(), 9u);
  EXPECT_EQ(neighbour_list(0).count.value(), 1u) << "the count is a divisor and must not be 0";
}

// The upper right and lower left corners of the gasket are holes, so only six neighbouring tiles contribute
// to the halo.
TEST(RowWork, TheRimOfTheGasketLiesInSixTiles) {
  const NbbFractal& gasket = find_fractal("sierpinski-gasket");
  EXPECT_EQ(tiles_of_halo(halo_of_tile(make_tiled_fractal(gasket, 5, 16))), 0b110101011u);
  EXPECT_EQ(tiles_of_halo(halo_of_tile(make_tiled_fractal(gasket, 5, 1))), 0b111101111u)
      << "a tile of one cell has eight neighbours";
  const NbbFractal& carpet = find_fractal("sierpinski-carpet");
  EXPECT_EQ(tiles_of_halo(halo_of_tile(make_tiled_fractal(carpet, 3, 9))), 0b111101111u);
}

}  // namespace
}  // namespace loom
