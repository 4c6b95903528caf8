#include "compute/map/tiling.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "compute/geometry/nbb_catalog.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/staging.h"

namespace loom {
namespace {

/// Calls `use` for every method that runs on this tiled fractal, with every number of tiles per thread block.
template <typename Use>
void for_each_tiled_method(const TiledFractal& tiled, const Use& use) {
  for (const MapKind map : kMapKinds) {
    for (const MapArithmetic arithmetic : kMapArithmetics) {
      for (const IntraBlock intra_block : kIntraBlocks) {
        MapMethod method{.map = map, .arithmetic = arithmetic, .intra_block = intra_block};
        if (!method_problem(method, tiled).empty()) continue;
        use(method);
        for (const std::uint32_t tiles : allowed_tiles(method, tiled)) {
          method.tiles = tiles;
          use(method);
        }
      }
    }
  }
}

TEST(Tiling, EveryTileOfTheGridIsInAThreadBlockAndThreadBlocksAreWithinCudasLimits) {
  for (const NbbFractal& fractal : catalog()) {
    for (const int level : {0, 1, 5}) {
      for (const std::uint32_t tile_size : allowed_tile_sizes(fractal, level)) {
        const TiledFractal tiled = make_tiled_fractal(fractal, level, tile_size);
        for_each_tiled_method(tiled, [&](const MapMethod& method) {
          SCOPED_TRACE(fractal.name() + " level " + std::to_string(level) + " tile size " +
                       std::to_string(tile_size) + " " + to_string(method));
          EXPECT_EQ(method_problem(method, tiled), "");
          const bool box = method.map == MapKind::kBoundingBox;
          const LaunchShape shape{box ? tiled.grid_x : tiled.orthotope_x,
                                  box ? tiled.grid_y : tiled.orthotope_y, 1, threads_per_tile(method, tiled)};
          const GpuLaunch launch = gpu_launch(method, tiled, shape);
          const Tiling& tiling = launch.tiling;
          EXPECT_GE(launch.blocks_x * tiling.x, shape.tiles_x);
          EXPECT_GE(launch.blocks_y * tiling.y, shape.tiles_y);
          EXPECT_EQ(tiling.tiles() % tiling.parallel, 0u);
          EXPECT_LE(tiling.tiles(), kMaxTiles);
          EXPECT_LE(launch.threads, kMaxBlockThreads);
          EXPECT_GE(launch.threads, launch.threads_of_tile * tiling.parallel);
          if (method.arithmetic == MapArithmetic::kTensor2 && !box) return;
          EXPECT_EQ(launch.blocks_x * tiling.x, shape.tiles_x)
              << "tiles per thread block must divide the grid";
          EXPECT_EQ(tiling.y, 1u);
        });
      }
    }
  }
}

TEST(Tiling, AMethodThatAsksForMoreThanThereIsIsAnsweredWithWhatThereIs) {
  const TiledFractal tiled = make_tiled_fractal(find_fractal("sierpinski-gasket"), 6, 16);
  const MapMethod method{.map = MapKind::kLambda, .tiles = 5};
  EXPECT_NE(method_problem(method, tiled).find("allowed: auto, 1, 3"), std::string::npos)
      << method_problem(method, tiled);
  EXPECT_EQ(nearest_valid(method, tiled).tiles, 3u);
  const MapMethod tensor{.map = MapKind::kCompact, .arithmetic = MapArithmetic::kTensor2};
  EXPECT_EQ(nearest_valid(tensor, tiled).arithmetic, MapArithmetic::kTensor);
}

/// Whether a tile has a cell at (x, y), which may lie outside the tile.
bool has_cell(const TiledFractal& tiled, int x, int y) {
  const auto rho_x = static_cast<int>(tiled.rho_x);
  return x >= 0 && y >= 0 && x < rho_x && y < static_cast<int>(tiled.rho_y) &&
         tiled.micro_member(static_cast<std::uint32_t>(y * rho_x + x));
}

TEST(StagedTile, TheRimHoldsWhatTheTilesCellsReadOutsideAndNothingTwice) {
  for (const NbbFractal& fractal : catalog()) {
    for (const std::uint32_t tile_size : allowed_tile_sizes(fractal, 5)) {
      SCOPED_TRACE(fractal.name() + " tile size " + std::to_string(tile_size));
      const TiledFractal tiled = make_tiled_fractal(fractal, 5, tile_size);
      const StagedTile staged(tiled);
      const auto rho_x = static_cast<int>(tiled.rho_x);
      const auto rho_y = static_cast<int>(tiled.rho_y);
      std::set<std::uint32_t> targets;
      for (const HaloCell& cell : halo_of_tile(tiled)) {
        EXPECT_TRUE(targets.insert(cell.target()).second);
        EXPECT_LT(cell.target(), staged.cells);
        EXPECT_NE(cell.tile(), 4u) << "the tile itself is not part of its halo";
        EXPECT_TRUE(tiled.micro_member(cell.source())) << "the halo must not contain holes";
      }
      std::set<std::uint32_t> read;
      for (int y = 0; y < rho_y; ++y) {
        for (int x = 0; x < rho_x; ++x) {
          if (!has_cell(tiled, x, y)) continue;
          for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
              const bool inside = x + dx >= 0 && y + dy >= 0 && x + dx < rho_x && y + dy < rho_y;
              // All tiles have the same cells.
              const bool cell = has_cell(tiled, (x + dx + rho_x) % rho_x, (y + dy + rho_y) % rho_y);
              if (!inside && cell)
                read.insert(
                    staged.at(static_cast<std::uint32_t>(x + dx), static_cast<std::uint32_t>(y + dy)));
            }
          }
        }
      }
      EXPECT_EQ(targets, read);
    }
  }
}

}  // namespace
}  // namespace loom
