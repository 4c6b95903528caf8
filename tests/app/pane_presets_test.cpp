#include "app/life/scene/pane_presets.h"

#include <gtest/gtest.h>

#include "app/life/scene/setting_steps.h"

namespace loom::app {
namespace {

void open_and_close(LifeSettings& settings, PanePreset preset) {
  set_panes(settings, preset, BackendKind::kCpu);
  EXPECT_FALSE(settings.beside.empty());
  set_panes(settings, PanePreset::kOne, BackendKind::kCpu);
  EXPECT_TRUE(settings.beside.empty());
}

TEST(PanePresets, ClosingThemBringsTheMethodBack) {
  for (const MapKind map : kMapKinds) {
    for (const PanePreset preset : {PanePreset::kMaps, PanePreset::kArithmetics, PanePreset::kDevices}) {
      LifeSettings settings = default_life_settings();
      set_map(settings.config, map);
      const LifeSettings before = settings;
      open_and_close(settings, preset);
      EXPECT_EQ(settings.config, before.config) << name_of(preset);
      EXPECT_EQ(settings.devices, before.devices);
    }
  }
}

TEST(PanePresets, AnotherPresetBeginsWithTheMethodOfBefore) {
  LifeSettings settings = default_life_settings();
  set_panes(settings, PanePreset::kMaps, BackendKind::kCpu);
  set_panes(settings, PanePreset::kSpaces, BackendKind::kCpu);
  EXPECT_EQ(settings.config.method.map, MapKind::kLambda);
}

TEST(PanePresets, AMethodThatWasChosenMeanwhileStays) {
  LifeSettings settings = default_life_settings();
  set_panes(settings, PanePreset::kMaps, BackendKind::kCpu);
  set_map(settings.config, MapKind::kCompact);
  set_panes(settings, PanePreset::kOne, BackendKind::kCpu);
  EXPECT_EQ(settings.config.method.map, MapKind::kCompact);
}

TEST(PanePresets, PanesThatTheUserClosedOneByOneBringNothingBack) {
  LifeSettings settings = default_life_settings();
  set_panes(settings, PanePreset::kMaps, BackendKind::kCpu);
  settings.beside.clear();
  open_and_close(settings, PanePreset::kMaps);
  EXPECT_EQ(settings.config.method.map, MapKind::kBoundingBox);
}

}  // namespace
}  // namespace loom::app
