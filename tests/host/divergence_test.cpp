#include "compute/mandelbrot/divergence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "compute/core/integer_math.h"
#include "compute/mandelbrot/region.h"

namespace loom {
namespace {

/// Pseudo-random dwells, the same in every run.
std::vector<std::uint32_t> made_up(std::uint32_t width, std::uint32_t height) {
  std::vector<std::uint32_t> dwells(std::size_t{width} * height);
  for (std::size_t i = 0; i < dwells.size(); ++i) dwells[i] = static_cast<std::uint32_t>(splitmix64(i) % 513);
  return dwells;
}

TEST(Divergence, OfOneWarpIsWhatItsLanesWait) {
  std::vector<std::uint32_t> dwells(32, 3);
  dwells[7] = 10;
  const ExhaustiveDivergence found({dwells, 8, 4}, {8, 4});
  ASSERT_EQ(found.warps().size(), 1u);
  EXPECT_EQ(found.total(),
            (Divergence{.warps = 1, .lanes = 32, .iterations = 31 * 3 + 10, .waited = 31 * 7, .idle = 0}));
  EXPECT_DOUBLE_EQ(found.total().idle_fraction(), 217.0 / 320);
}

TEST(Divergence, OfEqualDwellsIsNothing) {
  const std::vector<std::uint32_t> dwells(64 * 64, 512);
  const Divergence total = ExhaustiveDivergence({dwells, 64, 64}, {16, 16}).total();
  EXPECT_EQ(total.waited, 0u);
  EXPECT_EQ(total.idle, 0u);
  EXPECT_EQ(total.iterations, 64u * 64 * 512);
  EXPECT_EQ(total.idle_fraction(), 0.0);
}

// In a narrow image, some lanes of each warp lie outside.
TEST(Divergence, CountsLanesOutsideOfTheImageApart) {
  const std::vector<std::uint32_t> dwells(5, 7);
  const Divergence total = ExhaustiveDivergence({dwells, 5, 1}, {32, 1}).total();
  EXPECT_EQ(total, (Divergence{.warps = 1, .lanes = 5, .iterations = 35, .waited = 0, .idle = 27 * 7}));
}

// Computes the expected sum of each warp by assigning every pixel to its warp.
TEST(Divergence, OfTheExhaustiveMethodIsTheSumOverPixelsByWarp) {
  for (const BlockShape block :
       {BlockShape{16, 16}, BlockShape{64, 8}, BlockShape{48, 2}, BlockShape{1, 32}}) {
    SCOPED_TRACE(std::to_string(block.x) + "x" + std::to_string(block.y));
    const std::uint32_t width = 100;
    const std::uint32_t height = 37;
    const std::vector<std::uint32_t> dwells = made_up(width, height);
    const ExhaustiveDivergence found({dwells, width, height}, block);
    std::map<std::uint64_t, std::vector<std::uint32_t>> of_warp;
    for (std::uint32_t y = 0; y < height; ++y) {
      for (std::uint32_t x = 0; x < width; ++x) of_warp[found.warp_of(x, y)].push_back(dwells[y * width + x]);
    }
    std::uint64_t waited = 0;
    std::uint64_t idle = 0;
    for (const auto& [warp, lanes] : of_warp) {
      ASSERT_LT(warp, found.warps().size());
      ASSERT_LE(lanes.size(), 32u);
      const std::uint64_t most = *std::max_element(lanes.begin(), lanes.end());
      const std::uint64_t sum = std::accumulate(lanes.begin(), lanes.end(), std::uint64_t{0});
      EXPECT_EQ(found.warps()[warp].waited, most * lanes.size() - sum);
      EXPECT_EQ(found.warps()[warp].iterations, sum);
      waited += most * lanes.size() - sum;
      idle += most * (32 - lanes.size());
    }
    EXPECT_EQ(found.total().lanes, std::uint64_t{width} * height);
    EXPECT_EQ(found.total().waited, waited);
    EXPECT_EQ(found.total().idle, idle);
  }
}

TEST(Divergence, OfARegionHasEachBorderPixelOnceAndEachInnerPixelOfALeaf) {
  const std::vector<std::uint32_t> dwells = made_up(200, 150);
  const DwellRows image{dwells, 200, 150};
  for (const MandelbrotRegion region : {MandelbrotRegion{3, 5, 100, 90, 2, RegionKind::kLeaf},
                                        MandelbrotRegion{0, 0, 33, 1, 0, RegionKind::kLeaf},
                                        MandelbrotRegion{10, 10, 64, 65, 0, RegionKind::kSplit}}) {
    const Region pixels{region.x, region.y, region.width, region.height};
    std::uint64_t on_border = 0;
    for (std::uint32_t i = 0; i < border_size(pixels); ++i) {
      on_border += image.at(border_pixel(pixels, i).x, border_pixel(pixels, i).y);
    }
    std::uint64_t all = 0;
    for (std::uint32_t y = 0; y < region.height; ++y) {
      for (std::uint32_t x = 0; x < region.width; ++x) all += image.at(region.x + x, region.y + y);
    }
    const RegionDivergence found = region_divergence(image, region, {16, 16});
    EXPECT_EQ(found.border.lanes, border_size(pixels));
    EXPECT_EQ(found.border.iterations, on_border);
    const bool leaf = region.kind == RegionKind::kLeaf;
    EXPECT_EQ(found.leaf.lanes, leaf ? pixels.area() - border_size(pixels) : 0);
    EXPECT_EQ(found.leaf.iterations, leaf ? all - on_border : 0);
    EXPECT_EQ(found.total().iterations, found.border.iterations + found.leaf.iterations);
  }
}

// A border of 36 pixels takes 32 threads two rounds, the second with 4 pixels.
TEST(Divergence, OfABorderTakesRounds) {
  const std::uint32_t side = 10;
  std::vector<std::uint32_t> dwells(side * side, 1);
  const Region pixels{0, 0, side, side};
  const Coord32 odd = border_pixel(pixels, 5);
  dwells[odd.y * side + odd.x] = 100;
  const Divergence border =
      region_divergence({dwells, side, side}, {0, 0, side, side, 0, RegionKind::kSplit}, {32, 1}).border;
  EXPECT_EQ(border,
            (Divergence{.warps = 2, .lanes = 36, .iterations = 35 + 100, .waited = 31 * 99, .idle = 28 * 1}));
}

TEST(Divergence, SaysForWhichConfigurationsItIsWhatTheKernelsDo) {
  MandelbrotConfig config;
  EXPECT_FALSE(divergence_is_exact(config));
  config.optimisations = kNoOptimisations;
  EXPECT_TRUE(divergence_is_exact(config));
  config.optimisations.narrow = config.optimisations.queue = config.optimisations.mirror =
      config.optimisations.join = true;
  EXPECT_TRUE(divergence_is_exact(config));
  config.method = MandelbrotMethod::kExhaustive;
  config.optimisations = {};
  EXPECT_TRUE(divergence_is_exact(config));
}

// For the Mandelbrot set, square warps have fewer idle lanes than warps that cover a row.
TEST(Divergence, OfTheSetDependsOnTheShapeOfWarps) {
  const auto engine = make_mandelbrot_engine(select_backend(BackendChoice::kCpu));
  const MandelbrotView view{.window = {}, .width = 256, .height = 256};
  engine->compute({.method = MandelbrotMethod::kExhaustive}, view);
  std::vector<std::uint32_t> dwells(view.pixels());
  engine->read_dwells(0, dwells);
  const Divergence square = ExhaustiveDivergence({dwells, 256, 256}, {8, 4}).total();
  const Divergence rows = ExhaustiveDivergence({dwells, 256, 256}, {32, 1}).total();
  EXPECT_EQ(square.iterations, rows.iterations);
  EXPECT_LT(square.waited, rows.waited);
  EXPECT_GT(square.waited, 0u);
}

// The optimisation "interior" skips the iterations of known pixels and changes nothing else.
TEST(Divergence, PixelsThatAreKnownTakeNoIterations) {
  const auto engine = make_mandelbrot_engine(select_backend(BackendChoice::kCpu));
  const MandelbrotView view{.window = {}, .width = 128, .height = 96};
  for (const Precision precision : kDirectPrecisions) {
    MandelbrotConfig config{.dwell_limit = 70, .precision = precision};
    engine->compute(config, view);
    std::vector<std::uint32_t> dwells(view.pixels());
    engine->read_dwells(0, dwells);
    std::vector<std::uint32_t> iterations = dwells;
    config.optimisations.interior = false;
    make_iterations(config, view, iterations);
    EXPECT_EQ(iterations, dwells);
    config.optimisations.interior = true;
    make_iterations(config, view, iterations);
    std::size_t known = 0;
    for (std::size_t i = 0; i < dwells.size(); ++i) {
      if (iterations[i] == dwells[i]) continue;
      ASSERT_EQ(iterations[i], 0u);
      ASSERT_EQ(dwells[i], 70u);
      ++known;
    }
    const auto at_limit = static_cast<std::size_t>(std::count(dwells.begin(), dwells.end(), 70u));
    EXPECT_GT(known, at_limit * 9 / 10);
    EXPECT_LT(known, at_limit);
  }
  std::vector<std::uint32_t> few(10);
  EXPECT_THROW(make_iterations({}, view, few), InputError);
}

TEST(Divergence, RefusesAnImageOfAnotherSize) {
  const std::vector<std::uint32_t> dwells(10);
  EXPECT_THROW(ExhaustiveDivergence({dwells, 4, 4}, {16, 16}), InputError);
}

}  // namespace
}  // namespace loom
