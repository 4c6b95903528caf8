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

}  // namespace
}  // namespace loom::app
