#include <gtest/gtest.h>

#include "compute/check/reference_life.h"
#include "compute/check/reference_map.h"
#include "compute/check/sampled_verification.h"
#include "compute/core/error.h"
#include "compute/geometry/canonical_order.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"
#include "random_level_fractal.h"

namespace loom::tests {
namespace {

TEST(Symmetries, AreTheEightOfASquare) {
  for (const Symmetry symmetry : kSymmetries) {
    EXPECT_EQ(parse_symmetry(name_of(symmetry)), symmetry);
    for (std::uint64_t side = 1; side <= 4; ++side) {
      for (std::uint64_t i = 0; i < side * side; ++i) {
        const Coord64 at{i % side, i / side};
        const Coord64 image = reference_turn(symmetry, at, side);
        ASSERT_EQ(apply(symmetry, at, side), image) << name_of(symmetry);
        ASSERT_EQ(apply(inverse(symmetry), image, side), at) << name_of(symmetry);
        for (const Symmetry outer : kSymmetries)
          ASSERT_EQ(apply(compose(outer, symmetry), at, side), reference_turn(outer, image, side));
      }
    }
  }
  EXPECT_THROW(parse_symmetry("r45"), InputError);
}

/// lambda, nu, membership and canonical index against the recursive placement.
void expect_definition(const NbbFractal& fractal, int level) {
  const ReferenceLife reference(fractal, level);
  const CanonicalOrder<std::uint64_t> order(make_tiled_fractal(fractal, level, 1));
  const NbbTransform<std::uint32_t> transform(fractal, level);
  ASSERT_EQ(order.held(), reference.cell_count());
  std::vector<bool> cells(reference.width() * reference.height());
  for (std::uint64_t i = 0; i < reference.cell_count(); ++i) {
    const Coord64 place = reference.place(i);
    ASSERT_EQ(order.cell(i), place) << fractal.name() << " level " << level << " cell " << i;
    const auto index = order.index(place);
    ASSERT_TRUE(index.present);
    ASSERT_EQ(index.value, i) << fractal.name() << " level " << level;
    cells[place.y * reference.width() + place.x] = true;
  }
  for (std::uint64_t i = 0; i < cells.size(); ++i) {
    const Coord64 point{i % reference.width(), i / reference.width()};
    const Coord32 narrow{static_cast<std::uint32_t>(point.x), static_cast<std::uint32_t>(point.y)};
    ASSERT_EQ(is_member(transform, level, narrow), cells[i]) << fractal.name();
    ASSERT_EQ(order.index(point).present, cells[i]) << fractal.name();
  }
}

TEST(LevelFractals, MapsEqualTheRecursivePlacement) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const NbbFractal fractal = random_level_fractal(seed);
    const int most = level_of_points(fractal, 4096);
    for (int level = 0; level <= most; ++level) expect_definition(fractal, level);
    if (HasFatalFailure()) return;
  }
}

TEST(LevelFractals, CatalogueEqualsTheRecursivePlacement) {
  for (const NbbFractal& fractal : level_catalog()) {
    EXPECT_FALSE(description_of(fractal.name()).empty());
    EXPECT_EQ(find_fractal(fractal.name()), fractal);
    for (int level = 0; level <= level_of_points(fractal, 100'000); ++level)
      expect_definition(fractal, level);
  }
}

TEST(LevelFractals, EveryArithmeticIsExactAtEveryLevel) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const NbbFractal fractal = random_level_fractal(seed);
    std::mt19937_64 random(seed);
    for (const int level : {static_cast<int>(random() % static_cast<std::uint64_t>(fractal.max_level())),
                            fractal.max_level()}) {
      const auto sizes = allowed_tile_sizes(fractal, level);
      FractalConfig config{.fractal = fractal, .level = level, .tile_size = sizes[random() % sizes.size()]};
      const TiledFractal tiled = make_tiled_fractal(fractal, level, config.tile_size);
      const MapSamples samples = draw_map_samples(config, seed, 64);
      for (const MapKind map : {MapKind::kLambda, MapKind::kCompact}) {
        config.method.map = map;
        int tested = 0;
        for (const MapArithmetic arithmetic : arithmetics_of(map)) {
          config.method.arithmetic = arithmetic;
          if (!method_problem(config.method, tiled).empty()) continue;
          ++tested;
          const auto check = sampled_map_check(config, select_backend(BackendChoice::kCpu), samples);
          ASSERT_EQ(check.lambda_different + check.nu_different, 0u)
              << fractal.name() << " level " << level << " " << name_of(arithmetic) << ": " << check.first;
        }
        EXPECT_EQ(tested, fractal.kind() == LevelKind::kMixed    ? 3
                          : fractal.kind() == LevelKind::kTurned ? 2
                          : map == MapKind::kCompact             ? 5
                                                                 : tested);
      }
    }
  }
}

