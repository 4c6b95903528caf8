#include <gtest/gtest.h>

#include "app/shell/application.h"
#include "app/shell/frame_times.h"
#include "app/workspaces/life/life_workspace.h"
#include "app/workspaces/life/scene/life_settings.h"

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

// Steps of this length run on background threads, and each frame waits for its steps. With several panes they
// run at the same time, and the first wait is for the active one.
TEST(PaneSteps, WaitingForAStepInTheBackgroundIsTheStep) {
  for (const bool panes : {false, true}) {
    LifeSettings life = default_life_settings();
    life.config.level = 6;
    life.playing = true;
    life.generations_per_frame = 8000;
    if (panes) set_panes(life, PanePreset::kMaps);
    const FrameTimes times = times_of(life);
    const double frame = times.mean(Stage::kFrame);
    const double rest = frame - times.mean(Stage::kDraw) - times.mean(Stage::kPanels) -
                        times.mean(Stage::kPresent) - times.mean(Stage::kResolve) -
                        times.mean(Stage::kTransfer);
    ASSERT_GT(rest, 0.3 * frame) << "the steps are long";
    EXPECT_GT(times.mean(Stage::kStep) + times.mean(Stage::kPanesStep), 0.9 * rest);
    EXPECT_EQ(times.stats(Stage::kStep).samples, times.stats(Stage::kFrame).samples) << "in each frame";
    EXPECT_EQ(times.stats(Stage::kPanesStep).samples > 0, panes);
    double sum = 0;
    for (const Stage stage : kFrameParts) sum += times.mean(stage);
    EXPECT_NEAR(sum, frame, 1e-6 * frame);
  }
}

}  // namespace
}  // namespace loom::app
