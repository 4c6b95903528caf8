#include <gtest/gtest.h>

#include <algorithm>

#include "app/workspaces/life/picture/life_picture.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/geometry/transforms.h"

namespace loom::app {
namespace {

TEST(HasReplicas, AgreesWithMembershipCellByCell) {
  constexpr int kLevel = 3;
  for (const NbbFractal& fractal : catalog()) {
    const NbbTransform<std::uint64_t> transform(fractal.shape());
    const std::uint64_t width = fractal.width(kLevel);
    const std::uint64_t height = fractal.height(kLevel);
    const std::uint64_t step = std::max<std::uint64_t>(1, width / 27);
    for (std::uint64_t y = 0; y < height; y += step) {
      for (std::uint64_t x = 0; x < width; x += step) {
        const render::Rect<double> part{{static_cast<double>(x) + 0.25, static_cast<double>(y) + 0.25},
                                        {0.5, 0.5}};
        EXPECT_EQ(has_replicas(fractal, kLevel, 0, part), is_member(transform, kLevel, Coord64{x, y}))
            << fractal.name() << ' ' << x << ' ' << y;
        EXPECT_TRUE(has_replicas(fractal, kLevel, kLevel, part)) << "the part is inside the square";
      }
    }
  }
}

TEST(HasReplicas, NothingIsOutsideOfTheSquare) {
  const NbbFractal& gasket = find_fractal("sierpinski-gasket");
  const auto width = static_cast<double>(gasket.width(30));
  EXPECT_TRUE(has_replicas(gasket, 30, 0, {{-width, -width}, {3 * width, 3 * width}}));
  EXPECT_FALSE(has_replicas(gasket, 30, 30, {{width, 0}, {width, width}}));
  EXPECT_FALSE(has_replicas(gasket, 30, 30, {{-10, -10}, {10, 10}}));
  EXPECT_TRUE(has_replicas(gasket, 30, 0, {{-10, width - 5}, {20, 20}})) << "the part contains the corner";
  // A hole at the upper right, which no square of level 4 reaches into.
  const render::Rect<double> hole{{0.75 * width, 0.05 * width}, {0.2 * width, 0.15 * width}};
  EXPECT_FALSE(has_replicas(gasket, 30, 0, hole));
  EXPECT_FALSE(has_replicas(gasket, 30, 4, hole));
  EXPECT_TRUE(has_replicas(gasket, 30, 30, hole));
}

}  // namespace
}  // namespace loom::app
