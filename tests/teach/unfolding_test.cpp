#include "app/teach/unfolding.h"

#include <gtest/gtest.h>

#include <set>

#include "app/teach/stepper.h"
#include "compute/core/error.h"
#include "configurations.h"

namespace loom::app::teach::tests {
namespace {

FractalConfig config_of(const NbbFractal& fractal, MapKind map, int level, std::uint32_t block = 1) {
  FractalConfig config{.fractal = fractal, .level = level, .block = block};
  config.method.map = map;
  keep_method_valid(config);
  return config;
}

// From omega to lambda(omega); at every stage each block has a place of its own within the extent, and what
// is unfolded so far agrees with the stepper.
TEST(Unfolding, GoesFromOmegaToLambdaForEveryFractal) {
  for (const NbbFractal& fractal : catalog()) {
    const ThreadSpace threads(config_of(fractal, MapKind::kLambda, 3));
    const Unfolding unfolding(threads);
    ASSERT_EQ(unfolding.stages(), 3) << fractal.name();
    ASSERT_EQ(unfolding.blocks(), threads.shape().blocks());
    EXPECT_EQ(unfolding.extent(0), (Coord64{threads.shape().blocks_x, threads.shape().blocks_y}));
    EXPECT_EQ(unfolding.extent(3), (Coord64{threads.blocked().grid_x, threads.blocked().grid_y}));
    for (int stage = 0; stage <= 3; ++stage) {
      std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
      for (std::size_t i = 0; i < unfolding.blocks(); ++i) {
        const Coord64 place = unfolding.place(i, stage);
        ASSERT_LT(place.x, unfolding.extent(stage).x) << fractal.name();
        ASSERT_LT(place.y, unfolding.extent(stage).y) << fractal.name();
        ASSERT_TRUE(seen.insert({place.x, place.y}).second) << fractal.name() << " stage " << stage;
      }
    }
    for (std::size_t i = 0; i < unfolding.blocks(); ++i) {
      EXPECT_EQ(unfolding.place(i, 0), unfolding.omega(i));
      EXPECT_EQ(unfolding.place(i, 3), threads.place_of({unfolding.omega(i), 0}).place);
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

TEST(Unfolding, TheBoundingBoxStaysAndManyBlocksAreRefused) {
  const Unfolding box(ThreadSpace(config_of(catalog().front(), MapKind::kBoundingBox, 4)));
  EXPECT_EQ(box.stages(), 0);
  EXPECT_EQ(box.place(17, 0), (Coord64{1, 1}));
  EXPECT_THROW(Unfolding(ThreadSpace(config_of(catalog().front(), MapKind::kLambda, 12))), InputError);
}

}  // namespace
}  // namespace loom::app::teach::tests
