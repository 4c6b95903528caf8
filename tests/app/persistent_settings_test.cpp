#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "app/files/output_file.h"
#include "app/files/state_folder.h"
#include "app/shell/shell_settings.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

TEST(PersistentSettings, AreReadAsTheyWereWritten) {
  const PersistentSettings all{.palette = "magma",
                               .text_scale = 1.25,
                               .theme = Theme::kLight,
                               .animations = false,
                               .window = glm::ivec2{1600, 900},
                               .show_timing = false};
  EXPECT_EQ(read_persistent_settings(text_of(all)), all);
  EXPECT_EQ(read_persistent_settings(text_of(PersistentSettings{})), PersistentSettings{});
}

TEST(ShellSettings, TheDefaultPaletteFollowsTheTheme) {
  ShellSettings settings;
  choose_theme(settings, Theme::kLight);
  EXPECT_EQ(settings.palette, "paper");
  choose_theme(settings, Theme::kDark);
  EXPECT_EQ(settings.palette, ShellSettings().palette);
  settings.palette = "magma";
  choose_theme(settings, Theme::kLight);
  EXPECT_EQ(settings.palette, "magma") << "the user has chosen it";
}

TEST(ShellSettings, TheUsersDefaultPaletteFollowsTheThemeBehindThatOfAScene) {
  ShellSettings settings;
  show_palette(settings, "magma");
  choose_theme(settings, Theme::kLight);
  EXPECT_EQ(settings.palette, "magma");
  EXPECT_EQ(own_palette(settings), "paper");
}

TEST(ShellSettings, FiguresThatTheProgramShowsAreNotTheUsersChoice) {
  ShellSettings settings;
  settings.show_timing = false;
  const ShellSettings before = settings;
  open_metrics(settings);
  keep_choice(settings, before);
  EXPECT_TRUE(settings.show_timing && shows_metrics(settings));
  EXPECT_EQ(settings.chosen_timing, std::optional(false));
  open_metrics(settings);
  EXPECT_EQ(settings.chosen_timing, std::optional(false)) << "a second call changes nothing";

  const ShellSettings shown = settings;
  settings.show_timing = false;
  keep_choice(settings, shown);
  EXPECT_EQ(settings.chosen_timing, std::nullopt) << "the user hid the timings";
}

TEST(ShellSettings, MetricsAreHiddenWhereTheyAreSeenAndElseShown) {
  ShellSettings settings;
  EXPECT_TRUE(shows_metrics(settings)) << "in their column";
  settings.side_tab = SideTab::kMain;
  EXPECT_FALSE(shows_metrics(settings)) << "in a tab that is not selected";
  toggle_metrics(settings);
  EXPECT_TRUE(shows_metrics(settings));
  EXPECT_EQ(settings.side_tab, SideTab::kMetrics);
  toggle_metrics(settings);
  EXPECT_FALSE(settings.show_timing);
  EXPECT_EQ(settings.side_tab, SideTab::kMain);
  settings.side_tab.reset();
  toggle_metrics(settings);
  EXPECT_TRUE(shows_metrics(settings));
  settings.side_tab = SideTab::kDetails;
  open_metrics(settings);
  EXPECT_EQ(settings.side_tab, SideTab::kMetrics);
}

