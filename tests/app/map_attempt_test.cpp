#include "app/workspaces/life/code/map_attempt.h"

#include <gtest/gtest.h>

#include "compute/geometry/nbb_catalog.h"

namespace loom::app {
namespace {

TEST(MapAttempt, FeedbackIsOnTheHighestLevelThatTakesLittleTime) {
  const auto level = [](const char* fractal, int of_scene) {
    return feedback_level({.fractal = find_fractal(fractal), .level = of_scene});
  };
  EXPECT_EQ(level("sierpinski-gasket", 8), 8);
  EXPECT_EQ(level("sierpinski-gasket", 20), 11);
  EXPECT_EQ(level("sierpinski-carpet", 7), 7);
  EXPECT_EQ(level("sierpinski-carpet", 8), 7);
  EXPECT_EQ(level("chandelier", 8), 8);
  EXPECT_EQ(level("candy", 8), 5);
  for (const NbbFractal& fractal : catalog()) EXPECT_TRUE(feedback_level({.fractal = fractal, .level = 8}));
}

TEST(MapAttempt, FractalsOfSeveralGeneratorsHaveNoFeedback) {
  for (const NbbFractal& fractal : level_catalog()) {
    EXPECT_FALSE(feedback_level({.fractal = fractal, .level = 2})) << fractal.name();
    EXPECT_NE(run_problem({.fractal = fractal, .level = 2}, {}), "") << fractal.name();
  }
}

}  // namespace
}  // namespace loom::app
