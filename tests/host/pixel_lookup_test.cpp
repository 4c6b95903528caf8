#include "compute/engine/pixel_lookup.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <vector>

namespace loom {
namespace {

/// By the definition of Viewport: every pixel whose range [edge, max(edge + 1, next edge)) contains the cell.
std::vector<int> pixels_by_definition(const std::vector<std::int64_t>& edges, std::int64_t cell) {
  std::vector<int> pixels;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    if (cell >= edges[i] && cell < std::max(edges[i] + 1, edges[i + 1]))
      pixels.push_back(static_cast<int>(i));
  }
  return pixels;
}

std::vector<int> pixels_found(const std::vector<std::int64_t>& edges, std::int64_t cell) {
  const int size = static_cast<int>(edges.size()) - 1;
  const PixelRange range = pixels_of(make_pixel_axis(edges.data(), edges.data(), size), cell);
  std::vector<int> pixels;
  for (int i = range.first; i < range.last; ++i) pixels.push_back(i);
  return pixels;
}

TEST(PixelLookup, IsTheDefinitionForAnyEdges) {
  EXPECT_TRUE(rc::check([] {
    // Include uneven steps: the initial guess of the look-up must not affect the result.
    const auto steps = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 9)));
    std::vector<std::int64_t> edges = {*rc::gen::inRange<std::int64_t>(-30, 30)};
    for (int step : steps) edges.push_back(edges.back() + step);
    for (std::int64_t cell = edges.front() - 2; cell <= edges.back() + 2; ++cell) {
      RC_ASSERT(pixels_found(edges, cell) == pixels_by_definition(edges, cell));
    }
  }));
}

TEST(PixelLookup, HugeCoordinates) {
  const std::int64_t far = std::int64_t{1} << 61;
  const std::vector<std::int64_t> edges = {-far, -far / 2, 0, far / 2, far};
  for (std::int64_t cell :
       {-far - 1, -far, -far / 2 - 1, -far / 2, std::int64_t{-1}, std::int64_t{0}, far - 1, far}) {
    EXPECT_EQ(pixels_found(edges, cell), pixels_by_definition(edges, cell)) << cell;
  }
}

}  // namespace
}  // namespace loom
