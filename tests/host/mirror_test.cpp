#include "compute/mandelbrot/mirror.h"

#include <gtest/gtest.h>

namespace loom {
namespace {

MandelbrotView view_of(double im_min, double im_max, std::uint32_t height) {
  return {.window = {-1.5, 0.5, im_min, im_max}, .width = 64, .height = height};
}

TEST(Mirror, OnlyOfViewsWhoseRowsAreMirroredBitForBit) {
  const MandelbrotConfig config;
  EXPECT_TRUE(is_mirrored(config, view_of(-1, 1, 1024)));
  EXPECT_FALSE(is_mirrored(config, view_of(-1, 1, 1023))) << "an odd height";
  EXPECT_FALSE(is_mirrored(config, view_of(-1, 1.0001, 1024)));
  EXPECT_FALSE(is_mirrored(config, view_of(-0.5, 1, 1024)));
  EXPECT_FALSE(is_mirrored(config, view_of(0.25, 0.5, 1024)));
}

TEST(Mirror, OnlyWhereRegionsEndAtTheAxisAndTheIdeaIsTaken) {
  MandelbrotConfig config;
  config.g = 3;
  EXPECT_FALSE(is_mirrored(config, view_of(-1, 1, 1024)));
  config.g = 2;
  EXPECT_TRUE(is_mirrored(config, view_of(-1, 1, 1024)));
  config.optimisations = kNoOptimisations;
  EXPECT_FALSE(is_mirrored(config, view_of(-1, 1, 1024)));
  config.optimisations.mirror = true;
  EXPECT_TRUE(is_mirrored(config, view_of(-1, 1, 1024)));
  config.method = MandelbrotMethod::kExhaustive;
  EXPECT_FALSE(is_mirrored(config, view_of(-1, 1, 1024)));
}

}  // namespace
}  // namespace loom
