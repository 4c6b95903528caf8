#include <gtest/gtest.h>

#include <fstream>

#include "app/files/file_kind.h"
#include "app/files/fractal_file.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

using Stop = FilePalette::Stop;

FilePalette example(const std::string& name) {
  return read_palette_file(std::filesystem::path(LOOM_TEST_DATA) / name);
}

/// The error message for a text, with its line ("3: what"), or empty if the text is valid.
std::string problem_of(const std::string& text, PaletteFormat format) {
  try {
    parse_palette_file(text, format, "p");
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.rfind("p:", 0), 0u) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message.substr(2);
  }
  return {};
}

void expect_problem(const std::string& text, PaletteFormat format, const std::string& start) {
  EXPECT_EQ(problem_of(text, format).rfind(start, 0), 0u)
      << '"' << problem_of(text, format) << "\" of " << text;
}

TEST(PaletteFile, Gimp) {
  const FilePalette palette = example("example.gpl");
  EXPECT_EQ(palette.name, "Bears");
  EXPECT_FALSE(palette.cyclic);
  const std::vector<Stop> expected = {
      {0, {8, 8, 8}}, {1.0 / 3, {88, 56, 24}}, {2.0 / 3, {152, 120, 88}}, {1, {248, 248, 248}}};
  EXPECT_EQ(palette.stops, expected);
}

TEST(PaletteFile, FractintGoesRound) {
  const FilePalette palette = example("example.map");
  EXPECT_EQ(palette.name, "example");
  EXPECT_TRUE(palette.cyclic);
  const std::vector<Stop> expected = {
      {0, {0, 0, 0}}, {0.25, {255, 0, 0}}, {0.5, {0, 255, 0}}, {0.75, {0, 0, 255}}};
  EXPECT_EQ(palette.stops, expected);
}

TEST(PaletteFile, GmtsSlicesKeepTheirPlacesAndSteps) {
  const FilePalette palette = example("example.cpt");
  EXPECT_EQ(palette.name, "example");
  const std::vector<Stop> expected = {
      {0, {0, 0, 80}},     {0.375, {0, 120, 200}}, {0.375, {230, 230, 200}}, {0.5, {230, 230, 200}},
      {0.5, {90, 90, 90}}, {0.75, {255, 204, 0}},  {1, {255, 255, 255}}};
  EXPECT_EQ(palette.stops, expected);
}

TEST(PaletteFile, LinesOfOtherSystemsAndNoLastEnd) {
  EXPECT_EQ(parse_palette_file("GIMP Palette\r\n1 2 3\r\n4 5 6\r", PaletteFormat::kGimp, "p").stops.size(),
            2u);
  EXPECT_EQ(parse_palette_file("1 2 3\n4 5 6", PaletteFormat::kFractint, "p").stops.size(), 2u);
}

TEST(PaletteFile, SaysTheLineAndWhatIsAllowed) {
  using enum PaletteFormat;
  expect_problem("", kGimp, "1: the first line is not");
  expect_problem("JASC-PAL\n", kGimp, "1: the first line is not");
  expect_problem("GIMP Palette\n1 2 3\n1 2 256\n", kGimp,
                 "3: '1 2 256' is not a colour; allowed: three whole numbers");
  expect_problem("GIMP Palette\n1 2 3\n1 -2 3\n", kGimp, "3: '1 -2 3' is not a colour");
  expect_problem("GIMP Palette\n1 2 3\n", kGimp, "2: 1 colour(s); a palette has 2 to 512");
  expect_problem("1 2\n", kFractint, "1: '1 2' is not a colour");
  std::string many;
  for (int i = 0; i < 257; ++i) many += "1 2 3\n";
  expect_problem(many, kFractint, "257: more than 256 colours");
  expect_problem("0 1 2 3 1 4 5\n", kGmt, "1: '4' is not a colour");
  expect_problem("0 1 2 3 1 4 5 6\n1 red 2 blue\n", kGmt, "2: 'red' is not a colour");
  expect_problem("0 1 2 3 0 4 5 6\n", kGmt, "1: a slice does not end above");
  expect_problem("0 1 2 3 1 4 5 6\n0.5 1 2 3 2 4 5 6\n", kGmt, "2: a slice begins below");
  expect_problem("nan 1 2 3 1 4 5 6\n", kGmt, "1: not a slice; allowed: z0");
  expect_problem("# COLOR_MODEL = HSV\n", kGmt, "1: colour model HSV");
  expect_problem("0 1 2 3 1 4 5 6 7\n", kGmt, "1: '7' after the slice");
  expect_problem("0 1 2 3 5e-324 4 5 6\n", kGmt, "1: its slices are too narrow");
}

