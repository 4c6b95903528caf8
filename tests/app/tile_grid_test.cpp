#include <gtest/gtest.h>

#include "app/workspaces/life/scene/life_stats.h"
#include "compute/backend/engine_factory.h"
#include "compute/check/reference_map.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/dispatch.h"

namespace loom::app {
namespace {

// The counts that panels and overlays show must equal those of the engines' threads, counted one by one.
TEST(TileGrid, AgreesWithTheEnginesThreads) {
  for (const NbbFractal& fractal : catalog()) {
    for (const MapKind map : kMapKinds) {
      for (const std::uint32_t tile_size : allowed_tile_sizes(fractal, 3)) {
        const FractalConfig config{
            .fractal = fractal, .level = 3, .tile_size = tile_size, .method = {.map = map}};
        const auto engine = make_fractal_engine(config, select_backend(BackendChoice::kCpu));
        const ThreadCount counted = engine->count_threads();
        const LaunchCount count = TileGrid(config).launch_count(map);
        EXPECT_EQ(count.tiles, counted.tiles_launched) << fractal.name();
        EXPECT_EQ(count.occupied_tiles, counted.tiles_occupied) << fractal.name();
        EXPECT_EQ(count.threads, counted.threads_launched) << fractal.name();
        EXPECT_EQ(count.cells, counted.threads_active) << fractal.name();
      }
    }
  }
}

// Compares with the reference implementation of λ and ν.
TEST(TileGrid, PlacesEveryPoint) {
  const FractalConfig config{.fractal = find_fractal("chandelier"), .level = 3, .tile_size = 3};
  const TileGrid space(config);
  std::uint64_t cells = 0;
  std::uint64_t occupied = 0;
  for (std::uint32_t y = 0; y < 8; ++y) {
    for (std::uint32_t x = 0; x < 27; ++x) {
      SCOPED_TRACE(testing::Message() << x << ", " << y);
      const auto place = space.place_at(x, y);
      ASSERT_TRUE(place);
      EXPECT_EQ(place->cell, (Coord64{x, y}));
      EXPECT_EQ(place->is_cell, reference_nu(config.fractal, 3, {x, y}).has_value());
      EXPECT_EQ(place->tile, (Coord64{x / 3, y / 2}));
      const auto omega = reference_nu(config.fractal, 2, {x / 3, y / 2});
      EXPECT_EQ(place->omega, omega);
      EXPECT_EQ(space.holds_cells(place->tile), omega.has_value());
      ASSERT_EQ(place->thread.has_value(), omega.has_value())
          << "the lambda map launches occupied tiles only";
      if (omega) {
        EXPECT_EQ(*place->thread, (Coord32{x % 3, y % 2}));
        EXPECT_EQ(space.expand(*omega), reference_lambda(config.fractal, 2, *omega));
      }
      cells += place->is_cell;
      occupied += omega && x % 3 == 0 && y % 2 == 0;
    }
  }
  EXPECT_EQ(cells, 64u);
  EXPECT_EQ(occupied, 16u);
  EXPECT_EQ(space.launch_count(MapKind::kLambda).occupied_tiles, 16u);
}

// Vicsek in tiles of 9 x 9 at level 3: five tiles with 25 cells each. The thread reported for a point must
// map to that point.
TEST(TileGrid, KnowsTheThreadUnderEveryMapping) {
  for (const IntraBlock intra_block : kIntraBlocks) {
    SCOPED_TRACE(name_of(intra_block));
    FractalConfig config{.fractal = find_fractal("vicsek"), .level = 3, .tile_size = 9};
    config.method.intra_block = intra_block;
    const TileGrid space(config);
    std::uint64_t with_thread = 0;
    for (std::int64_t y = 0; y < 27; ++y) {
      for (std::int64_t x = 0; x < 27; ++x) with_thread += space.place_at(x, y)->thread.has_value();
    }
    EXPECT_EQ(with_thread, intra_block == IntraBlock::kSubBox ? 405u : 125u);
    const HostMapTables tables(space.tiled());
    std::uint64_t led = 0;
    with_map(config.method, space.tiled(), tables.view(), [&](const auto& map, const auto&) {
      const LaunchShape shape = map.launch_shape();
      for (std::uint32_t b = 0; b < shape.tiles(); ++b) {
        const Coord32 omega{b % static_cast<std::uint32_t>(shape.tiles_x),
                            b / static_cast<std::uint32_t>(shape.tiles_x)};
        for (std::uint32_t y = 0; y < shape.threads_y; ++y) {
          for (std::uint32_t x = 0; x < shape.threads_x; ++x) {
            const auto found = cell_at(map, {omega.x, omega.y}, {x, y});
            if (!found.present) continue;
            ++led;
            const auto place = space.place_at(found.cell.x, found.cell.y);
            EXPECT_EQ(place->omega, (Coord64{omega.x, omega.y}));
            EXPECT_EQ(place->thread, (Coord32{x, y}));
          }
        }
      }
    });
    EXPECT_EQ(led, 125u);
  }
  const TileGrid box({.fractal = find_fractal("vicsek"),
                      .level = 3,
                      .tile_size = 9,
                      .method = {.map = MapKind::kBoundingBox}});
  EXPECT_TRUE(box.place_at(0, 0)->thread) << "the bounding box map launches threads for holes too";
}

TEST(TileGrid, NothingOutside) {
  const TileGrid space({.fractal = find_fractal("vicsek"), .level = 2, .tile_size = 3});
  for (const auto& [x, y] : {std::pair{-1, 0}, {0, -1}, {9, 0}, {0, 9}}) EXPECT_FALSE(space.place_at(x, y));
}

}  // namespace
}  // namespace loom::app
