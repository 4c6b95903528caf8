#include "app/palette/custom_palettes.h"

#include <gtest/gtest.h>

#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

render::PaletteSpec grey(const std::string& name) {
  return {.name = name, .stops = {{0, {0, 0, 0}}, {1, {255, 255, 255}}}};
}

TEST(CustomPalettes, StandBesideTheBuiltInOnes) {
  CustomPalettes custom = with_palette(nullptr, grey("mine"));
  const CustomPalettes before = custom;
  custom = with_palette(custom, grey("other"));
  EXPECT_EQ(before->size(), 1u) << "shared lists are immutable";
  EXPECT_EQ(custom->size(), 2u);
  ASSERT_NE(find_palette(custom, "mine"), nullptr);
  EXPECT_EQ(find_palette(custom, "mine")->ramp[255], (glm::u8vec3{255, 255, 255}));
  EXPECT_EQ(find_palette(custom, "magma"), render::find_palette("magma"));
  EXPECT_EQ(find_palette(custom, "no such"), nullptr);
  EXPECT_EQ(&palette_or_first(custom, "no such"), &render::palettes().front());
  EXPECT_EQ(recipe_or_first(custom, "other"), (*custom)[1].recipe);
  EXPECT_EQ(recipe_or_first(custom, "magma").name, "magma");
  EXPECT_EQ(free_name(custom, "mine"), "mine 2");
  EXPECT_EQ(free_name(custom, "magma"), "magma 2");
  EXPECT_EQ(free_name(custom, "new"), "new");
  custom = without_palette(custom, "mine");
  EXPECT_FALSE(is_custom(custom, "mine"));
  EXPECT_EQ(without_palette(custom, "magma"), custom);
  EXPECT_EQ(without_palette(custom, "other"), nullptr);
}

TEST(CustomPalettes, AScenesOnesGoFirst) {
  auto other = grey("mine");
  other.reversed = true;
  const CustomPalettes scene = with_palette(nullptr, other);
  const CustomPalettes before = with_palette(with_palette(nullptr, grey("mine")), grey("kept"));
  const CustomPalettes custom = merge_palettes(scene, before);
  ASSERT_EQ(custom->size(), 3u);
  EXPECT_TRUE((*custom)[0].recipe.reversed);
  EXPECT_EQ((*custom)[1].recipe.name, "mine 2") << "the user's palette of the same name is renamed, not lost";
  EXPECT_FALSE((*custom)[1].recipe.reversed);
  EXPECT_EQ((*custom)[2].recipe.name, "kept");
  EXPECT_EQ(merge_palettes(scene, custom)->size(), 3u) << "merging a second time adds nothing";
  EXPECT_EQ(merge_palettes(nullptr, before), before);
  EXPECT_EQ(merge_palettes(scene, nullptr), scene);
}

TEST(CustomPalettes, OneOfTheSameNameTakesThePlace) {
  auto recipe = grey("mine");
  CustomPalettes custom = with_palette(with_palette(nullptr, recipe), grey("other"));
  recipe.reversed = true;
  custom = with_palette(custom, recipe);
  ASSERT_EQ(custom->size(), 2u);
  EXPECT_TRUE((*custom)[0].recipe.reversed);
  EXPECT_EQ((*custom)[0].palette.ramp[0], (glm::u8vec3{255, 255, 255}));
}

TEST(CustomPalettes, WhatIsNoneIsRefused) {
  EXPECT_THROW(with_palette(nullptr, grey("")), InputError);
  EXPECT_THROW(with_palette(nullptr, grey("cividis")), InputError);
  auto one_stop = grey("mine");
  one_stop.stops.resize(1);
  EXPECT_THROW(with_palette(nullptr, one_stop), InputError);
  CustomPalettes custom;
  for (std::size_t i = 0; i < kMaxCustomPalettes; ++i) custom = with_palette(custom, grey(std::to_string(i)));
  EXPECT_THROW(with_palette(custom, grey("one more")), InputError);
  EXPECT_NO_THROW(with_palette(custom, grey("3")));
}

TEST(CustomPalettes, AFilesHolesAreNotItsDeadCells) {
  FilePalette file{.name = "file", .stops = {{0, {0, 0, 0}}, {1, {255, 255, 255}}}};
  EXPECT_GT(recipe_of(file).hole.g, 200);
  std::swap(file.stops[0].rgb, file.stops[1].rgb);
  EXPECT_LT(recipe_of(file).hole.g, 50);
}

