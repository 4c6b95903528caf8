#include "compute/mandelbrot/subdivision.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "compute/core/error.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_memory.h"

namespace loom {
namespace {

MandelbrotConfig cut_by(std::uint32_t g, std::uint32_t r, std::uint32_t b) {
  MandelbrotConfig config;
  config.g = g;
  config.r = r;
  config.b = b;
  return config;
}

MandelbrotView sized(std::uint32_t width, std::uint32_t height) {
  return {{}, width, height};
}

TEST(Subdivision, LevelsOfThePublishedForm) {
  // d = n / g; split while d / r > B.
  EXPECT_EQ(make_subdivision(cut_by(32, 2, 32), sized(65536, 65536)).levels, 6u);
  EXPECT_EQ(make_subdivision(cut_by(32, 2, 32), sized(16384, 16384)).levels, 4u);
  EXPECT_EQ(make_subdivision(cut_by(32, 2, 32), sized(2048, 2048)).levels, 1u);
  EXPECT_EQ(make_subdivision(cut_by(32, 2, 32), sized(2049, 1)).levels, 2u);
  EXPECT_EQ(make_subdivision(cut_by(1, 1024, 1), sized(1 << 20, 1)).levels, 2u);
  EXPECT_EQ(make_subdivision(cut_by(1, 2, 1), sized(1 << 20, 1)).levels, 20u);
}

TEST(Subdivision, RegionsOfPowersOfTwoAreSquares) {
  const Subdivision cut = make_subdivision(cut_by(4, 2, 8), sized(256, 256));
  ASSERT_EQ(cut.levels, 3u);
  const Region region = region_at(cut, parts_at(cut, 1), 3, 5);
  EXPECT_EQ(region.x, 96u);
  EXPECT_EQ(region.y, 160u);
  EXPECT_EQ(region.width, 32u);
  EXPECT_EQ(region.height, 32u);
}

TEST(Subdivision, EveryLevelCoversEachPixelOnceAndIsNested) {
  EXPECT_TRUE(rc::check([] {
    const auto g = *rc::gen::inRange<std::uint32_t>(1, 20);
    const auto r = *rc::gen::inRange<std::uint32_t>(2, 5);
    const auto b = *rc::gen::inRange<std::uint32_t>(1, 10);
    const auto width = *rc::gen::inRange<std::uint32_t>(1, 120);
    const auto height = *rc::gen::inRange<std::uint32_t>(1, 120);
    const Subdivision cut = make_subdivision(cut_by(g, r, b), sized(width, height));
    for (std::uint32_t level = 0; level < cut.levels; ++level) {
      const std::uint32_t parts = parts_at(cut, level);
      std::vector<int> covered(std::size_t{width} * height, 0);
      for (std::uint32_t y = 0; y < parts; ++y) {
        for (std::uint32_t x = 0; x < parts; ++x) {
          const Region region = region_at(cut, parts, x, y);
          for (std::uint32_t v = 0; v < region.height; ++v) {
            for (std::uint32_t u = 0; u < region.width; ++u) {
              ++covered.at(std::size_t{region.y + v} * width + region.x + u);
            }
          }
          if (level == 0) continue;
          const Region parent = region_at(cut, parts / r, x / r, y / r);
          RC_ASSERT(region.x >= parent.x && region.x + region.width <= parent.x + parent.width);
          RC_ASSERT(region.y >= parent.y && region.y + region.height <= parent.y + parent.height);
        }
      }
      for (int times : covered) RC_ASSERT(times == 1);
    }
    // Regions of the last level are at most r B long; those of the level before are longer.
    const std::uint32_t side = std::max(width, height);
    RC_ASSERT(std::uint64_t{side} <= std::uint64_t{parts_at(cut, cut.levels - 1)} * r * b);
    if (cut.levels > 1) RC_ASSERT(std::uint64_t{side} > std::uint64_t{parts_at(cut, cut.levels - 2)} * r * b);
  }));
}

TEST(Region, BorderHoldsEachOfItsPixelsOnce) {
  for (std::uint32_t width = 1; width <= 6; ++width) {
    for (std::uint32_t height = 1; height <= 6; ++height) {
      SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(height));
      const Region region{10, 20, width, height};
      std::set<std::pair<std::uint32_t, std::uint32_t>> border;
      for (std::uint32_t i = 0; i < border_size(region); ++i) {
        const Coord32 pixel = border_pixel(region, i);
        EXPECT_TRUE(border.insert({pixel.x, pixel.y}).second);
        const bool at_edge = pixel.x == 10 || pixel.x == 9 + width || pixel.y == 20 || pixel.y == 19 + height;
        EXPECT_TRUE(at_edge) << pixel.x << " " << pixel.y;
        EXPECT_TRUE(pixel.x - 10 < width && pixel.y - 20 < height);
      }
      EXPECT_EQ(border.size() + inside_of(region).area(), region.area());
    }
  }
}

TEST(Tiles, LinesEndAtTheEnd) {
  for (std::uint32_t side = 1; side <= kPanel; ++side) {
    const std::uint32_t tiles = tiles_on(side);
    EXPECT_EQ(tile_line(side, 0), 0u);
    EXPECT_EQ(tile_line(side, tiles), side - 1);
    for (std::uint32_t i = 0; i < tiles; ++i) {
      EXPECT_GT(tile_line(side, i + 1), tile_line(side, i));
      EXPECT_LE(tile_line(side, i + 1) - tile_line(side, i), kTile);
    }
  }
}

TEST(MandelbrotMemory, NoLevelPassesItsTable) {
  const Subdivision cut =
      make_subdivision(cut_by(2, 2, 1), sized(64, 64));  // 2, 4, 8, 16, 32 regions per side
  ASSERT_EQ(cut.levels, 5u);
  EXPECT_EQ(olt_capacity(cut, false).even, 32u * 32u);
  EXPECT_EQ(olt_capacity(cut, true).odd, 16u * 16u);
  EXPECT_EQ(max_regions(cut), 4u + 16u + 64u + 256u + 1024u);
}

TEST(MandelbrotMemory, TablesOfALongImageGrowWithItsPixels) {
  const Subdivision cut = make_subdivision(cut_by(2, 2, 1), sized(64, 1));
  // 2, 4, 8, 16 and 32 regions have pixels, and each of them may leave four.
  EXPECT_EQ(olt_capacity(cut, false).even, 4u * 16);
  EXPECT_EQ(olt_capacity(cut, false).odd, 4u * 8);
  EXPECT_EQ(olt_capacity(cut, true).even, 32u * 32) << "each tree of DP has an equal part";
  EXPECT_EQ(max_jobs(cut), 4u * 16);
}

TEST(MandelbrotConfig, RefusesWhatIsOutOfRangeAndSaysWhatIsAllowed) {
  EXPECT_NO_THROW(validate(MandelbrotConfig{}));
  const auto said = [](const MandelbrotConfig& config) -> std::string {
    try {
      validate(config);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(said(cut_by(0, 2, 32)).find("1 to 1024"), std::string::npos);
  EXPECT_NE(said(cut_by(1025, 2, 32)).find("g = 1025"), std::string::npos);
  EXPECT_NE(said(cut_by(32, 1, 32)).find("2 to 1024"), std::string::npos);
  EXPECT_NE(said(cut_by(32, 2, 0)).find("B = 0"), std::string::npos);
  MandelbrotConfig config;
  config.dwell_limit = 1u << 31;
  EXPECT_NE(said(config).find("1 to 2147483647"), std::string::npos);
  for (const BlockShape shape :
       {BlockShape{0, 32}, BlockShape{33, 32}, BlockShape{5, 5}, BlockShape{1u << 31, 2}}) {
    config = {};
    config.block = shape;
    EXPECT_NE(said(config).find("multiple of 32"), std::string::npos);
  }
}

TEST(MandelbrotView, RefusesWindowsWithoutPoints) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const ComplexWindow bad[] = {{0, 0, -1, 1},         {1, -1, -1, 1},         {-1, 1, 1, 1},
                               {nan, 1, -1, 1},       {-1, nan, -1, 1},       {-1, 1, -infinity, 1},
                               {-1, 1, -1, infinity}, {-1e308, 1e308, -1, 1}, {-1, 1, nan, nan}};
  for (const ComplexWindow& window : bad) {
    EXPECT_THROW(validate(MandelbrotView{window, 8, 8}, Precision::kDouble), InputError);
    EXPECT_THROW(validate(MandelbrotView{window, 8, 8}, Precision::kFloat), InputError);
  }
  // Too large for float, but not for double.
  EXPECT_NO_THROW(validate(MandelbrotView{{-1e200, 1e200, -1, 1}, 8, 8}, Precision::kDouble));
  EXPECT_THROW(validate(MandelbrotView{{-1e200, 1e200, -1, 1}, 8, 8}, Precision::kFloat), InputError);
  EXPECT_THROW(validate(sized(0, 8), Precision::kFloat), InputError);
  EXPECT_THROW(validate(sized(8, (1 << 20) + 1), Precision::kFloat), InputError);
}

TEST(MandelbrotOptimisations, NamesAndLists) {
  EXPECT_EQ(parse_optimisations("all"), MandelbrotOptimisations{});
  EXPECT_EQ(parse_optimisations("none"), kNoOptimisations);
  EXPECT_EQ(to_string(MandelbrotOptimisations{}), "all");
  EXPECT_EQ(to_string(kNoOptimisations), "none");
  for (const NamedOptimisation& idea : kMandelbrotOptimisations) {
    MandelbrotOptimisations one = kNoOptimisations;
    one.*idea.flag = true;
    EXPECT_EQ(parse_optimisations(idea.name), one);
    EXPECT_EQ(to_string(one), idea.name);
  }
  EXPECT_EQ(parse_optimisations(to_string(parse_optimisations("tiles,early-stop"))),
            parse_optimisations("early-stop,tiles"));
  EXPECT_THROW(parse_optimisations(""), InputError);
  EXPECT_THROW(parse_optimisations("tiles,"), InputError);
  EXPECT_THROW(parse_optimisations("tile"), InputError);
}

}  // namespace
}  // namespace loom
