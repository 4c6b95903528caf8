#include <gtest/gtest.h>

#include <glm/common.hpp>

#include "app/explain/show_me.h"
#include "app/explain/thread_space.h"
#include "app/explain/unfolding.h"
#include "configurations.h"
#include "random_level_fractal.h"

namespace loom::app::explain::tests {
namespace {

ThreadSpace threads_of(const NbbFractal& fractal, MapKind map, int level) {
  FractalConfig config{.fractal = fractal, .level = level, .tile_size = 1};
  config.method.map = map;
  keep_method_valid(config);
  return ThreadSpace(config);
}

constexpr MapTransition::Box kSquare{{10, 20}, {216, 216}};
constexpr MapTransition::Box kGrid{{400, 30}, {81, 27}};

glm::vec2 place_in(const MapTransition::Box& box, Coord64 of, Coord64 at) {
  return box.corner + box.size * glm::vec2(at.x, at.y) / glm::vec2(of.x, of.y);
}

testing::AssertionResult is_at(const MapTransition::Box& box, glm::vec2 wanted) {
  const glm::vec2 off = glm::abs(box.corner - wanted);
  if (off.x < 1e-3f && off.y < 1e-3f) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "off by " << off.x << ", " << off.y;
}

// At both ends, each tile is where the map puts it: the launch of the bounding box has it at its position,
// that of lambda at its index.
TEST(MapTransition, BeginsAndEndsInTheLaunchGridsOfTheMaps) {
  for (const NbbFractal& fractal : catalog()) {
    const ThreadSpace box = threads_of(fractal, MapKind::kBoundingBox, 3);
    const ThreadSpace lambda = threads_of(fractal, MapKind::kLambda, 3);
    const MapTransition to_lambda(lambda.tiled(), MapKind::kBoundingBox, MapKind::kLambda);
    const MapTransition back(lambda.tiled(), MapKind::kLambda, MapKind::kBoundingBox);
    EXPECT_FALSE(to_lambda.in_memory());
    const Coord64 square{box.shape().tiles_x, box.shape().tiles_y};
    const Coord64 grid{lambda.shape().tiles_x, lambda.shape().tiles_y};
    ASSERT_EQ(to_lambda.square(), square) << fractal.name();
    ASSERT_EQ(to_lambda.grid(), grid) << fractal.name();
    ASSERT_EQ(to_lambda.tiles(), lambda.shape().tiles());
    for (std::size_t i = 0; i < to_lambda.tiles(); ++i) {
      const Coord64 omega{i % grid.x, i / grid.x};
      const Coord64 position = lambda.location_of({omega, 0}).place;
      EXPECT_TRUE(is_at(to_lambda.tile(i, 0, kSquare, kGrid), place_in(kSquare, square, position)));
      EXPECT_TRUE(
          is_at(to_lambda.tile(i, MapTransition::kSeconds, kSquare, kGrid), place_in(kGrid, grid, omega)));
      EXPECT_TRUE(is_at(back.tile(i, 0, kSquare, kGrid), place_in(kGrid, grid, omega)));
      EXPECT_TRUE(
          is_at(back.tile(i, MapTransition::kSeconds, kSquare, kGrid), place_in(kSquare, square, position)));
    }
  }
}

TEST(MapTransition, IsHalfwayInTheMiddleAndStaysAtTheEnd) {
  const ThreadSpace lambda = threads_of(catalog().front(), MapKind::kLambda, 4);
  const MapTransition transition(lambda.tiled(), MapKind::kBoundingBox, MapKind::kCompact);
  EXPECT_EQ(transition.grid_share(0), 0);
  EXPECT_FLOAT_EQ(transition.grid_share(MapTransition::kSeconds / 2), 0.5f);
  EXPECT_EQ(transition.grid_share(MapTransition::kSeconds), 1);
  EXPECT_EQ(transition.grid_share(100), 1);
  float before = -1;
  for (int i = 0; i <= 60; ++i) {
    const float share = transition.grid_share(MapTransition::kSeconds * i / 60);
    EXPECT_GT(share, before);
    before = share;
  }
  for (std::size_t i = 0; i < transition.tiles(); ++i) {
    const auto at = [&](double part) {
      return transition.tile(i, MapTransition::kSeconds * part, kSquare, kGrid);
    };
    const glm::vec2 middle = (at(0).corner + at(1).corner) / 2.0f;
    EXPECT_NEAR(at(0.5).corner.x, middle.x, 1e-3f);
    EXPECT_NEAR(at(0.5).corner.y, middle.y, 1e-3f);
  }
}

// Lambda and compact launch the same grid; only their memory differs.
TEST(MapTransition, BetweenLambdaAndCompactTilesMoveInMemory) {
  const ThreadSpace lambda = threads_of(catalog().front(), MapKind::kLambda, 4);
  const MapTransition to_compact(lambda.tiled(), MapKind::kLambda, MapKind::kCompact);
  EXPECT_TRUE(to_compact.in_memory());
  EXPECT_EQ(to_compact.grid_share(0), 0);
  EXPECT_EQ(to_compact.grid_share(MapTransition::kSeconds), 1);
  const MapTransition back(lambda.tiled(), MapKind::kCompact, MapKind::kLambda);
  EXPECT_TRUE(back.in_memory());
  EXPECT_EQ(back.grid_share(0), 1);
  EXPECT_EQ(back.grid_share(MapTransition::kSeconds), 0);
}

TEST(MapTransition, FollowsLambdaWhereLevelsDifferAndReplicasAreTurned) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const ThreadSpace lambda = threads_of(loom::tests::random_level_fractal(seed), MapKind::kLambda, 3);
    const MapTransition transition(lambda.tiled(), MapKind::kBoundingBox, MapKind::kLambda);
    if (transition.tiles() < lambda.shape().tiles()) continue;  // rectangles are groups of tiles
    for (std::size_t i = 0; i < transition.tiles(); ++i) {
      const Coord64 omega{i % transition.grid().x, i / transition.grid().x};
      const Coord64 position = lambda.location_of({omega, 0}).place;
      ASSERT_TRUE(
          is_at(transition.tile(i, 0, kSquare, kGrid), place_in(kSquare, transition.square(), position)))
          << seed;
    }
  }
}

