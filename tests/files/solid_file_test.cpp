#include <gtest/gtest.h>

#include <string>

#include "app/files/fractal_file.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

constexpr const char* kCorner =
    "name = \"corner\"\ns_x = 2\ns_y = 1\ns_z = 3\noffsets = [\n  [0, 0, 0],\n  [1, 0, 2],\n]\nrule = "
    "\"5766\"\n";

TEST(SolidFile, ReadsAndWritesAFractal) {
  const SolidFile file = parse_solid(kCorner, "corner.toml");
  EXPECT_EQ(file.fractal.name(), "corner");
  EXPECT_EQ(file.fractal.shape().scale, (Coord3{2, 1, 3}));
  EXPECT_EQ(file.fractal.offsets(), (std::vector<Coord3>{{0, 0, 0}, {1, 0, 2}}));
  ASSERT_TRUE(file.rule);
  EXPECT_EQ(to_string(*file.rule), "B6/S5..7");
  const SolidFile again = parse_solid(fractal_text(file), "again.toml");
  EXPECT_EQ(again.fractal, file.fractal);
  EXPECT_EQ(again.rule, file.rule);
}

TEST(SolidFile, ThirdScaleDecidesTheDimension) {
  EXPECT_TRUE(is_solid_file(kCorner));
  EXPECT_FALSE(is_solid_file("name = \"flat\"\ns_x = 2\ns_y = 2\noffsets = [[0, 0]]\n"));
  EXPECT_FALSE(is_solid_file("not toml ["));
}

TEST(SolidFile, ErrorsNameTheLine) {
  const auto error_of = [](std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    try {
      parse_solid(text, "f.toml");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(error_of(kCorner, "s_z = 3", "s_z = 5"),
            "f.toml:4: s_z is 5; allowed: a whole number from 1 to 4");
  EXPECT_EQ(error_of(kCorner, "[1, 0, 2]", "[1, 0, 3]"),
            "f.toml:7: offset 2, [1, 0, 3], lies outside the 2 x 1 x 3 box; allowed: [x, y, z] with whole "
            "numbers x from 0 to 1, y from 0 to 0 and z from 0 to 2");
  EXPECT_EQ(error_of(kCorner, "[1, 0, 2]", "[0, 0, 0]").substr(0, 9), "f.toml:7:");
  EXPECT_EQ(error_of(kCorner, "[1, 0, 2]", "[1, 2]").substr(0, 9), "f.toml:7:");
  EXPECT_EQ(error_of(kCorner, "  [1, 0, 2],\n", "").substr(0, 9), "f.toml:5:");
  EXPECT_NE(error_of(kCorner, "5766", "B27/S").find("neighbours"), std::string::npos);
  EXPECT_NE(error_of(kCorner, "rule", "rules").find("unknown key 'rules'"), std::string::npos);
  EXPECT_NE(error_of(kCorner, "s_y = 1\n", "").find("missing: s_y"), std::string::npos);
  EXPECT_NE(error_of(kCorner, "s_y = 1", "s_y = 1.5").find("s_y is a number with a fraction"),
            std::string::npos);
}

}  // namespace
}  // namespace loom::app
