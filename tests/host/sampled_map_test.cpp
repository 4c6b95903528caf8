#include <gtest/gtest.h>

#include "compute/check/reference_life.h"
#include "compute/check/reference_map.h"
#include "compute/check/sampled_verification.h"
#include "compute/check/verification.h"
#include "compute/engine/work_costs.h"
#include "compute/map/tiling.h"
#include "fractals.h"

namespace loom {
namespace {

TEST(ReferenceMap, IsTheDefinition) {
  for (const NbbFractal& fractal : catalog()) {
    const int level = tests::level_within(fractal, 5000);
    const auto cells = tests::cells_by_definition(fractal, level);
    const std::uint64_t wide = fractal.cells((level + 1) / 2);
    for (std::uint64_t i = 0; i < cells.size(); ++i) {
      const Coord64 omega{i % wide, i / wide};
      ASSERT_EQ(reference_lambda(fractal, level, omega), cells[i]) << fractal.name() << " " << i;
      ASSERT_EQ(reference_nu(fractal, level, cells[i]), omega) << fractal.name() << " " << i;
    }
    for (std::uint64_t y = 0; y < fractal.height(level); ++y) {
      for (std::uint64_t x = 0; x < fractal.width(level); ++x) {
        ASSERT_EQ(reference_nu(fractal, level, {x, y}).has_value(),
                  tests::member_by_recursion(fractal, level, {x, y}));
      }
    }
  }
}

TEST(ReferenceWork, AgreesWithReferenceLifeOnWhereCellsLie) {
  ReferenceLife reference(find_fractal("vicsek"), 3);
  reference.reset({.seed = 3, .density = 1});
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < reference.cell_count(); ++i) {
    const Coord64 place = reference.place(i);
    sum += 1 + ((place.x ^ place.y) & 7);
  }
  EXPECT_EQ(reference.reduction_sum(), sum);
  reference.single_write(5);
  const auto cells = reference.cells();
  for (std::uint64_t i = 0; i < reference.cell_count(); ++i) {
    const Coord64 place = reference.place(i);
    ASSERT_EQ(cells[i], (place.x + place.y + 5) / 8 % 2) << i;
  }
}

TEST(MapSamples, AreWithinTheirSpacesAndTheSameForTheSameSeed) {
  const FractalConfig config{.fractal = find_fractal("candy"), .level = 9, .tile_size = 4};
  const TiledFractal tiled = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  const MapSamples samples = draw_map_samples(config, 7, 100);
  ASSERT_EQ(samples.omegas.size(), 104u);
  ASSERT_EQ(samples.positions.size(), samples.omegas.size());
  ASSERT_EQ(samples.places.size(), 104u);
  std::size_t occupied = 0;
  for (std::size_t i = 0; i < samples.omegas.size(); ++i) {
    EXPECT_LT(samples.omegas[i].x, tiled.orthotope_x);
    EXPECT_LT(samples.omegas[i].y, tiled.orthotope_y);
    EXPECT_TRUE(tiled.micro_member(samples.positions[i].y * tiled.rho_x + samples.positions[i].x));
    EXPECT_LT(samples.places[i].x, tiled.grid_x);
    EXPECT_LT(samples.places[i].y, tiled.grid_y);
    occupied += reference_nu(config.fractal, tiled.coarse_level, samples.places[i]).has_value();
  }
  EXPECT_GE(occupied, 50u);
  EXPECT_LT(occupied, 104u) << "the samples must include holes";
  EXPECT_EQ(draw_map_samples(config, 7, 100).omegas, samples.omegas);
  EXPECT_NE(draw_map_samples(config, 8, 100).omegas, samples.omegas);
}

TEST(SampledMapCheck, PassesWhatIsExactAndFindsWhatIsNot) {
  const BackendSelection cpu;
  for (const MapKind map : {MapKind::kLambda, MapKind::kCompact}) {
    for (const MapArithmetic arithmetic : arithmetics_of(map)) {
      const FractalConfig config{.fractal = find_fractal("vicsek"),
                                 .level = 14,
                                 .tile_size = 3,
                                 .method = {.map = map, .arithmetic = arithmetic}};
      const auto check = sampled_map_check(config, cpu, draw_map_samples(config, 1, 200));
      EXPECT_EQ(check.lambda_values, 204u);
      EXPECT_EQ(check.nu_values, map == MapKind::kCompact ? 204u : 0u);
      if (is_exact(arithmetic)) {
        EXPECT_EQ(check.lambda_different + check.nu_different, 0u) << check.first;
        EXPECT_EQ(check.first, "");
      } else {  // tile level 13: above the FP16 limits, 8 for lambda and 11 for nu
        EXPECT_GT(check.lambda_different, 100u);
        if (map == MapKind::kCompact) {
          EXPECT_GT(check.nu_different, 10u);
        }
        EXPECT_NE(check.first.find("expected"), std::string::npos);
      }
    }
  }
}

TEST(AllMethods, WithTilesHaveTheExtremesOfLoop) {
  const NbbFractal& gasket = find_fractal("sierpinski-gasket");
  const auto plain = all_methods(gasket, 5, MethodSet::kAll);
  const auto tiled = all_methods(gasket, 5, MethodSet::kAllTiles);
  std::size_t largest = 0;
  for (const FractalConfig& config : tiled) {
    EXPECT_NO_THROW(validate(config));
    if (config.method.tiles == 0) continue;
    EXPECT_TRUE(config.method.map == MapKind::kBoundingBox ||
                config.method.arithmetic == MapArithmetic::kLoop);
    const auto allowed =
        allowed_tiles(config.method, make_tiled_fractal(config.fractal, config.level, config.tile_size));
    EXPECT_TRUE(config.method.tiles == 1 || config.method.tiles == allowed.back());
    largest += config.method.tiles > 1;
  }
  EXPECT_GT(largest, 20u);
  EXPECT_GT(tiled.size(), plain.size() + largest);
}

}  // namespace
}  // namespace loom
