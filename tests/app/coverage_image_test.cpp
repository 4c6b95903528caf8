#include <gtest/gtest.h>

#include <algorithm>

#include "app/explain/colour_by.h"
#include "app/gui/theme.h"
#include "app/workspaces/life/code/map_attempt.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {
namespace {

constexpr CoverageColours kColours = {0, 1, 2, 3, 4, 5};

MapAttempt attempt_on(const NbbFractal& fractal, int level) {
  return {
      .request = {.code = {}, .config = {.fractal = fractal, .level = level}, .backend = {}, .exercise = {}},
      .map = {},
      .comparison = {},
      .grade = {}};
}

/// The gasket of level 1: three cells and a hole at (1, 0).
MapAttempt attempt_with(std::vector<std::uint8_t> hits) {
  MapAttempt attempt = attempt_on(find_fractal("sierpinski-gasket"), 1);
  attempt.map.hits = std::move(hits);
  attempt.map.cells = {1, 0, 1, 1};
  return attempt;
}

TEST(CoverageImage, EachKindOfPointHasAColourAndAPattern) {
  const CoverageImage image = square_image(attempt_with({1, 1, 2, 0}), kColours, 512);
  ASSERT_EQ(image.points, glm::ivec2(2, 2));
  const int side = image.size.x / 2;
  const auto patch = [&](int x, int y) {
    std::vector<std::uint32_t> pixels;
    for (int row = 0; row < side; ++row) {
      const auto begin = image.pixels.begin() + (y * side + row) * image.size.x + x * side;
      pixels.insert(pixels.end(), begin, begin + side);
    }
    return pixels;
  };
  const auto count = [](const std::vector<std::uint32_t>& pixels, std::uint32_t colour) {
    return std::ranges::count(pixels, colour);
  };
  const auto inner = static_cast<std::ptrdiff_t>((side - 1) * (side - 1));
  EXPECT_EQ(count(patch(0, 0), 1), inner);  // reached once: filled
  EXPECT_GT(count(patch(1, 0), 4), 0);      // a thread on a hole: a cross
  EXPECT_LT(count(patch(1, 0), 4), inner / 2);
  EXPECT_GT(count(patch(0, 1), 2), inner / 3);  // reached twice: stripes
  EXPECT_LT(count(patch(0, 1), 2), inner);
  EXPECT_GT(count(patch(1, 1), 3), 0);  // missed: a frame
  EXPECT_LT(count(patch(1, 1), 3), inner);
}

// The colours are those of the idle lanes of a warp: none of 32, and 24 of 32.
TEST(CoverageImage, DivergenceIsThatOfTheWarpOfAThread) {
  MapAttempt attempt = attempt_with({1, 0, 0, 1});
  attempt.map.launch = {.grid_x = 1, .grid_y = 1, .block_x = 64, .block_y = 1};
  attempt.map.points.resize(64);
  attempt.map.points[5] = {.x = 0, .y = 0};
  attempt.map.points[40] = {.x = 1, .y = 1};
  attempt.map.threads.assign(64, ThreadState::kNone);
  attempt.map.warps = {{.instructions = 10, .lanes = 320}, {.instructions = 10, .lanes = 80}};
  const std::uint32_t none = theme::packed(explain::ordered_colour(0));
  const std::uint32_t most = theme::packed(explain::ordered_colour(191.0f / 254));
  EXPECT_EQ(warp_of_thread(attempt.map.launch, 31), 0u);
  EXPECT_EQ(warp_of_thread(attempt.map.launch, 32), 1u);
  EXPECT_EQ(warp_of_thread({.grid_x = 3, .grid_y = 1, .block_x = 27, .block_y = 2}, 54 + 33), 3u);
  const CoverageImage square = square_divergence_image(attempt, kColours, 2);
  ASSERT_EQ(square.size, glm::ivec2(2, 2));
  EXPECT_EQ(square.pixels, (std::vector<std::uint32_t>{none, kColours[0], kColours[0], most}));
  const LaunchLayout layout(attempt.map.launch);
  const CoverageImage launch = launch_divergence_image(attempt, layout, kColours, 64);
  EXPECT_EQ(std::ranges::count(launch.pixels, none), 32);
  EXPECT_EQ(std::ranges::count(launch.pixels, most), 32);
}

TEST(CoverageImage, LargeSquaresShowTheWorstOfThePointsOfAPixel) {
  const NbbFractal& gasket = find_fractal("sierpinski-gasket");
  const std::size_t points = std::size_t{1} << 22;  // 2048 x 2048
  MapAttempt attempt = attempt_on(gasket, 11);
  attempt.map.hits.assign(points, 1);
  attempt.map.cells.assign(points, 1);
  attempt.map.hits[2048 + 3] = 0;  // a missed cell at (3, 1)
  const CoverageImage image = square_image(attempt, kColours, 1024);
  ASSERT_EQ(image.size, glm::ivec2(1024, 1024));
  EXPECT_EQ(image.pixels[1], 3u);
  EXPECT_EQ(std::ranges::count(image.pixels, 3u), 1);
  // A picture of any size on the screen has it.
  for (const int most : {1, 7, 300, 1000, 2047, 2048, 4000}) {
    const CoverageImage other = square_image(attempt, kColours, most);
    EXPECT_LE(other.size.x, most);
    EXPECT_EQ(std::ranges::count(other.pixels, 3u), 1) << most;
    EXPECT_GE(static_cast<float>(other.size.x), 2048 * other.point_size);
  }
}

TEST(CoverageImage, AMissedCellIsFilledWhereAFrameWouldBeThin) {
  const MapAttempt attempt = attempt_with({1, 1, 2, 0});
  for (int side = 1; side <= 16; ++side) {
    const CoverageImage image = square_image(attempt, kColours, 2 * side);
    ASSERT_EQ(image.size, glm::ivec2(2 * side));
    const int filled = side < 4 ? side : side - 1;
    const auto pixels = std::ranges::count(image.pixels, 3u);
    EXPECT_EQ(pixels == filled * filled, side < 8) << side;
    EXPECT_GE(pixels, std::min(filled * filled, 4 * (filled - 1))) << side;
  }
}

TEST(LaunchLayout, ThreadsAndPlacesAreInverse) {
  for (const MapLaunch& launch : {MapLaunch{3, 2, 4, 5}, MapLaunch{7, 1, 27, 1}, MapLaunch{1, 1, 1, 1},
                                  MapLaunch{5, 3, 1, 1}, MapLaunch{100, 1, 3, 2}}) {
    const LaunchLayout layout(launch);
    std::uint64_t found = 0;
    for (int y = 0; y < layout.size().y; ++y) {
      for (int x = 0; x < layout.size().x; ++x) {
        const auto thread = layout.thread_at({x, y});
        if (!thread) continue;
        ++found;
        EXPECT_EQ(layout.place_of(*thread), glm::ivec2(x, y));
      }
    }
    EXPECT_EQ(found, launch.threads());
    EXPECT_FALSE(layout.thread_at({-1, 0}));
    EXPECT_FALSE(layout.thread_at({0, layout.size().y}));
  }
  // Rows consist of whole thread blocks.
  EXPECT_EQ(LaunchLayout(MapLaunch{7, 1, 27, 1}).size().x % 27, 0);
  // No picture of more threads than it can show.
  EXPECT_EQ(LaunchLayout(MapLaunch{1 << 20, 1, 2, 1}).size().x, 0);
}

}  // namespace
}  // namespace loom::app
