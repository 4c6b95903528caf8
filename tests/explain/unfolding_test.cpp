#include "app/explain/unfolding.h"

#include <gtest/gtest.h>

#include <cmath>
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

// Between two stages, the content of a replica moves as a whole: it begins and ends at the tiles' positions.
TEST(Unfolding, ContentMovesFromStageToStage) {
  for (const NbbFractal& fractal : built_in_fractals()) {
    const ThreadSpace threads(config_of(fractal, MapKind::kLambda, 4));
    const Unfolding unfolding(threads);
    for (int stage = 0; stage < unfolding.stages(); ++stage) {
      std::size_t contents = 0;
      for (std::size_t i = 0; i < unfolding.tiles(); ++i) {
        const auto middle = [&](int of) {
          const Coord64 place = unfolding.place(i, of);
          return glm::dvec2{static_cast<double>(place.x) + 0.5, static_cast<double>(place.y) + 0.5};
        };
        const auto from = unfolding.motion(i, stage, 0);
        const auto to = unfolding.motion(i, stage, 1);
        EXPECT_LT(glm::distance(from.apply(middle(stage)), middle(stage)), 1e-9) << fractal.name();
        EXPECT_LT(glm::distance(to.apply(middle(stage)), middle(stage + 1)), 1e-9)
            << fractal.name() << " stage " << stage << " tile " << i;
        contents += from.first ? 1 : 0;
      }
      const std::uint64_t inside =
          stage == 0 ? 1
          : threads.tiled().is_uniform()
              ? static_cast<std::uint64_t>(std::llround(std::pow(fractal.shape().k, stage)))
              : fractal.content(4, stage).cells(stage);
      EXPECT_EQ(contents, unfolding.tiles() / inside);
    }
  }
}

// Rotated replicas turn about their centre without changing size; mirrored ones turn over.
TEST(Unfolding, TurnedReplicasTurn) {
  const NbbFractal& fractal = find_fractal("mirrored-gasket");  // id, r90, mx
  const ThreadSpace threads(config_of(fractal, MapKind::kLambda, 3));
  const Unfolding unfolding(threads);
  int rotated = 0;
  int mirrored = 0;
  for (std::size_t i = 0; i < unfolding.tiles(); ++i) {
    const auto motion = unfolding.motion(i, 1, 0.5);
    const double area = motion.turn[0][0] * motion.turn[1][1] - motion.turn[0][1] * motion.turn[1][0];
    switch (unfolding.omega(i).y % 3) {
      case 0:
        EXPECT_EQ(motion.turn, glm::dmat2(1.0));
        break;
      case 1:  // 45 degrees clockwise, y down
        ++rotated;
        EXPECT_NEAR(area, 1, 1e-9);
        EXPECT_NEAR(motion.turn[0][1], std::sqrt(0.5), 1e-9);
        break;
      default:  // seen from its edge
        ++mirrored;
        EXPECT_NEAR(area, 0, 1e-9);
        EXPECT_NEAR(motion.turn[1][1], 1, 1e-9);
        break;
    }
  }
  EXPECT_EQ(rotated, 9);
  EXPECT_EQ(mirrored, 9);
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