// At a high level a rectangle stands for many tiles: the position and the index of its first tile, divided by
// the number of tiles along its side.
TEST(MapTransition, AtAHighLevelRectanglesAreGroupsOfTiles) {
  for (const NbbFractal& fractal : catalog()) {
    const ThreadSpace lambda = threads_of(fractal, MapKind::kLambda, 13);
    const MapTransition transition(lambda.tiled(), MapKind::kBoundingBox, MapKind::kLambda);
    EXPECT_LE(transition.tiles(), MapTransition::kMaxTiles) << fractal.name();
    EXPECT_GT(transition.tiles(), 8u) << fractal.name();
    const Coord64 group{lambda.shape().tiles_x / transition.grid().x,
                        lambda.shape().tiles_y / transition.grid().y};
    const Coord64 side{lambda.tiled().grid_x / transition.square().x,
                       lambda.tiled().grid_y / transition.square().y};
    for (std::size_t i = 0; i < transition.tiles(); i += 7) {
      const Coord64 omega{i % transition.grid().x, i / transition.grid().x};
      const Coord64 position = lambda.location_of({{omega.x * group.x, omega.y * group.y}, 0}).place;
      const glm::vec2 wanted =
          place_in(kSquare, transition.square(), {position.x / side.x, position.y / side.y});
      EXPECT_TRUE(is_at(transition.tile(i, 0, kSquare, kGrid), wanted)) << fractal.name();
    }
  }
}

}  // namespace
}  // namespace loom::app::explain::tests
