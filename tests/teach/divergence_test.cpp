#include "app/teach/divergence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

namespace loom::app::teach {
namespace {

using Picture = std::vector<std::vector<std::uint32_t>>;

Divergence of(const Picture& picture, BlockShape block) {
  const auto read = [&](std::uint32_t y, std::span<std::uint32_t> row) {
    std::copy(picture[y].begin(), picture[y].end(), row.begin());
  };
  return divergence_of(static_cast<std::uint32_t>(picture.front().size()),
                       static_cast<std::uint32_t>(picture.size()), block, read);
}

// Each pixel finds its warp by CUDA's numbering of threads, as the exhaustive kernel has it.
Divergence by_pixel(const Picture& picture, BlockShape block) {
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::uint64_t> longest;
  Divergence found;
  for (std::size_t y = 0; y < picture.size(); ++y) {
    for (std::size_t x = 0; x < picture[y].size(); ++x) {
      const std::size_t thread = (y % block.y) * block.x + x % block.x;
      std::uint64_t& most = longest[{x / block.x, y / block.y, thread / 32}];
      most = std::max<std::uint64_t>(most, picture[y][x]);
      found.steps += picture[y][x];
    }
  }
  found.warps = longest.size();
  for (const auto& [warp, most] : longest) found.lane_steps += 32 * most;
  return found;
}

TEST(Divergence, AWarpGoesOnUntilItsLongestOrbitEnds) {
  Picture picture(2, std::vector<std::uint32_t>(16, 1));
  EXPECT_EQ(of(picture, {16, 2}).lane_steps, 32u);
  EXPECT_EQ(of(picture, {16, 2}).waiting(), 0);
  picture[1][7] = 100;
  const Divergence one_long = of(picture, {16, 2});
  EXPECT_EQ(one_long.steps, 131u);
  EXPECT_EQ(one_long.lane_steps, 3200u);
  EXPECT_DOUBLE_EQ(one_long.waiting(), 1 - 131.0 / 3200);
}

TEST(Divergence, IsThatOfEachPixelsWarp) {
  std::mt19937 random(5);
  for (const BlockShape block :
       {BlockShape{16, 16}, BlockShape{64, 8}, BlockShape{8, 4}, BlockShape{32, 1}}) {
    for (const auto& [width, height] :
         {std::pair{70, 33}, std::pair{1, 1}, std::pair{16, 16}, std::pair{129, 5}}) {
      Picture picture(static_cast<std::size_t>(height),
                      std::vector<std::uint32_t>(static_cast<std::size_t>(width)));
      for (auto& row : picture) {
        for (auto& dwell : row) dwell = random() % 512;
      }
      const Divergence found = of(picture, block);
      const Divergence wanted = by_pixel(picture, block);
      EXPECT_EQ(found.warps, wanted.warps) << block.x << " x " << block.y;
      EXPECT_EQ(found.steps, wanted.steps);
      EXPECT_EQ(found.lane_steps, wanted.lane_steps);
      EXPECT_GE(found.waiting(), 0);
      EXPECT_LT(found.waiting(), 1);
    }
  }
}

}  // namespace
}  // namespace loom::app::teach
