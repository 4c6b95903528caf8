#include <gtest/gtest.h>

#include "app/widgets/picture.h"

namespace loom::app {
namespace {

constexpr Area kPicture{{100, 50}, {400, 300}};
constexpr glm::vec2 kSize{80, 60};
constexpr float kMargin = 8;

TEST(PictureLegend, IsInTheLowerLeftCornerOfAnEmptyPicture) {
  const Area box = least_covered_corner(kPicture, kSize, kMargin, [](glm::vec2) { return 0.0f; });
  EXPECT_EQ(box, (Area{{108, 282}, {80, 60}}));
}

TEST(PictureLegend, AvoidsContent) {
  const auto triangle = [](glm::vec2 at) {
    const glm::vec2 in = at - kPicture.corner;
    return in.x / 400 < in.y / 300 ? 1.0f : 0.0f;
  };
  EXPECT_EQ(least_covered_corner(kPicture, kSize, kMargin, triangle), (Area{{412, 58}, {80, 60}}));
  const auto left_half = [](glm::vec2 at) { return at.x < 300 ? 1.0f : 0.0f; };
  EXPECT_EQ(least_covered_corner(kPicture, kSize, kMargin, left_half), (Area{{412, 282}, {80, 60}}));
  const auto all_but_upper_left = [](glm::vec2 at) { return at.x < 300 && at.y < 200 ? 1.0f : 8.0f; };
  EXPECT_EQ(least_covered_corner(kPicture, kSize, kMargin, all_but_upper_left), (Area{{108, 58}, {80, 60}}));
}

}  // namespace
}  // namespace loom::app
