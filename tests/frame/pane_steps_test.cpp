#include <gtest/gtest.h>

#include "app/shell/application.h"
#include "app/shell/stage_plot.h"
#include "app/workspaces/life/life_workspace.h"
#include "app/workspaces/life/scene/pane_presets.h"

namespace loom::app {
namespace {

FrameTimes times_of(const LifeSettings& life) {
  const auto context = render::make_offscreen({640, 480});
  ShellSettings shell;
  shell.backend = BackendChoice::kCpu;
  Application application(
      shell, *context,
      [&](const ShellServices& services) {
        Application::Workspaces workspaces;
        workspaces.push_back(std::make_unique<LifeWorkspace>(life, services));
        return workspaces;
      },
      ApplicationOptions{.waits = true});
  for (int frame = 0; frame < 12; ++frame) application.frame();
  return application.times();
}

double sum_of_parts(const FrameTimes& times) {
  double sum = 0;
  for (const Stage stage : kFrameParts) sum += times.mean(stage);
  return sum;
}

TEST(PaneSteps, TheActivePanesStepIsNotThatOfTheOthers) {
  LifeSettings life = default_life_settings();
  life.config.level = 6;
  life.playing = true;
  const FrameTimes one = times_of(life);
  EXPECT_GT(one.stats(Stage::kStep).samples, 0u);
  EXPECT_EQ(one.stats(Stage::kPanesStep).samples, 0u);
  EXPECT_STREQ(label_of(Stage::kStep, one), "Simulate");

  set_panes(life, PanePreset::kMaps);
  const FrameTimes three = times_of(life);
  EXPECT_GT(three.stats(Stage::kStep).samples, 0u);
  EXPECT_GT(three.stats(Stage::kPanesStep).samples, 0u);
  EXPECT_STREQ(label_of(Stage::kStep, three), "Active pane");
}

// Steps of this length run on a background thread, and each frame waits for its step. `gap` is what each
// frame takes without any step.
TEST(PaneSteps, WaitingForAStepInTheBackgroundIsTheStep) {
  LifeSettings life = default_life_settings();
  life.config.level = 6;
  const double gap = times_of(life).stats(Stage::kFrame).median;
  life.playing = true;
  life.generations_per_frame = 20000;
  const FrameTimes one = times_of(life);
  const double frame = one.stats(Stage::kFrame).median;
  ASSERT_GT(frame, 4 * gap) << "the step is long";
  EXPECT_GT(one.stats(Stage::kStep).median, frame - 2 * gap);
  EXPECT_LT(one.stats(Stage::kOther).median, 2 * gap);
  EXPECT_NEAR(sum_of_parts(one), one.mean(Stage::kFrame), 1e-6);

  life.generations_per_frame = 5000;
  set_panes(life, PanePreset::kMaps);
  const FrameTimes three = times_of(life);
  EXPECT_GT(three.mean(Stage::kStep), 0.1 * three.mean(Stage::kFrame));
  EXPECT_GT(three.mean(Stage::kPanesStep), 0.3 * three.mean(Stage::kFrame));
  EXPECT_LT(three.mean(Stage::kOther), 0.2 * three.mean(Stage::kFrame));
  EXPECT_NEAR(sum_of_parts(three), three.mean(Stage::kFrame), 1e-6);
}

}  // namespace
}  // namespace loom::app
