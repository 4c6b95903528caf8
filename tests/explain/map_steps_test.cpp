#include "app/explain/map_steps.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "compute/core/error.h"
#include "compute/core/integer_math.h"
#include "compute/geometry/transforms.h"
#include "configurations.h"

namespace loom::app::explain {
namespace {

bool lies_in(const CellRect& inner, const CellRect& outer) {
  return inner.corner.x >= outer.corner.x && inner.corner.y >= outer.corner.y &&
         inner.corner.x - outer.corner.x + inner.size.x <= outer.size.x &&
         inner.corner.y - outer.corner.y + inner.size.y <= outer.size.y;
}

// The marked squares are nested: the largest is a replica of the whole, the smallest is the tile, and each
// lies at its offset within the next larger one.
template <typename Steps>
void check_squares(const TiledFractal& tiled, const Steps& steps, Coord64 place) {
  CellRect outer{{0, 0}, {tiled.width, tiled.height}};
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const CellRect& inner = step->square;
    RC_ASSERT(lies_in(inner, outer));
    RC_ASSERT(inner.size.x * tiled.shape.s_x == outer.size.x);
    RC_ASSERT(inner.size.y * tiled.shape.s_y == outer.size.y);
    RC_ASSERT((inner.corner.x - outer.corner.x) / inner.size.x == step->offset.x);
    RC_ASSERT((inner.corner.y - outer.corner.y) / inner.size.y == step->offset.y);
    outer = inner;
  }
  RC_ASSERT(outer.corner == (Coord64{place.x * tiled.rho_x, place.y * tiled.rho_y}));
}

TEST(Stepper, LambdaIsTheSumOfItsStepsAndNuItsInverseAtRandomLevels) {
  EXPECT_TRUE(rc::check([] {
    const ThreadSpace space(tests::random_configuration());
    const TiledFractal& tiled = space.tiled();
    const NbbTransform<std::uint64_t> transform(tiled.shape);
    const Coord64 omega{tests::random_below(tiled.orthotope_x), tests::random_below(tiled.orthotope_y)};
    const LambdaSteps lambda = lambda_steps(space, omega);
    RC_ASSERT(lambda.place == lambda_map(transform, tiled.coarse_level, omega));
    RC_ASSERT(lambda.steps.size() == static_cast<std::size_t>(tiled.coarse_level));
    const NuSteps nu = nu_steps(space, lambda.place);
    RC_ASSERT(nu.present);
    RC_ASSERT(nu.omega == omega);
    RC_ASSERT(nu.steps.size() == lambda.steps.size());
    check_squares(tiled, lambda.steps, lambda.place);
    check_squares(tiled, nu.steps, lambda.place);
    Coord64 sum;
    for (std::size_t i = 0; i < lambda.steps.size(); ++i) {
      const LambdaStep& there = lambda.steps[i];
      const NuStep& back = nu.steps[i];
      RC_ASSERT(there.level == static_cast<int>(i) + 1);
      RC_ASSERT(there.digit == there.rest % tiled.shape.k);
      RC_ASSERT(there.offset ==
                (Coord32{tiled.shape.offset_x[there.digit], tiled.shape.offset_y[there.digit]}));
      RC_ASSERT(there.term == (Coord64{there.offset.x * there.weight.x, there.offset.y * there.weight.y}));
      sum = {sum.x + there.term.x, sum.y + there.term.y};
      RC_ASSERT(there.sum == sum);
      RC_ASSERT(back.replica == static_cast<int>(there.digit));
      RC_ASSERT(back.offset == there.offset);
      RC_ASSERT(back.to_x == there.from_x);
      RC_ASSERT((back.to_x ? back.term.x : back.term.y) == back.weight * there.digit);
    }
    RC_ASSERT(sum == lambda.place);
    if (!nu.steps.empty()) RC_ASSERT(nu.steps.back().sum == omega);
  }));
}

TEST(Stepper, NuSaysWhichLevelMakesAHole) {
  EXPECT_TRUE(rc::check([] {
    const ThreadSpace space(tests::random_configuration());
    const TiledFractal& tiled = space.tiled();
    const Coord64 place{tests::random_below(tiled.grid_x), tests::random_below(tiled.grid_y)};
    const NuSteps nu = nu_steps(space, place);
    const auto found = nu_map(NbbTransform<std::uint64_t>(tiled.shape), tiled.coarse_level, place);
    RC_ASSERT(nu.present == found.present);
    for (const NuStep& step : nu.steps) {
      RC_ASSERT((step.replica < 0) == (!nu.present && &step == &nu.steps.back()));
    }
  }));
}

TEST(Stepper, WritesTheFormulasOut) {
  const NbbFractal& gasket = find_fractal("sierpinski-gasket");
  const ThreadSpace space({.fractal = gasket, .level = 7, .tile_size = 8});
  const LambdaSteps lambda = lambda_steps(space, {2, 5});
  EXPECT_EQ(lambda.formula_x, "λ_x(2, 5) = 1·1 + 1·2 + 0·4 + 0·8 = 3");
  EXPECT_EQ(lambda.formula_y, "λ_y(2, 5) = 1·1 + 1·2 + 0·4 + 1·8 = 11");
  EXPECT_EQ(lambda.steps[1].formula, "β_2 = ⌊ω_y / 3^0⌋ mod 3 = ⌊5 / 1⌋ mod 3 = 2, τ_2 = H[2] = (1, 1)");
  EXPECT_EQ(lambda.steps[3].square.corner, (Coord64{0, 64}));
  EXPECT_EQ(lambda.steps[3].square.size, (Coord64{64, 64}));
  const NuSteps nu = nu_steps(space, {3, 11});
  EXPECT_EQ(nu.formula_x, "ν_x(3, 11) = 2·1 + 0·3 = 2");
  EXPECT_EQ(nu.formula_y, "ν_y(3, 11) = 2·1 + 1·3 = 5");
  EXPECT_EQ(nu.steps[1].formula, "τ_2 = (⌊3 / 2⌋ mod 2, ⌊11 / 2⌋ mod 2) = (1, 1), b_2 = H⁻¹(1, 1) = 2");
  const NuSteps hole = nu_steps(space, {3, 12});
  EXPECT_EQ(hole.formula_x, "ν(3, 12) is undefined: level 1 has no replica at (1, 0)");
  EXPECT_EQ(hole.steps.back().formula,
            "τ_1 = (⌊3 / 1⌋ mod 2, ⌊12 / 1⌋ mod 2) = (1, 0), b_1 = H⁻¹(1, 0): no replica, a hole");
  const ThreadSpace one_tile({.fractal = gasket, .level = 3, .tile_size = 8});
  EXPECT_EQ(lambda_steps(one_tile, {0, 0}).formula_x, "λ_x(0, 0) = 0");
  EXPECT_THROW(lambda_steps(space, {9, 0}), InputError);
  EXPECT_THROW(nu_steps(space, {0, 16}), InputError);
}

// Fractals whose levels differ: the steps end at lambda and nu, sums and digits agree level by level.
TEST(MapSteps, LevelFractalsAreExplainedLevelByLevel) {
  for (const NbbFractal& fractal : level_catalog()) {
    const ThreadSpace space(
        {.fractal = fractal, .level = 4, .tile_size = 1, .method = {.map = MapKind::kCompact}});
    const TiledFractal& tiled = space.tiled();
    const NbbTransform<std::uint64_t> transform(tiled.shape, tiled.levels, tiled.coarse_level);
    for (std::uint64_t y = 0; y < tiled.orthotope_y; ++y) {
      for (std::uint64_t x = 0; x < tiled.orthotope_x; ++x) {
        const Coord64 omega{x, y};
        const LambdaSteps there = lambda_steps(space, omega);
        const Coord64 place = lambda_map(transform, tiled.coarse_level, omega);
        ASSERT_EQ(there.place, place) << fractal.name();
        ASSERT_EQ(there.steps.back().sum, place) << fractal.name();
        const NuSteps back = nu_steps(space, place);
        ASSERT_TRUE(back.present) << fractal.name();
        ASSERT_EQ(back.omega, omega) << fractal.name();
        ASSERT_EQ(back.steps.back().sum, omega) << fractal.name();
        ASSERT_EQ(back.steps.size(), there.steps.size());
        for (std::size_t i = 0; i < back.steps.size(); ++i) {
          ASSERT_EQ(static_cast<std::uint32_t>(back.steps[i].replica), there.steps[i].digit)
              << fractal.name();
          ASSERT_EQ(back.steps[i].symmetry, there.steps[i].symmetry) << fractal.name();
        }
      }
    }
    // A hole ends the walk at a level without a replica.
    for (std::uint64_t i = 0; i < tiled.grid_x * tiled.grid_y; ++i) {
      const Coord64 place{i % tiled.grid_x, i / tiled.grid_x};
      const NuSteps steps = nu_steps(space, place);
      ASSERT_EQ(steps.present, is_member(transform, tiled.coarse_level, place)) << fractal.name();
      if (!steps.present) {
        ASSERT_NE(steps.formula_x.find("undefined"), std::string::npos);
      }
    }
  }
}

}  // namespace
}  // namespace loom::app::explain