TEST(CustomPalettes, ThinnedOutTheyLookAboutTheSame) {
  for (const bool cyclic : {false, true}) {
    render::PaletteSpec recipe{.name = "many", .cyclic = cyclic};
    for (int i = 0; i < 200; ++i) {
      const auto part = static_cast<std::uint8_t>(i < 100 ? 2 * i : 398 - 2 * i);
      recipe.stops.push_back(
          {i / (cyclic ? 200.0 : 199.0), {part, 10, static_cast<std::uint8_t>(200 - part)}});
    }
    const render::Palette before = render::make_palette(recipe);
    reduce_stops(recipe, 12);
    EXPECT_EQ(recipe.stops.size(), 12u);
    const render::Palette after = render::make_palette(recipe);
    for (std::size_t i = 0; i < 256; ++i) {
      EXPECT_NEAR(before.ramp[i].r, after.ramp[i].r, 20) << i;
      EXPECT_NEAR(before.cycle[i].r, after.cycle[i].r, 20) << i;
    }
  }
}

TEST(CustomPalettes, ColoursAsText) {
  EXPECT_EQ(hex_of({1, 171, 255}), "#01abff");
  EXPECT_EQ(colour_of_hex("#01abff"), (glm::u8vec3{1, 171, 255}));
  for (const char* wrong : {"", "#", "01abff", "#01abf", "#01abfff", "#01abfg", "#-1abff"})
    EXPECT_FALSE(colour_of_hex(wrong)) << wrong;
}

TEST(DwellColouring, ACycleComesBackToItsFirstColour) {
  const render::Palette& palette = *render::find_palette("twilight");
  std::vector<glm::u8vec3> colours;
  const DwellColouring how{Colouring::kBands, InteriorColour::kBlack, 10};
  dwell_colours(palette, how, {}, 100, colours);
  ASSERT_EQ(colours.size(), 101u);
  for (std::size_t dwell = 0; dwell < 100; ++dwell) EXPECT_EQ(colours[dwell], colours[dwell % 10]);
  EXPECT_EQ(colours[0], palette.cycle[0]);
  EXPECT_EQ(colours[5], palette.cycle[128]);
  EXPECT_EQ(colours[100], (glm::u8vec3{0, 0, 0}));
  std::vector<glm::u8vec3> ranked;
  std::vector<glm::u8vec3> whole;
  dwell_colours(palette, {Colouring::kHistogram, InteriorColour::kBlack, 10}, {}, 100, ranked);
  dwell_colours(palette, {Colouring::kHistogram, InteriorColour::kBlack, 0}, {}, 100, whole);
  EXPECT_EQ(ranked, whole) << "histogram colouring ignores the cycle length";
}

// The same picture deeper in the set has the same dwells plus those of the way there.
TEST(DwellColouring, AdaptiveColoursFollowTheDwellsOfThePicture) {
  const render::Palette& palette = *render::find_palette("twilight");
  const DwellColouring how{Colouring::kAdaptive, InteriorColour::kBlack, 24};
  constexpr std::uint32_t kLimit = 6000;
  DwellHistogram near(kLimit + 1);
  DwellHistogram far(kLimit + 1);
  for (std::uint32_t dwell = 0; dwell < 400; ++dwell)
    near[10 + dwell] = far[5010 + dwell] = 1 + 400 / (dwell + 1);
  std::vector<glm::u8vec3> of_near;
  std::vector<glm::u8vec3> of_far;
  dwell_colours(palette, how, near, kLimit, of_near);
  dwell_colours(palette, how, far, kLimit, of_far);
  for (std::uint32_t dwell = 10; dwell < 410; ++dwell)
    EXPECT_EQ(of_near[dwell], of_far[dwell + 5000]) << dwell;
  EXPECT_EQ(of_near[kLimit], (glm::u8vec3{0, 0, 0}));
  EXPECT_EQ(of_near[10], palette.cycle[0]) << "the fewest iterations begin the cycle";
  EXPECT_NE(of_near[40], of_near[10]);
}

// Otherwise pixels beside each other, whose dwells differ by a few percent of the range, would be noise.
TEST(DwellColouring, AdaptiveColoursChangeSlowlyWhereDwellsVaryMuch) {
  const render::Palette& palette = *render::find_palette("twilight");
  constexpr std::uint32_t kLimit = 60000;
  DwellHistogram counts(kLimit + 1);
  for (std::uint32_t dwell = 15000; dwell < 35000; ++dwell) counts[dwell] = 3;
  std::vector<glm::u8vec3> colours;
  dwell_colours(palette, {Colouring::kAdaptive, InteriorColour::kBlack, 24}, counts, kLimit, colours);
  int largest = 0;
  for (std::uint32_t dwell = 16000; dwell + 100 < 35000; ++dwell) {
    const glm::ivec3 change = glm::abs(glm::ivec3(colours[dwell]) - glm::ivec3(colours[dwell + 100]));
    largest = std::max({largest, change.r, change.g, change.b});
  }
  EXPECT_LE(largest, 16);
}

}  // namespace
}  // namespace loom::app
