#include "app/explain/unfolding.h"

#include <gtest/gtest.h>

#include <set>

#include "app/explain/map_steps.h"
#include "configurations.h"

namespace loom::app::explain::tests {
namespace {

FractalConfig config_of(const NbbFractal& fractal, MapKind map, int level, std::uint32_t tile_size = 1) {
  FractalConfig config{.fractal = fractal, .level = level, .tile_size = tile_size};
  config.method.map = map;
  keep_method_valid(config);
  return config;
}

// Tiles move from omega to lambda(omega). At every stage, each tile has its own position within the extent,
// and the digits unfolded so far agree with the map steps.
TEST(Unfolding, GoesFromOmegaToLambdaForEveryFractal) {
  for (const NbbFractal& fractal : catalog()) {
    const ThreadSpace threads(config_of(fractal, MapKind::kLambda, 3));
    const Unfolding unfolding(threads);
    ASSERT_EQ(unfolding.stages(), 3) << fractal.name();
    ASSERT_EQ(unfolding.tiles(), threads.shape().tiles());
    EXPECT_EQ(unfolding.extent(0), (Coord64{threads.shape().tiles_x, threads.shape().tiles_y}));
    EXPECT_EQ(unfolding.extent(3), (Coord64{threads.tiled().grid_x, threads.tiled().grid_y}));
    for (int stage = 0; stage <= 3; ++stage) {
      std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
      for (std::size_t i = 0; i < unfolding.tiles(); ++i) {
        const Coord64 place = unfolding.place(i, stage);
        ASSERT_LT(place.x, unfolding.extent(stage).x) << fractal.name();
        ASSERT_LT(place.y, unfolding.extent(stage).y) << fractal.name();
        ASSERT_TRUE(seen.insert({place.x, place.y}).second) << fractal.name() << " stage " << stage;
      }
    }
    for (std::size_t i = 0; i < unfolding.tiles(); ++i) {
      EXPECT_EQ(unfolding.place(i, 0), unfolding.omega(i));
      EXPECT_EQ(unfolding.place(i, 3), threads.location_of({unfolding.omega(i), 0}).place);
      const LambdaSteps steps = lambda_steps(threads, unfolding.omega(i));
      for (int stage = 1; stage <= 3; ++stage) {
        const Coord64 sum = steps.steps[static_cast<std::size_t>(stage - 1)].sum;
        const Coord64 weight = steps.steps[static_cast<std::size_t>(stage - 1)].weight;
        const Coord64 side{weight.x * fractal.shape().s_x, weight.y * fractal.shape().s_y};
        const Coord64 place = unfolding.place(i, stage);
        EXPECT_EQ((Coord64{place.x % side.x, place.y % side.y}), sum);
      }
    }
  }
}

TEST(Unfolding, TheBoundingBoxStays) {
  const Unfolding box(ThreadSpace(config_of(catalog().front(), MapKind::kBoundingBox, 4)));
  EXPECT_EQ(box.stages(), 0);
  EXPECT_EQ(box.place(17, 0), (Coord64{1, 1}));
  EXPECT_TRUE(box.whole());
}

// For a launch with very many tiles, only the first sub-square is unfolded. Each tile ends where lambda of
// the whole fractal places it.
TEST(Unfolding, OfManyTilesIsTheFirstSubSquare) {
  for (const NbbFractal& fractal : catalog()) {
    for (const int level : {12, 18}) {
      if (level > fractal.max_level()) continue;
      const ThreadSpace threads(config_of(fractal, MapKind::kLambda, level));
      const Unfolding unfolding(threads);
      const std::uint64_t k = fractal.shape().k;
      EXPECT_EQ(unfolding.whole(), threads.shape().tiles() <= Unfolding::kMaxTiles) << fractal.name();
      EXPECT_LE(unfolding.tiles(), Unfolding::kMaxTiles);
      if (!unfolding.whole()) {
        EXPECT_GT(unfolding.tiles() * k, Unfolding::kMaxTiles);
      }
      EXPECT_EQ(unfolding.stages(), unfolding.levels());
      for (std::size_t i = 0; i < unfolding.tiles(); ++i) {
        const Coord64 part = unfolding.place(i, unfolding.stages());
        ASSERT_LT(part.x, unfolding.extent(unfolding.stages()).x);
        ASSERT_LT(part.y, unfolding.extent(unfolding.stages()).y);
        // All higher digits are 0, so the sub-square lies in the first replica of each higher level.
        const Coord64 whole = threads.location_of({unfolding.omega(i), 0}).place;
        const Coord64 corner = threads.location_of({{0, 0}, 0}).place;
        const Coord64 own = unfolding.place(0, unfolding.stages());
        EXPECT_EQ((Coord64{whole.x - corner.x + own.x, whole.y - corner.y + own.y}), part) << fractal.name();
      }
    }
  }
  const Unfolding box(ThreadSpace(config_of(catalog().front(), MapKind::kBoundingBox, 12)));
  EXPECT_FALSE(box.whole());
  EXPECT_LE(box.tiles(), Unfolding::kMaxTiles);
  EXPECT_GT(box.tiles(), 8000u);
}

}  // namespace
}  // namespace loom::app::explain::tests
