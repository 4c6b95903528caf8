#include <gtest/gtest.h>

#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

StepConditions conditions() {
  return {.backend = select_backend(BackendChoice::kCpu), .work = default_life_settings().work()};
}

TEST(MapRace, EndsWithTheLevelAtWhichTheBoundingBoxIsOut) {
  FractalConfig config = default_life_settings().config;
  config.level = 3;
  config.tile_size = 4;
  ProgressMonitor watch;
  std::size_t reports = 0;
  // No step takes 0 ms, so the bounding box is out at the first level.
  const auto levels =
      race_maps(config, conditions(), 0, watch, [&](const std::vector<diagram::RaceLevel>&) { ++reports; });
  ASSERT_EQ(levels.size(), 1u);
  EXPECT_EQ(levels[0].level, 3);
  EXPECT_EQ(reports, kMapKinds.size());
  for (const auto& one : levels[0].maps) {
    ASSERT_TRUE(one && one->ms);
    EXPECT_EQ(one->out, "over limit");
    EXPECT_GT(one->bytes, 0u);
  }
  EXPECT_LT(levels[0].maps[2]->bytes, levels[0].maps[0]->bytes);
  watch.cancel();
  EXPECT_THROW(race_maps(config, conditions(), 1e9, watch, [](const auto&) {}), OperationCancelled);
}

TEST(MapRace, TheWinnerHasTheShortestStep) {
  diagram::RaceLevel level{.level = 5, .maps = {diagram::RaceResult{.ms = 2}, std::nullopt, std::nullopt}};
  EXPECT_FALSE(level.winner());
  level.maps[1] = diagram::RaceResult{.ms = 1};
  level.maps[2] = diagram::RaceResult{.out = "out of memory"};
  EXPECT_EQ(level.winner(), 1u);
}

TEST(MapRace, EqualTimesHaveNoWinner) {
  diagram::RaceLevel level{.level = 5,
                           .maps = {diagram::RaceResult{.ms = 2}, diagram::RaceResult{.ms = 1.0001},
                                    diagram::RaceResult{.ms = 1}}};
  EXPECT_FALSE(level.winner()) << "both are shown as 1.00 ms";
  level.maps[1]->ms = 1.5;
  EXPECT_EQ(level.winner(), 2u);
  level.maps[2]->ms = 0.015;
  EXPECT_FALSE(level.winner()) << "too small to compare";
}

}  // namespace
}  // namespace loom::app
