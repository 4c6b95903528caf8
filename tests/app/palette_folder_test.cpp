#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "app/files/fractal_file.h"
#include "app/palette/custom_palettes.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

namespace fs = std::filesystem;

render::PaletteSpec two_colours(const std::string& name) {
  return {.name = name,
          .stops = {{0.125, {0, 10, 20}}, {0.75, {255, 250, 1}}},
          .cyclic = true,
          .reversed = true,
          .offset = 0.3,
          .hole = {1, 2, 3},
          .outside = {4, 5, 6}};
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class PaletteFolderTest : public testing::Test {
 protected:
  PaletteFolderTest()
      : folder_(fs::path(testing::TempDir()) / fmt::format("loom-palettes-{}", getpid()) / "palettes") {}
  ~PaletteFolderTest() override { fs::remove_all(folder_.parent_path()); }
  PaletteFolder::Read read() const { return PaletteFolder(folder_).read(); }

  fs::path folder_;
};

TEST_F(PaletteFolderTest, WhatIsKeptIsThereTheNextTime) {
  PaletteFolder folder(folder_);
  EXPECT_EQ(folder.read().palettes, nullptr);
  const CustomPalettes own = with_palette(with_palette(nullptr, two_colours("my fire")), two_colours("../é"));
  folder.save(own);
  const auto kept = read();
  EXPECT_EQ(kept.problem, "");
  ASSERT_TRUE(kept.palettes);
  ASSERT_EQ(kept.palettes->size(), 2u);
  EXPECT_TRUE(fs::exists(folder_ / "my-fire.cpt"));
  for (const CustomPalette& one : *own)
    EXPECT_EQ(recipe_or_first(kept.palettes, one.recipe.name), one.recipe);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.parent_path()), {}), 1)
      << "nothing else was created next to the folder";
}

TEST_F(PaletteFolderTest, FollowsTheList) {
  PaletteFolder folder(folder_);
  folder.read();
  CustomPalettes own = with_palette(with_palette(nullptr, two_colours("a")), two_colours("b"));
  folder.save(own);
  auto changed = two_colours("a");
  changed.offset = 0.5;
  own = with_palette(without_palette(own, "b"), changed);
  folder.save(own);
  EXPECT_EQ(recipe_or_first(read().palettes, "a"), (*own)[0].recipe);
  EXPECT_FALSE(fs::exists(folder_ / "b.cpt"));
  folder.save(nullptr);
  EXPECT_EQ(read().palettes, nullptr);
}

TEST_F(PaletteFolderTest, PalettesOfOptionsAreNotTheUsersUntilTheyAreEdited) {
  PaletteFolder(folder_).save(with_palette(nullptr, two_colours("a")));
  const std::string stored = text_of(folder_ / "a.cpt");
  PaletteFolder folder(folder_);
  auto other = two_colours("a");
  other.offset = 0.7;
  CustomPalettes own =
      merge_palettes(with_palette(with_palette(nullptr, other), two_colours("b")), folder.read().palettes);
  folder.exclude(own);
  folder.save(own);
  folder.save(own = with_palette(own, two_colours("c")));
  EXPECT_EQ(text_of(folder_ / "a.cpt"), stored) << "an option names another palette alike";
  EXPECT_FALSE(fs::exists(folder_ / "b.cpt"));
  EXPECT_TRUE(fs::exists(folder_ / "c.cpt"));
  auto edited = two_colours("b");
  edited.offset = 0.1;
  folder.save(with_palette(own, edited));
  EXPECT_TRUE(fs::exists(folder_ / "b.cpt"));
}

TEST_F(PaletteFolderTest, TouchesNoFileThatItDidNotReadOrWrite) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "a.cpt") << "no palette";
  PaletteFolder folder(folder_);
  const auto before = folder.read();
  EXPECT_EQ(before.palettes, nullptr);
  EXPECT_NE(before.problem.find("1 custom palette could not be read and stays as it is: "), std::string::npos)
      << before.problem;
  EXPECT_NE(before.problem.find("a.cpt:1: "), std::string::npos) << before.problem;
  std::ofstream(folder_ / "b.cpt") << "another window's";
  const CustomPalettes own = with_palette(with_palette(nullptr, two_colours("a")), two_colours("b"));
  folder.save(own);
  EXPECT_EQ(text_of(folder_ / "a.cpt"), "no palette");
  EXPECT_EQ(text_of(folder_ / "b.cpt"), "another window's");
  EXPECT_TRUE(fs::exists(folder_ / "a-2.cpt"));
  folder.save(nullptr);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 2) << "only files that it wrote are removed";
}

TEST_F(PaletteFolderTest, OfTwoWindowsNeitherLosesWhatTheOtherOneMade) {
  PaletteFolder first(folder_);
  first.save(with_palette(with_palette(nullptr, two_colours("a")), two_colours("b")));
  PaletteFolder second(folder_);
  const CustomPalettes both = second.read().palettes;
  auto changed = two_colours("a");
  changed.offset = 0.5;
  first.save(with_palette(both, changed));
  auto changed_too = changed;
  changed_too.offset = 0.75;
  second.save(with_palette(both, changed_too));
  auto kept = read();
  ASSERT_EQ(kept.palettes->size(), 3u);
  EXPECT_EQ(recipe_or_first(kept.palettes, "a").offset, 0.5);
  EXPECT_EQ(recipe_or_first(kept.palettes, "a 2").offset, 0.75);
  changed.offset = 0.625;
  first.save(with_palette(both, changed));
  second.save(nullptr);
  kept = read();
  ASSERT_EQ(kept.palettes->size(), 1u) << "a palette that the other window changed stays";
  EXPECT_EQ(recipe_or_first(kept.palettes, "a").offset, 0.625);
}

TEST_F(PaletteFolderTest, AFullListMayHaveLostSomeAndNothingIsRemoved) {
  PaletteFolder folder(folder_);
  folder.read();
  folder.save(with_palette(nullptr, two_colours("mine")));
  CustomPalettes scene;
  for (std::size_t i = 0; i < kMaxCustomPalettes; ++i)
    scene = with_palette(scene, two_colours(fmt::format("{}", i)));
  const CustomPalettes all = merge_palettes(scene, with_palette(nullptr, two_colours("mine")));
  ASSERT_FALSE(is_custom(all, "mine"));
  folder.save(all);
  EXPECT_TRUE(fs::exists(folder_ / "mine.cpt"));
}

TEST_F(PaletteFolderTest, TwoFilesOfOneNameAreTwoPalettes) {
  fs::create_directories(folder_);
  for (const char* name : {"one.cpt", "two.cpt"}) {
    FilePalette file = file_of(two_colours("same"));
    file.offset = name[0] == 'o' ? 0.1 : 0.2;
    std::ofstream(folder_ / name) << cpt_text(file);
  }
  const auto kept = read();
  ASSERT_EQ(kept.palettes->size(), 2u);
  EXPECT_EQ(recipe_or_first(kept.palettes, "same").offset, 0.1);
  EXPECT_EQ(recipe_or_first(kept.palettes, "same 2").offset, 0.2);
}

}  // namespace
}  // namespace loom::app
