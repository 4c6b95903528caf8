#include <gtest/gtest.h>

#include <cmath>

#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/geometry/tiled_fractal.h"
#include "fractals.h"

namespace loom {
namespace {

/// The message of the InputError that `make` throws.
template <typename Make>
std::string input_error(const Make& make) {
  try {
    make();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Catalog, IsTheNineOfTheDesign) {
  const std::vector<std::pair<std::string, std::array<std::uint32_t, 3>>> expected = {
      {"sierpinski-gasket", {3, 2, 2}},
      {"sierpinski-carpet", {8, 3, 3}},
      {"vicsek", {5, 3, 3}},
      {"x-fractal", {5, 3, 3}},
      {"h-fractal", {7, 3, 3}},
      {"empty-bottles", {7, 3, 3}},
      {"candy", {12, 4, 4}},
      {"chandelier", {4, 3, 2}},
      {"cantor", {2, 3, 1}}};
  ASSERT_EQ(catalog().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const NbbFractal& fractal = catalog()[i];
    EXPECT_EQ(fractal.name(), expected[i].first);
    EXPECT_EQ(fractal.shape().k, expected[i].second[0]);
    EXPECT_EQ(fractal.shape().s_x, expected[i].second[1]);
    EXPECT_EQ(fractal.shape().s_y, expected[i].second[2]);
    EXPECT_EQ(find_fractal(fractal.name()), fractal);
  }
}

TEST(Catalog, OffsetsRunRowByRow) {
  for (const NbbFractal& fractal : catalog()) {
    const std::vector<Coord32> offsets = fractal.offsets();
    for (std::size_t i = 1; i < offsets.size(); ++i) {
      EXPECT_LT(std::pair(offsets[i - 1].y, offsets[i - 1].x), std::pair(offsets[i].y, offsets[i].x))
          << fractal.name();
    }
  }
}

TEST(Catalog, UnknownNameListsTheNames) {
  const std::string message = input_error([] { find_fractal("sponge"); });
  for (const NbbFractal& fractal : catalog())
    EXPECT_NE(message.find(fractal.name()), std::string::npos) << message;
}

TEST(NbbFractal, RejectsWhatIsNotNbb) {
  EXPECT_NE(input_error([] { NbbFractal("f", 2, 2, {{0, 0}, {0, 0}}); }).find("twice"), std::string::npos);
  EXPECT_NE(input_error([] {
              NbbFractal("f", 2, 2, {{0, 0}, {2, 0}});
            }).find("x from 0 to 1"),
            std::string::npos);
  EXPECT_NE(input_error([] { NbbFractal("f", 2, 2, {{0, 0}}); }).find("at least 2"), std::string::npos);
  EXPECT_NE(input_error([] { NbbFractal("f", 9, 2, {{0, 0}, {1, 0}}); }).find("1 to 8"), std::string::npos);
  EXPECT_NE(input_error([] { NbbFractal("f", 0, 2, {{0, 0}, {0, 1}}); }).find("1 to 8"), std::string::npos);
  EXPECT_NE(input_error([] {
              NbbFractal("f", 1, 1, {{0, 0}, {0, 0}});
            }).find("not both 1"),
            std::string::npos);
}

TEST(NbbFractal, LevelsEndAtSixtyFourBits) {
  const NbbFractal& gasket = find_fractal("sierpinski-gasket");
  EXPECT_EQ(gasket.max_level(), 40);  // 3^40 < 2^64 < 3^41
  EXPECT_EQ(gasket.cells(40), 12157665459056928801u);
  EXPECT_NE(input_error([&] { gasket.cells(41); }).find("0 to 40"), std::string::npos);
  EXPECT_NE(input_error([&] { gasket.width(-1); }).find("0 to 40"), std::string::npos);
  EXPECT_EQ(find_fractal("sierpinski-carpet").max_level(), 21);  // 8^21 = 2^63
}

TEST(NbbFractal, Dimension) {
  EXPECT_NEAR(find_fractal("sierpinski-gasket").dimension(), 1.58496, 1e-5);
  EXPECT_NEAR(find_fractal("sierpinski-carpet").dimension(), 1.89279, 1e-5);
}

TEST(TileSizes, ArePowersUpTo1024Threads) {
  const auto tile_sizes = [](const char* name, int level) {
    return allowed_tile_sizes(find_fractal(name), level);
  };
  EXPECT_EQ(tile_sizes("sierpinski-gasket", 16), (std::vector<std::uint32_t>{1, 2, 4, 8, 16, 32}));
  EXPECT_EQ(tile_sizes("sierpinski-gasket", 2), (std::vector<std::uint32_t>{1, 2, 4}));
  EXPECT_EQ(tile_sizes("sierpinski-carpet", 9), (std::vector<std::uint32_t>{1, 3, 9, 27}));
  EXPECT_EQ(tile_sizes("candy", 9), (std::vector<std::uint32_t>{1, 4, 16}));
  EXPECT_EQ(tile_sizes("chandelier", 9),
            (std::vector<std::uint32_t>{1, 3, 9, 27}));  // 27 x 8 fits; 81 x 16 exceeds 1024 threads
  EXPECT_EQ(tile_sizes("cantor", 9), (std::vector<std::uint32_t>{1, 3, 9, 27, 81, 243, 729}));
  EXPECT_EQ(nearest_tile_size(find_fractal("sierpinski-carpet"), 9, 16), 9u);
  EXPECT_EQ(nearest_tile_size(find_fractal("sierpinski-gasket"), 1, 16), 2u);
  EXPECT_NE(input_error([] { make_tiled_fractal(find_fractal("candy"), 5, 8); }).find("1, 4, 16"),
            std::string::npos);
}

TEST(TiledFractal, MicroMaskIsTheLevelJFractal) {
  for (const NbbFractal& fractal : catalog()) {
    for (std::uint32_t tile_size : allowed_tile_sizes(fractal, 8)) {
      const TiledFractal tiled = make_tiled_fractal(fractal, 8, tile_size);
      std::uint32_t members = 0;
      for (std::uint32_t t = 0; t < tiled.points_per_tile(); ++t) {
        const bool expected =
            tests::member_by_recursion(fractal, tiled.tile_level, {t % tiled.rho_x, t / tiled.rho_x});
        ASSERT_EQ(tiled.micro_member(t), expected)
            << fractal.name() << " tile size " << tile_size << " thread " << t;
        members += expected;
      }
      EXPECT_EQ(members, tiled.tile_cells);
      EXPECT_EQ(tiled.orthotope_tiles() * tiled.tile_cells, tiled.cells);
    }
  }
}

}  // namespace
}  // namespace loom