TEST(PersistentSettings, WhatIsWrongIsSaid) {
  const auto problem = [](const std::string& members) {
    try {
      read_persistent_settings("{\"format\": \"fractal-loom settings\"" + members + "}");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(problem(", \"unknown\": 1"), "") << "it may come from a later version";
  EXPECT_EQ(problem(", \"palette\": \"no such\""), "") << "it may name a custom palette";
  for (const char* members :
       {", \"palette\": 1", ", \"text_scale\": 0", ", \"text_scale\": 100", ", \"window\": [10, 10]",
        ", \"window\": [100]", ", \"window\": [100, -100]", ", \"show_timing\": 1", ", \"theme\": \"blue\"",
        ",", ", \"text_scale\": 1e999"})
    EXPECT_NE(problem(members), "") << members;
  for (const char* text : {"", "[]", "{}", "no json", "{\"format\": \"another\"}"})
    EXPECT_THROW(read_persistent_settings(text), InputError) << text;
  EXPECT_THROW(read_persistent_settings(std::string(100, '[') + std::string(100, ']')), InputError);
}

TEST(PersistentSettings, AnUnreadableFileIsSetAside) {
  const auto folder = std::filesystem::path(testing::TempDir()) / fmt::format("loom-config-{}", getpid());
  unsetenv("FRACTAL_LOOM_NO_CONFIG");
  setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
  std::string problem;
  EXPECT_EQ(load_settings(problem), PersistentSettings{});
  EXPECT_EQ(problem, "");
  save_settings({}, {.palette = "magma"});
  EXPECT_EQ(load_settings(problem).palette, "magma");
  std::ofstream(*settings_file()) << "mine";
  EXPECT_EQ(load_settings(problem), PersistentSettings{});
  EXPECT_NE(problem.find("settings.json.unreadable-1"), std::string::npos) << problem;
  save_settings({}, {.palette = "cividis"});
  std::string kept;
  std::getline(std::ifstream(settings_file()->string() + ".unreadable-1"), kept);
  EXPECT_EQ(kept, "mine");
  unsetenv("XDG_CONFIG_HOME");
  std::filesystem::remove_all(folder);
}

TEST(NewFile, NamesFromDataStayInTheirFolder) {
  EXPECT_EQ(plain_file_name("sierpinski-gasket"), "sierpinski-gasket");
  EXPECT_EQ(plain_file_name("../../evil"), "evil");
  EXPECT_EQ(plain_file_name("/etc/passwd"), "etc-passwd");
  EXPECT_EQ(plain_file_name("-rf .hidden"), "rf-.hidden");
  EXPECT_EQ(plain_file_name("..."), "unnamed");
  EXPECT_EQ(plain_file_name(""), "unnamed");
  EXPECT_EQ(plain_file_name("λ λ"), "unnamed");
  EXPECT_EQ(plain_file_name("two  \n words_1.5 λ"), "two-words_1.5");
  EXPECT_EQ(plain_file_name(std::string(1000, 'a')), std::string(kMaxPlainName, 'a'));
}

TEST(PersistentSettings, OfTwoWindowsEachKeepsWhatItChanged) {
  const auto folder = std::filesystem::path(testing::TempDir()) / fmt::format("loom-windows-{}", getpid());
  unsetenv("FRACTAL_LOOM_NO_CONFIG");
  setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
  const PersistentSettings before{
      .palette = "cividis", .text_scale = 1, .window = glm::ivec2{1280, 720}, .show_timing = true};
  PersistentSettings first = before;
  first.palette = "magma";
  first.show_timing = false;
  PersistentSettings second = before;
  second.text_scale = 1.5;
  second.show_timing = true;
  save_settings(before, first);
  save_settings(before, second);
  std::string problem;
  const PersistentSettings kept = load_settings(problem);
  EXPECT_EQ(kept.palette, "magma");
  EXPECT_EQ(kept.text_scale, 1.5);
  EXPECT_EQ(kept.window, std::nullopt) << "nobody changed it";
  EXPECT_EQ(kept.show_timing, false);
  unsetenv("XDG_CONFIG_HOME");
  std::filesystem::remove_all(folder);
}

TEST(PersistentSettings, OnlyChangesAreWritten) {
  const auto folder = std::filesystem::path(testing::TempDir()) / fmt::format("loom-options-{}", getpid());
  unsetenv("FRACTAL_LOOM_NO_CONFIG");
  setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
  const PersistentSettings stored{.palette = "magma", .text_scale = 1, .theme = Theme::kLight};
  EXPECT_EQ(save_settings({}, stored), "");
  // A start with --palette viridis --ui-scale 2 --theme dark --size 900x600.
  const PersistentSettings with_options{
      .palette = "viridis", .text_scale = 2, .theme = Theme::kDark, .window = glm::ivec2{900, 600}};
  EXPECT_EQ(save_settings(with_options, with_options), "");
  std::string problem;
  EXPECT_EQ(load_settings(problem), stored);
  PersistentSettings changed = with_options;
  changed.animations = false;
  EXPECT_EQ(save_settings(with_options, changed), "");
  PersistentSettings wanted = stored;
  wanted.animations = false;
  EXPECT_EQ(load_settings(problem), wanted) << "only what was changed in the window";

  std::filesystem::remove_all(folder);
  std::ofstream(folder) << "no folder";
  EXPECT_EQ(save_settings(stored, stored), "") << "nothing is lost";
  EXPECT_EQ(save_settings(stored, changed), (folder / "fractal-loom").string() + ": Not a directory");
  unsetenv("XDG_CONFIG_HOME");
  std::filesystem::remove_all(folder);
}

TEST(ShellSettings, ThePaletteOfASceneIsNotTheUsersChoice) {
  ShellSettings settings;
  settings.palette = "cividis";
  show_palette(settings, "magma");
  show_palette(settings, "viridis");
  EXPECT_EQ(settings.palette, "viridis");
  EXPECT_EQ(own_palette(settings), "cividis");
  settings.palette = "turbo";
  EXPECT_EQ(own_palette(settings), "turbo") << "the user has chosen it";
  const ShellSettings before = settings;
  show_palette(settings, "turbo");
  EXPECT_EQ(settings, before) << "the same palette is no change";
}

TEST(NewFile, HasANameThatNoneHas) {
  const auto folder = std::filesystem::path(testing::TempDir()) / fmt::format("loom-new-{}", getpid());
  std::filesystem::create_directories(folder);
  const std::string stem = (folder / "a").string();
  EXPECT_EQ(new_file_name(stem, ".png"), stem + ".png");
  std::ofstream(stem + ".png") << "there";
  std::filesystem::create_symlink("nowhere", stem + "-2.png");
  EXPECT_EQ(new_file_name(stem, ".png"), stem + "-3.png");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace loom::app
