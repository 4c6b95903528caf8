#include "app/workspaces/life/code/map_attempt.h"

#include <gtest/gtest.h>

#include <algorithm>
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

// The 32 points of the border of the carpet of level 2, which has 64 cells.
TEST(MapAttempt, AnExerciseForSomeCellsMissesThoseAlone) {
  Exercise exercise = find_exercise("border");
  const auto attempt = [&exercise](const std::string& code) {
    ProgressMonitor watch;
    MapAttemptRequest request{.code = code,
                              .config = {.fractal = find_fractal("sierpinski-carpet"), .level = 2},
                              .backend = {},
                              .exercise = exercise};
    return attempt_map(request, watch);
  };
  const MapAttempt solved = attempt(exercise.solution);
  EXPECT_TRUE(solved.is_part && solved.is_part_known);
  EXPECT_EQ(solved.map.coverage.cells, 32u);
  EXPECT_TRUE(solved.map.coverage.is_exact());
  const char* const all =
      "__host__ Launch launch(Fractal f) { return grid2d(f.width, f.height, 1, 1); }\n"
      "__device__ Cell cell_of_thread(Fractal f) {\n"
      "  int x = blockIdx.x;\n  int y = blockIdx.y;\n  return is_cell(x, y) ? cell(x, y) : none();\n}\n";
  const MapAttempt every = attempt(all);
  EXPECT_EQ(every.map.coverage.missed, 0u);
  EXPECT_EQ(every.map.coverage.on_holes, 32u) << "cells that the exercise does not ask for";
  EXPECT_EQ(std::ranges::count(every.map.threads, ThreadState::kHole), 32);
  const MapAttempt none = attempt(
      "__host__ Launch launch(Fractal f) { return grid1d(1, 1); }\n"
      "__device__ Cell cell_of_thread(Fractal f) { return none(); }\n");
  EXPECT_EQ(none.map.coverage.missed, 32u);
  exercise.solution.clear();
  const MapAttempt unknown = attempt(all);
  EXPECT_FALSE(unknown.is_part_known);
  EXPECT_EQ(unknown.map.coverage.missed, 0u) << "what is asked for is not known";
  EXPECT_FALSE(unknown.grade);
}

TEST(MapAttempt, FractalsOfSeveralGeneratorsHaveNoFeedback) {
  for (const NbbFractal& fractal : level_catalog()) {
    EXPECT_FALSE(feedback_level({.fractal = fractal, .level = 2})) << fractal.name();
    EXPECT_NE(run_problem({.fractal = fractal, .level = 2}, {}), "") << fractal.name();
  }
}

}  // namespace
}  // namespace loom::app