TEST(PaletteFile, WhatIsWrittenIsReadAsItWas) {
  FilePalette all{.name = "Fire, and # ice",
                  .stops = {{0.1, {1, 2, 3}},
                            {1.0 / 3, {4, 5, 6}},
                            {1.0 / 3, {7, 8, 9}},
                            {0.5, {7, 8, 9}},
                            {0.5, {7, 8, 9}},
                            {0.5, {0, 0, 0}},
                            {0.9, {255, 254, 253}}},
                  .cyclic = true,
                  .reversed = true,
                  .offset = 0.7,
                  .hole = std::array<std::uint8_t, 3>{9, 8, 7},
                  .outside = std::array<std::uint8_t, 3>{250, 0, 16}};
  EXPECT_EQ(parse_palette_file(cpt_text(all), PaletteFormat::kGmt, "p"), all) << cpt_text(all);
  all.stops = {{0.25, {1, 2, 3}}, {0.25, {4, 5, 6}}};
  EXPECT_EQ(parse_palette_file(cpt_text(all), PaletteFormat::kGmt, "p"), all) << cpt_text(all);
  all.stops.assign(kMaxFileColours, {0.25, {1, 2, 3}});
  for (std::size_t i = 0; i < all.stops.size(); ++i) all.stops[i].rgb[0] = static_cast<std::uint8_t>(i);
  EXPECT_EQ(parse_palette_file(cpt_text(all), PaletteFormat::kGmt, "p"), all);
}

TEST(PaletteFile, AJumpIsNoSliceThatOthersWouldRefuse) {
  const FilePalette steps{.name = "steps",
                          .stops = {{0, {1, 1, 1}}, {0.5, {2, 2, 2}}, {0.5, {3, 3, 3}}, {1, {4, 4, 4}}}};
  const std::string text = cpt_text(steps);
  EXPECT_NE(text.find("\n0 1/1/1 0.5 2/2/2\n0.5 3/3/3 1 4/4/4\n"), std::string::npos) << text;
}

TEST(PaletteFile, OwnWordsAreChecked) {
  const auto expect = [](const std::string& line, const std::string& start) {
    expect_problem("# fractal-loom " + line + "\n0 1 2 3 1 4 5 6\n", PaletteFormat::kGmt, start);
  };
  EXPECT_EQ(problem_of("# fractal-loom later yes\n# fractal-loom\n0 1 2 3 1 4 5 6\n", PaletteFormat::kGmt),
            "");
  expect("cyclic maybe", "1: cyclic is 'maybe'; allowed: yes, no");
  expect("offset 1.5", "1: offset is '1.5'; allowed: a number from 0 to 1");
  expect("offset nan", "1: offset is");
  expect("hole red", "1: hole is 'red'; allowed: #rrggbb");
  expect("places about", "1: places is 'about'; allowed: exact");
  expect("places exact\n0.5 1 2 3 1.5 4 5 6", "2: a slice of exact places");
  expect_problem("0 1 2 3 1 4 5 6\n# fractal-loom places exact\n", PaletteFormat::kGmt,
                 "2: 'places exact' must");
}

TEST(PaletteFile, FarSlicesStayInOrder) {
  const auto palette =
      parse_palette_file("-1.7e308 0 0 0 0 1 1 1\n0 2 2 2 1.7e308 3 3 3\n", PaletteFormat::kGmt, "p");
  ASSERT_EQ(palette.stops.size(), 4u)
      << "the colour jumps at the end of the first slice, which needs two stops";
  EXPECT_EQ(palette.stops[1].at, 0.5);
  EXPECT_EQ(palette.stops[3].at, 1);
}

TEST(PaletteFile, OtherEndingsAreRefused) {
  EXPECT_THROW(palette_format("colours.pal"), InputError);
  EXPECT_EQ(palette_format("a/B.GPL"), PaletteFormat::kGimp);
  EXPECT_EQ(kind_of_extension("x.cpt"), FileKind::kPalette);
  EXPECT_FALSE(kind_of_extension("cividis"));
}

}  // namespace
}  // namespace loom::app
