#include <gtest/gtest.h>

#include <set>

#include "app/workspaces/life/scene/life_settings.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

void open_and_close(LifeSettings& settings, PanePreset preset) {
  set_panes(settings, preset);
  EXPECT_FALSE(settings.secondary_panes.empty());
  set_panes(settings, PanePreset::kSingle);
  EXPECT_TRUE(settings.secondary_panes.empty());
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

// The scene's own method is one of those that are compared, and stays the active one.
TEST(PanePresets, ComparisonsKeepTheMethodOfTheScene) {
  for (const MapKind map : kMapKinds) {
    LifeSettings settings = default_life_settings();
    set_map(settings.config, map);
    const FractalConfig before = settings.config;
    set_panes(settings, PanePreset::kMaps);
    EXPECT_EQ(settings.config, before);
    EXPECT_EQ(settings.compared, std::nullopt);
    std::set<MapKind> shown = {map};
    for (const PaneSpec& one : settings.secondary_panes) shown.insert(one.method.map);
    EXPECT_EQ(shown.size(), kMapKinds.size()) << name_of(map);
  }
  LifeSettings settings = default_life_settings();
  settings.config.method.arithmetic = MapArithmetic::kTable;
  set_panes(settings, PanePreset::kArithmetics);
  EXPECT_EQ(settings.config.method.arithmetic, MapArithmetic::kTable);
  EXPECT_EQ(settings.secondary_panes.front().method.arithmetic, MapArithmetic::kLoop);
  EXPECT_EQ(settings.secondary_panes.size(), 3u);
}

TEST(PanePresets, CountingsAreThoseThatTheRuleAndTheTilesAllow) {
  LifeSettings settings = default_life_settings();
  const LifeSettings before = settings;
  set_panes(settings, PanePreset::kCountings);
  EXPECT_TRUE(settings.secondary_panes.empty())
      << "lists of eight neighbours are not counted in several ways";
  const auto countings = [&](const char* rule) {
    settings = before;
    settings.config.tile_size = 16;
    settings.rule = parse_rule(rule);
    set_panes(settings, PanePreset::kCountings);
    std::set<Counting> found = {settings.config.method.counting};
    for (const PaneSpec& one : settings.secondary_panes) found.insert(one.method.counting);
    EXPECT_EQ(found.size(), settings.secondary_panes.size() + 1);
    return found;
  };
  EXPECT_EQ(countings("R3,C0,M1,S4..20,B4..12,NC"), (std::set{Counting::kDirect, Counting::kSums}));
  EXPECT_EQ(countings("Bugs"),
            (std::set{Counting::kDirect, Counting::kSums, Counting::kBits, Counting::kTensor}));
  EXPECT_EQ(settings.config.method.counting, Counting::kSums) << "what auto chose is the active one";
  set_panes(settings, PanePreset::kSingle);
  EXPECT_EQ(settings.config.method.counting, Counting::kAuto);
}

TEST(PanePresets, AnotherPresetBeginsWithTheMethodOfBefore) {
  LifeSettings settings = default_life_settings();
  set_panes(settings, PanePreset::kDevices);
  ASSERT_EQ(settings.config.method.map, MapKind::kCompact);
  set_panes(settings, PanePreset::kLaunchAndMemory);
  EXPECT_EQ(settings.config.method.map, MapKind::kLambda);
}

TEST(PanePresets, AMethodThatWasChosenMeanwhileStays) {
  LifeSettings settings = default_life_settings();
  set_panes(settings, PanePreset::kDevices);
  set_map(settings.config, MapKind::kBoundingBox);
  set_panes(settings, PanePreset::kSingle);
  EXPECT_EQ(settings.config.method.map, MapKind::kBoundingBox);
}

TEST(PanePresets, ClosingTheLastOfThemBringsTheMethodBack) {
  LifeSettings settings = default_life_settings();
  set_map(settings.config, MapKind::kBoundingBox);
  const LifeSettings before = settings;
  set_panes(settings, PanePreset::kArithmetics);
  close_pane(settings, 0);
  close_pane(settings, 0);
  EXPECT_EQ(settings.config.method.map, MapKind::kLambda) << "the preset's map stays while a pane is left";
  close_pane(settings, 1);
  EXPECT_EQ(settings.secondary_panes.size(), 1u) << "there is no pane 1";
  close_pane(settings, 0);
  EXPECT_TRUE(settings.secondary_panes.empty());
  EXPECT_EQ(settings.config, before.config);
  EXPECT_EQ(settings.compared, std::nullopt);
}

TEST(PanePresets, ClosingTheLastOfThemKeepsAMethodThatWasChosenMeanwhile) {
  LifeSettings settings = default_life_settings();
  set_panes(settings, PanePreset::kDevices);
  set_map(settings.config, MapKind::kLambda);
  close_pane(settings, 0);
  EXPECT_EQ(settings.config.method.map, MapKind::kLambda);
}

TEST(PanePresets, ComparedPanesFollowTheTileSizeUnlessTheyHaveTheirOwn) {
  LifeSettings before = default_life_settings();
  before.config.tile_size = 16;
  set_panes(before, PanePreset::kMaps);
  before.secondary_panes[1].tile_size = 8;
  LifeSettings after = before;
  after.config.tile_size = 4;
  follow_tile_size(after, before);
  EXPECT_EQ(after.secondary_panes[0].tile_size, 4u);
  EXPECT_EQ(after.secondary_panes[1].tile_size, 8u);
}

}  // namespace
}  // namespace loom::app
