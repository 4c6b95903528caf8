#include "app/palette/own_palettes.h"

#include <gtest/gtest.h>

#include "app/mandelbrot/scene/dwell_colours.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

render::PaletteRecipe grey(const std::string& name) {
  return {.name = name, .stops = {{0, {0, 0, 0}}, {1, {255, 255, 255}}}};
}

TEST(OwnPalettes, StandBesideTheBuiltInOnes) {
  OwnPalettes own = with_palette(nullptr, grey("mine"));
  const OwnPalettes before = own;
  own = with_palette(own, grey("other"));
  EXPECT_EQ(before->size(), 1u) << "what is shared never changes";
  EXPECT_EQ(own->size(), 2u);
  ASSERT_NE(find_palette(own, "mine"), nullptr);
  EXPECT_EQ(find_palette(own, "mine")->ramp[255], (render::Rgb{255, 255, 255}));
  EXPECT_EQ(find_palette(own, "magma"), render::find_palette("magma"));
  EXPECT_EQ(find_palette(own, "no such"), nullptr);
  EXPECT_EQ(&palette_or_first(own, "no such"), &render::palettes().front());
  EXPECT_EQ(recipe_or_first(own, "other"), (*own)[1].recipe);
  EXPECT_EQ(recipe_or_first(own, "magma").name, "magma");
  EXPECT_EQ(free_name(own, "mine"), "mine 2");
  EXPECT_EQ(free_name(own, "magma"), "magma 2");
  EXPECT_EQ(free_name(own, "new"), "new");
  own = without_palette(own, "mine");
  EXPECT_FALSE(is_own(own, "mine"));
  EXPECT_EQ(without_palette(own, "magma"), own);
  EXPECT_EQ(without_palette(own, "other"), nullptr);
}

TEST(OwnPalettes, AScenesOnesGoFirst) {
  auto other = grey("mine");
  other.reversed = true;
  const OwnPalettes scene = with_palette(nullptr, other);
  const OwnPalettes before = with_palette(with_palette(nullptr, grey("mine")), grey("kept"));
  const OwnPalettes own = joined(scene, before);
  ASSERT_EQ(own->size(), 3u);
  EXPECT_TRUE((*own)[0].recipe.reversed);
  EXPECT_EQ((*own)[1].recipe.name, "mine 2") << "the user's own of that name is not lost";
  EXPECT_FALSE((*own)[1].recipe.reversed);
  EXPECT_EQ((*own)[2].recipe.name, "kept");
  EXPECT_EQ(joined(scene, own)->size(), 3u) << "and once is enough";
  EXPECT_EQ(joined(nullptr, before), before);
  EXPECT_EQ(joined(scene, nullptr), scene);
}

TEST(OwnPalettes, OneOfTheSameNameTakesThePlace) {
  auto recipe = grey("mine");
  OwnPalettes own = with_palette(with_palette(nullptr, recipe), grey("other"));
  recipe.reversed = true;
  own = with_palette(own, recipe);
  ASSERT_EQ(own->size(), 2u);
  EXPECT_TRUE((*own)[0].recipe.reversed);
  EXPECT_EQ((*own)[0].palette.ramp[0], (render::Rgb{255, 255, 255}));
}

TEST(OwnPalettes, WhatIsNoneIsRefused) {
  EXPECT_THROW(with_palette(nullptr, grey("")), InputError);
  EXPECT_THROW(with_palette(nullptr, grey("cividis")), InputError);
  auto one_stop = grey("mine");
  one_stop.stops.resize(1);
  EXPECT_THROW(with_palette(nullptr, one_stop), InputError);
  OwnPalettes own;
  for (std::size_t i = 0; i < kMostOwnPalettes; ++i) own = with_palette(own, grey(std::to_string(i)));
  EXPECT_THROW(with_palette(own, grey("one more")), InputError);
  EXPECT_NO_THROW(with_palette(own, grey("3")));
}

TEST(OwnPalettes, AFilesHolesAreNotItsDeadCells) {
  FilePalette file{.name = "file", .stops = {{0, {0, 0, 0}}, {1, {255, 255, 255}}}};
  EXPECT_GT(recipe_of(file).hole.g, 200);
  std::swap(file.stops[0].rgb, file.stops[1].rgb);
  EXPECT_LT(recipe_of(file).hole.g, 50);
}

TEST(OwnPalettes, ThinnedOutTheyLookAboutTheSame) {
  for (const bool cyclic : {false, true}) {
    render::PaletteRecipe recipe{.name = "many", .cyclic = cyclic};
    for (int i = 0; i < 200; ++i) {
      const auto part = static_cast<std::uint8_t>(i < 100 ? 2 * i : 398 - 2 * i);
      recipe.stops.push_back(
          {i / (cyclic ? 200.0 : 199.0), {part, 10, static_cast<std::uint8_t>(200 - part)}});
    }
    const render::Palette before = render::make_palette(recipe);
    thin_out(recipe, 12);
    EXPECT_EQ(recipe.stops.size(), 12u);
    const render::Palette after = render::make_palette(recipe);
    for (std::size_t i = 0; i < 256; ++i) {
      EXPECT_NEAR(before.ramp[i].r, after.ramp[i].r, 20) << i;
      EXPECT_NEAR(before.cycle[i].r, after.cycle[i].r, 20) << i;
    }
  }
}

TEST(OwnPalettes, ColoursAsText) {
  EXPECT_EQ(hex_of({1, 171, 255}), "#01abff");
  EXPECT_EQ(colour_of_hex("#01abff"), (render::Rgb{1, 171, 255}));
  for (const char* wrong : {"", "#", "01abff", "#01abf", "#01abfff", "#01abfg", "#-1abff"})
    EXPECT_FALSE(colour_of_hex(wrong)) << wrong;
}

TEST(DwellColouring, ACycleComesBackToItsFirstColour) {
  const render::Palette& palette = *render::find_palette("twilight");
  std::vector<render::Rgb> colours;
  const DwellColouring how{Colouring::kBands, InteriorColour::kBlack, 10};
  dwell_colours(palette, how, {}, 100, colours);
  ASSERT_EQ(colours.size(), 101u);
  for (std::size_t dwell = 0; dwell < 100; ++dwell) EXPECT_EQ(colours[dwell], colours[dwell % 10]);
  EXPECT_EQ(colours[0], palette.cycle[0]);
  EXPECT_EQ(colours[5], palette.cycle[128]);
  EXPECT_EQ(colours[100], (render::Rgb{0, 0, 0}));
  std::vector<render::Rgb> ranked;
  std::vector<render::Rgb> whole;
  dwell_colours(palette, {Colouring::kHistogram, InteriorColour::kBlack, 10}, {}, 100, ranked);
  dwell_colours(palette, {Colouring::kHistogram, InteriorColour::kBlack, 0}, {}, 100, whole);
  EXPECT_EQ(ranked, whole) << "ranks do not go round";
}

}  // namespace
}  // namespace loom::app
