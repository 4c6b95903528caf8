#include "compute/cuda/launch_slices.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "compute/cuda/mandelbrot/region/region_steps.h"

namespace loom::cuda {
namespace {

struct Part {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  friend bool operator==(const Part&, const Part&) = default;
};

std::vector<Part> parts_of(const LaunchSlices& slices, std::uint64_t count, std::uint64_t steps) {
  std::vector<Part> parts;
  slices.each(count, steps, [&](std::uint64_t first, std::uint64_t end) { parts.push_back({first, end}); });
  return parts;
}

TEST(LaunchSlices, PartsFollowOneAnotherAndEndWithTheLastItem) {
  int waits = 0;
  const LaunchSlices slices{.max_steps = 100, .multiprocessors = 4, .between = [&] { ++waits; }};
  EXPECT_EQ(parts_of(slices, 25, 10), (std::vector<Part>{{0, 10}, {10, 20}, {20, 25}}));
  EXPECT_EQ(waits, 2);
  EXPECT_EQ(parts_of(slices, 10, 10), (std::vector<Part>{{0, 10}}));
  EXPECT_EQ(parts_of(slices, 2, 1000), (std::vector<Part>{{0, 1}, {1, 2}}));  // an item is never split
  EXPECT_EQ(parts_of(slices, 0, 10), std::vector<Part>{});
  EXPECT_EQ(parts_of(slices, 3, 0), (std::vector<Part>{{0, 3}}));
  constexpr std::uint64_t kMany = ~std::uint64_t{0};
  const LaunchSlices wide{.max_steps = kMany};
  EXPECT_EQ(parts_of(wide, kMany, 1), (std::vector<Part>{{0, kMany}}));
}

TEST(LaunchSlices, WhatIsKnownToBeShortIsCutLessButForWhatOneBlockDoes) {
  const LaunchSlices slices{.max_steps = 12800, .multiprocessors = 4, .times = 3};
  EXPECT_EQ(slices.max_items(100), 384u);
  EXPECT_EQ(slices.max_steps_of_block(64), 12800u / 4 / 2);
  EXPECT_EQ(slices.max_steps_of_block(1024), 12800u / 4);
}

TEST(LaunchSlices, AsManyThreadBlocksAsThereAreMultiprocessorsStayTogether) {
  const LaunchSlices slices{.max_steps = 100, .multiprocessors = 4};
  std::vector<Part> parts;
  slices.each_block(9, 1000, [&](std::uint64_t first, std::uint64_t end) { parts.push_back({first, end}); });
  EXPECT_EQ(parts, (std::vector<Part>{{0, 4}, {4, 8}, {8, 9}}));
  EXPECT_TRUE(slices.cuts_blocks(9, 1000));
  EXPECT_FALSE(slices.cuts_blocks(4, 1000));
  EXPECT_FALSE(slices.cuts_blocks(10, 10));
  EXPECT_TRUE(slices.cuts_blocks(11, 10));
}

/// Step limits of a device with 132 multiprocessors at 1.98 GHz and of a laptop GPU with 16 at 1.2 GHz.
constexpr std::uint64_t kLarge = std::uint64_t{100} * 1'980'000 * 64 * 132 / 10;
constexpr std::uint64_t kSmall = std::uint64_t{100} * 1'200'000 * 64 * 16 / 10;

TEST(RegionSteps, NothingUsualIsCutOnALargeDevice) {
  const LaunchSlices slices{.max_steps = kLarge, .multiprocessors = 132};
  const MandelbrotConfig config;
  for (const std::uint32_t side : {1080u, 4096u, 16384u, 65536u}) {
    const Subdivision cut = make_subdivision(config, {{}, side, side});
    EXPECT_EQ(first_level_of_trees(cut, config.dwell_limit, config.scheme, config.block, slices), 0u) << side;
    for (std::uint32_t level = 0; level < cut.levels; ++level) {
      const RegionSteps steps(cut, level, config.dwell_limit, config.block, slices);
      EXPECT_FALSE(steps.border_is_long || steps.within_is_long) << side << " level " << level;
    }
  }
}

TEST(RegionSteps, ALaptopStartsFinerRegions) {
  const LaunchSlices slices{.max_steps = kSmall / 64, .multiprocessors = 16};  // double precision
  const Subdivision cut{16384, 16384, 2, 10, 2, 2};
  const BlockShape block{16, 16};
  const RegionSteps first(cut, 0, 65535, block, slices);
  EXPECT_TRUE(first.border_is_long);
  const std::uint32_t level = first_level_of_trees(cut, 65535, RegionScheme::kMbr, block, slices);
  ASSERT_LT(level, cut.levels);
  EXPECT_GT(level, 0u);
  EXPECT_LE(steps_of_tree(cut, level, 65535, block, slices), slices.max_steps);
  EXPECT_FALSE(RegionSteps(cut, level, 65535, block, slices).border_is_long);
  const Subdivision coarse{16384, 16384, 2, 1, 2, 2};  // a leaf is 8192 x 8192
  EXPECT_EQ(first_level_of_trees(coarse, 65535, RegionScheme::kSbr, block, slices), coarse.levels);
}

TEST(RegionSteps, ATreeIsItsRegionsOfAllLevels) {
  const LaunchSlices slices{.max_steps = kLarge, .multiprocessors = 132};
  const Subdivision cut{64, 64, 2, 2, 2, 2};
  const BlockShape block{16, 16};
  // A region of 32 x 32 with at most 128 border pixels, then four of 16 x 16 with at most 64, each computed
  // completely.
  EXPECT_EQ(steps_of_tree(cut, 0, 10, block, slices), 10u * (128 + 4 * (64 + 256)));
  EXPECT_EQ(steps_of_tree(cut, 1, 10, block, slices), 10u * (64 + 256));
}

}  // namespace
}  // namespace loom::cuda