TEST(LevelFractals, OneGeneratorForAllLevelsIsUniform) {
  const Generator vicsek = find_fractal("vicsek").generators().front();
  const NbbFractal same("same", {vicsek, vicsek, vicsek});
  EXPECT_TRUE(same.is_uniform());
  EXPECT_EQ(same.generators().size(), 1u);
  Generator still = vicsek;
  still.orientations.assign(vicsek.offsets.size(), Symmetry::kIdentity);
  EXPECT_TRUE(NbbFractal("still", {still}).is_uniform());
  EXPECT_TRUE(NbbFractal("still", {still}).has_same_cells(find_fractal("vicsek")));
  const NbbFractal listed("listed", {vicsek, vicsek}, false);
  EXPECT_TRUE(listed.is_uniform());
  EXPECT_EQ(listed.max_level(), 2);
}

std::string refusal(const std::vector<Generator>& generators, bool repeats = true) {
  try {
    NbbFractal("wrong", generators, repeats);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(LevelFractals, BadInputIsRefused) {
  const Generator carpet = find_fractal("sierpinski-carpet").generators().front();
  Generator chandelier = find_fractal("chandelier").generators().front();
  chandelier.orientations.assign(4, Symmetry::kRotate180);
  EXPECT_NE(refusal({chandelier}).find("square scales"), std::string::npos);
  Generator turned = carpet;
  turned.orientations = {Symmetry::kRotate90};
  EXPECT_NE(refusal({turned}).find("1 orientations for 8 offsets"), std::string::npos);
  turned.orientations.assign(8, Symmetry::kRotate90);
  EXPECT_NE(refusal({turned, find_fractal("cantor").generators().front()}).find("square scales"),
            std::string::npos);
  EXPECT_NE(refusal(std::vector<Generator>(21, carpet), false).find("exceeds 2^62"), std::string::npos);
  EXPECT_EQ(refusal(std::vector<Generator>(20, carpet), false), "");
  EXPECT_NE(refusal({}).find("0 levels"), std::string::npos);
  const NbbFractal listed("listed", {carpet, find_fractal("vicsek").generators().front()}, false);
  EXPECT_EQ(listed.max_level(), 2);
  EXPECT_EQ(listed.cells(2), 40u);
  EXPECT_THROW(listed.cells(3), InputError);
}

TEST(LevelFractals, WhatIsNotPossibleHasAReason) {
  const TiledFractal mixed = make_tiled_fractal(find_fractal("carpet-vicsek"), 4, 9);
  const TiledFractal turned = make_tiled_fractal(find_fractal("mirrored-gasket"), 6, 8);
  const MapMethod tensor{.map = MapKind::kCompact, .arithmetic = MapArithmetic::kTensor};
  EXPECT_NE(method_problem(tensor, mixed).find("one generator"), std::string::npos);
  EXPECT_NE(method_problem(tensor, turned).find("turned replicas"), std::string::npos);
  const MapMethod shuffle{.map = MapKind::kLambda, .arithmetic = MapArithmetic::kShuffle};
  EXPECT_EQ(method_problem(shuffle, mixed), "");
  EXPECT_NE(method_problem(shuffle, turned).find("order"), std::string::npos);
  const MapMethod bits{.map = MapKind::kCompact, .storage = CellStorage::kBits};
  EXPECT_EQ(
      method_problem(bits, mixed),
      "bit planes need one generator for the lowest 2 levels, and the generator of level 1 is that of 1 "
      "level here; allowed with this fractal: --storage bytes");
  const Generator carpet = find_fractal("sierpinski-carpet").generators().front();
  const NbbFractal low("low", {find_fractal("vicsek").generators().front(), carpet, carpet}, false);
  EXPECT_EQ(method_problem(bits, make_tiled_fractal(low, 3, 1)), "");
  // With 2 levels of the list, the lowest level alone has the carpet.
  EXPECT_NE(method_problem(bits, make_tiled_fractal(low, 2, 1)).find("one generator"), std::string::npos);
  EXPECT_NE(method_problem(bits, turned).find("not turned"), std::string::npos);
  for (const TiledFractal& fractal : {mixed, turned}) {
    for (const MapMethod& method : {tensor, shuffle, bits})
      EXPECT_EQ(method_problem(nearest_valid(method, fractal), fractal), "");
  }
}

}  // namespace
}  // namespace loom::tests
