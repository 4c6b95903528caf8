#include "app/workspaces/life/code/map_attempt.h"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(MapAttempt, FeedbackOfASlowMapIsOnALowerLevel) {
  const auto attempt = [](const char* body, int level) {
    ProgressMonitor watch;
    MapAttemptRequest request{
        .code =
            "__host__ Launch launch(Fractal f) { return grid1d((f.width * f.height + 255) / 256, 256); }\n"
            "__device__ Cell cell_of_thread(Fractal f) {\n"
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
            std::string(body) + "  return cell(i % f.width, i / f.width);\n}\n",
        .config = {.fractal = find_fractal("sierpinski-carpet"), .level = level},
        .backend = {},
        .exercise = {}};
    return attempt_map(request, watch);
  };
  // 700,000 instructions of each warp on level 6, which has 16,608 of them: more than a second on any
  // machine.
  const MapAttempt slow = attempt("  for (int k = 0; k < 100000; k++) i += k % 2 == 0 ? 1 : -1;\n", 6);
  EXPECT_EQ(slow.map.outcome, MapOutcome::kRan);
  const int level = slow.request.config.level;
  EXPECT_LT(level, 6);
  EXPECT_EQ(slow.map.coverage.once, slow.map.coverage.cells);
  EXPECT_EQ(slow.map.coverage.cells, static_cast<std::uint64_t>(std::pow(8, level)));
  // The budget of a warp ends an endless loop on the level that was asked for.
  const MapAttempt endless = attempt("  while (true) i++;\n", 2);
  EXPECT_EQ(endless.map.outcome, MapOutcome::kTimeout);
  EXPECT_EQ(endless.request.config.level, 2);
}

TEST(MapAttempt, FractalsOfSeveralGeneratorsHaveNoFeedback) {
  for (const NbbFractal& fractal : level_catalog()) {
    EXPECT_FALSE(feedback_level({.fractal = fractal, .level = 2})) << fractal.name();
    EXPECT_NE(run_problem({.fractal = fractal, .level = 2}, {}), "") << fractal.name();
  }
}

}  // namespace
}  // namespace loom::app
