#include "app/files/fractal_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/workload/rule_text.h"
#include "temporary_folder.h"

namespace loom::app {
namespace {

/// Provides a temporary file for each test.
class FractalFileTest : public tests::FolderTest {
 protected:
  void write(const std::string& text) const { FolderTest::write(path_.filename(), text); }
  NbbFractal read(const std::string& text) const {
    write(text);
    return read_fractal_file(path_).fractal;
  }
  /// The error message for `text` without the file name: ":LINE: what".
  std::string complaint(const std::string& text) const {
    write(text);
    try {
      read_fractal_file(path_);
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      EXPECT_EQ(message.rfind(path_.string(), 0), 0u) << message;
      return message.substr(path_.string().size());
    }
    return "nothing";
  }
  void expect_complaint(const std::string& text, const std::string& start, const std::string& part) const {
    const std::string message = complaint(text);
    EXPECT_EQ(message.rfind(start, 0), 0u) << message;
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }

  const std::filesystem::path path_ = folder_ / "own.toml";
};

TEST_F(FractalFileTest, GivesTheFractalWithItsOffsetsInOrder) {
  const NbbFractal fractal =
      read("name = \"corner\"\ns_x = 2\ns_y = 3\noffsets = [[1, 2], [0, 0], [0, 1]]\n");
  EXPECT_EQ(fractal.name(), "corner");
  EXPECT_EQ(fractal.shape().s_x, 2u);
  EXPECT_EQ(fractal.shape().s_y, 3u);
  const std::vector<Coord32> offsets = {{1, 2}, {0, 0}, {0, 1}};
  EXPECT_EQ(fractal.offsets(), offsets);
}

TEST_F(FractalFileTest, MayHaveARuleAsPeopleWriteIt) {
  const std::string fractal = "name = \"c\"\ns_x = 2\ns_y = 2\noffsets = [[0, 0], [1, 0]]\n";
  const auto rule_of = [&](const std::string& rule) {
    const auto read = parse_fractal(fractal + "rule = " + rule + "\n", "p.toml").rule;
    return read ? to_string(*read) : "";
  };
  EXPECT_FALSE(parse_fractal(fractal, "p.toml").rule);
  EXPECT_EQ(rule_of("\"B3/S23\""), "B3/S23");
  EXPECT_EQ(rule_of("\"b36s23\""), "B36/S23");
  EXPECT_EQ(rule_of("\"23/3\""), "B3/S23");
  EXPECT_EQ(rule_of("'Day & Night'"), "B3678/S34678");
  expect_complaint(fractal + "rule = 3\n", ":5: rule is a whole number", "a string such as \"B3/S23\"");
  expect_complaint(fractal + "rule = \"\"\n", ":5: ", "allowed");
  expect_complaint(fractal + "rule = \"B9/S23\"\n", ":5: ", "B9/S23");
  expect_complaint(fractal + "rule = \"" + std::string(5000, 'B') + "\"\n", ":5: ", "allowed");
  expect_complaint("rule = \"B3/S23\"\n" + fractal + "rules = \"B3/S23\"\n", ":6: unknown key 'rules'",
                   "rule");
}

TEST_F(FractalFileTest, IsWrittenAsItIsRead) {
  const FractalFile file{NbbFractal("a \"name\" \\", 3, 2, {{2, 1}, {0, 0}}), parse_rule("B0/S8")};
  const FractalFile again = parse_fractal(fractal_text(file), "p.toml");
  EXPECT_EQ(again.fractal, file.fractal);
  EXPECT_EQ(again.rule, file.rule);
  EXPECT_FALSE(parse_fractal(fractal_text({file.fractal}), "p.toml").rule);
}

TEST_F(FractalFileTest, TakesWindowsLineEnds) {
  EXPECT_EQ(read("name = \"c\"\r\ns_x = 2\r\ns_y = 2\r\noffsets = [[0, 0],\r\n [1, 0]]\r\n").shape().k, 2u);
}

TEST_F(FractalFileTest, PointsAtASyntaxError) {
  expect_complaint("name = \"c\"\ns_x = = 2\n", ":2: not TOML",
                   "allowed: name, s_x, s_y, offsets, orientations, levels, repeat, rule");
}

TEST_F(FractalFileTest, PointsAtARepeatedKey) {
  expect_complaint("s_x = 2\ns_y = 2\ns_x = 3\n", ":3: not TOML", "s_x");
}

TEST_F(FractalFileTest, PointsAtTheFirstUnknownKey) {
  expect_complaint("name = \"c\"\nscale = 2\nangle = 3\n", ":2: unknown key 'scale'",
                   "allowed: name, s_x, s_y, offsets, orientations, levels, repeat, rule");
}

TEST_F(FractalFileTest, NamesAllMissingKeys) {
  expect_complaint("s_x = 2\noffsets = []\n", ":1: missing: name, s_y", "needed: name, s_x, s_y, offsets");
  expect_complaint("# nothing\n", ":1: missing: name, s_x, s_y, offsets", "");
  expect_complaint("", ": is empty", "name, s_x, s_y, offsets");
}

TEST_F(FractalFileTest, RejectsWrongTypes) {
  const std::string offsets = "offsets = [[0, 0], [1, 0]]\n";
  expect_complaint("name = 7\ns_x = 2\ns_y = 2\n" + offsets, ":1: name is a whole number",
                   "allowed: a string");
  expect_complaint("name = \"\"\ns_x = 2\ns_y = 2\n" + offsets, ":1: name is empty", "allowed: a string");
  expect_complaint("name = \"a\\nb\"\ns_x = 2\ns_y = 2\n" + offsets,
                   ":1: name is empty, too long or has control", "");
  expect_complaint("name = \"c\"\ns_x = 2.5\ns_y = 2\n" + offsets, ":2: s_x is a number with a fraction",
                   "allowed: a whole number from 1 to 8");
  expect_complaint("name = \"c\"\ns_x = 2\ns_y = \"2\"\n" + offsets, ":3: s_y is a string", "from 1 to 8");
  expect_complaint("name = \"c\"\ns_x = 2\ns_y = 2\noffsets = 5\n", ":4: offsets is a whole number",
                   "[x, y]");
}

TEST_F(FractalFileTest, RejectsScalesOutOfRange) {
  const std::string offsets = "offsets = [[0, 0], [1, 0]]\n";
  expect_complaint("name = \"c\"\ns_x = 9\ns_y = 2\n" + offsets, ":2: s_x is 9", "from 1 to 8");
  expect_complaint("name = \"c\"\ns_x = 2\ns_y = 0\n" + offsets, ":3: s_y is 0", "from 1 to 8");
  expect_complaint("name = \"c\"\ns_x = -2\ns_y = 2\n" + offsets, ":2: s_x is -2", "from 1 to 8");
}

class BrokenOffset : public FractalFileTest {
 protected:
  static std::string with_third(const std::string& third) {
    return "name = \"c\"\ns_x = 2\ns_y = 3\noffsets = [\n  [0, 0],\n  [1, 2],\n  " + third + ",\n]\n";
  }
};

TEST_F(BrokenOffset, OutOfTheBoxIsPointedAt) {
  expect_complaint(with_third("[2, 0]"), ":7: offset 3, [2, 0], lies outside the 2 x 3 box",
                   "x from 0 to 1 and y from 0 to 2");
  expect_complaint(with_third("[0, 3]"), ":7: offset 3, [0, 3], lies outside", "y from 0 to 2");
  expect_complaint(with_third("[-1, 0]"), ":7: offset 3, [-1, 0], lies outside", "x from 0 to 1");
}

TEST_F(BrokenOffset, ARepetitionIsPointedAtWithTheFirst) {
  expect_complaint(with_third("[1, 2]"), ":7: offset 3, [1, 2], repeats the one of line 6",
                   "each offset once");
}

TEST_F(BrokenOffset, WrongShapesArePointedAt) {
  expect_complaint(with_third("7"), ":7: offset 3 is a whole number", "allowed: [x, y]");
  expect_complaint(with_third("[1]"), ":7: offset 3 has 1 numbers", "allowed: [x, y]");
  expect_complaint(with_third("[1, 1, 1]"), ":7: offset 3 has 3 numbers", "allowed: [x, y]");
  expect_complaint(with_third("[1, 0.5]"), ":7: offset 3 contains a number with a fraction",
                   "allowed: [x, y]");
}

TEST_F(FractalFileTest, LeavesTheRestToTheFractalAndNamesTheLine) {
  expect_complaint("name = \"c\"\ns_x = 2\ns_y = 2\n\noffsets = [[0, 0]]\n", ":5: ", "");
  expect_complaint("name = \"c\"\ns_x = 1\ns_y = 1\noffsets = [[0, 0]]\n", ":4: ", "");
}

TEST_F(FractalFileTest, SaysWhatCannotBeRead) {
  EXPECT_THROW(read_fractal_file(path_), InputError);  // the file does not exist
  EXPECT_THROW(read_fractal_file(path_.parent_path()), InputError);
}

TEST_F(FractalFileTest, RefusesAHugeFile) {
  const std::string message = complaint("# " + std::string(2 << 20, 'x') + "\n");
  EXPECT_NE(message.find("is larger than 1048576 bytes"), std::string::npos) << message;
}

TEST_F(FractalFileTest, LevelsAreNamesOrGenerators) {
  const NbbFractal mixed = read("name = \"mixed\"\nlevels = [\"sierpinski-carpet\", \"vicsek\"]\n");
  EXPECT_EQ(mixed.kind(), LevelKind::kMixed);
  EXPECT_TRUE(mixed.repeats());
  EXPECT_EQ(mixed.cells(5), 12800u);
  EXPECT_EQ(mixed.generators().front().name, "sierpinski-carpet");
  const NbbFractal list = read(
      "name = \"list\"\nrepeat = false\nlevels = [\n  \"candy\",\n"
      "  { s_x = 2, s_y = 2, offsets = [[0, 0], [1, 1]], orientations = [\"id\", \"r90\"] },\n]\n");
  EXPECT_EQ(list.kind(), LevelKind::kTurned);
  EXPECT_EQ(list.max_level(), 2);
  EXPECT_EQ(list.generators()[1].orientations, (std::vector{Symmetry::kIdentity, Symmetry::kRotate90}));
  const NbbFractal turned = read(
      "name = \"turned\"\ns_x = 2\ns_y = 2\noffsets = [[0, 0], [0, 1], [1, 1]]\n"
      "orientations = [\"id\", \"r90\", \"mx\"]\n");
  EXPECT_EQ(turned.kind(), LevelKind::kTurned);
  EXPECT_TRUE(turned.has_same_cells(find_fractal("mirrored-gasket")));
}

TEST_F(FractalFileTest, LevelsAreWrittenAsTheyAreRead) {
  for (const NbbFractal& fractal : built_in_fractals()) {
    EXPECT_EQ(parse_fractal(fractal_text({fractal}), "text").fractal.has_same_cells(fractal), true)
        << fractal_text({fractal});
  }
  const Generator vicsek = find_fractal("vicsek").generators().front();
  const NbbFractal list("list", {vicsek, find_fractal("candy").generators().front()}, false);
  const FractalFile same = parse_fractal(fractal_text({list, parse_rule("B3/S23")}), "text");
  EXPECT_EQ(same.fractal, list);
  EXPECT_EQ(same.levels_line, 2);
}

TEST_F(FractalFileTest, BadLevelsNameTheirPlace) {
  const std::string name = "name = \"c\"\n";
  const auto levels = [&](const std::string& list) { return name + "levels = [\n" + list + "\n]\n"; };
  expect_complaint(name + "levels = 3\n", ":2: levels is a whole number", "1 to 62 names or tables");
  expect_complaint(levels(""), ":2: levels has 0 entries", "allowed");
  expect_complaint(levels("\"vicsek\",\n\"candies\""), ":4: level 2: unknown generator 'candies'", "candy");
  expect_complaint(levels("\"carpet-vicsek\""), ":3: level 1: unknown generator", "vicsek");
  expect_complaint(levels("\"vicsek\", 4"), ":3: level 2 is a whole number", "names or tables");
  expect_complaint(levels("{ s_x = 2, s_y = 2 }"), ":3: missing: offsets", "needed: s_x, s_y, offsets");
  expect_complaint(levels("{ s_x = 2, s_y = 2, offsets = [[0, 0], [1, 0]], rule = 1 }"),
                   ":3: unknown key 'rule'", "orientations");
  expect_complaint(name + "s_x = 2\nlevels = [\"vicsek\"]\n", ":2: both levels and s_x", "one of them");
  expect_complaint(name + "s_x = 2\ns_y = 2\noffsets = [[0, 0], [1, 0]]\nrepeat = true\n",
                   ":5: repeat without levels", "levels");
  expect_complaint(name + "levels = [\"vicsek\"]\nrepeat = 1\n", ":3: repeat is not allowed", "true, false");
  std::string many;
  for (int i = 0; i < 30; ++i) many += "\"candy\", ";
  expect_complaint(name + "levels = [" + many + "]\nrepeat = false\n", ":2: ", "exceeds 2^62");
  for (int i = 0; i < 40; ++i) many += "\"candy\", ";
  expect_complaint(levels(many), ":2: levels has 70 entries", "1 to 62");
}

TEST_F(FractalFileTest, BadOrientationsNameTheirPlace) {
  const auto file = [](const std::string& s_y, const std::string& orientations) {
    return "name = \"c\"\ns_x = 2\ns_y = " + s_y +
           "\noffsets = [[0, 0], [1, 0]]\norientations = " + orientations + "\n";
  };
  expect_complaint(file("2", "[\"id\",\n\"r45\"]"), ":6: orientation 2 is 'r45'", "id, r90, r180");
  expect_complaint(file("2", "\"id\""), ":5: orientations is a string", "an array of 2");
  expect_complaint(file("2", "[\"id\", 90]"), ":5: orientation 2 is a whole number", "an array of 2");
  expect_complaint(file("2", "[\"id\"]"), ":5: 1 orientations for 2 offsets", "one per offset");
  expect_complaint(file("3", "[\"id\", \"r90\"]"), ":5: orientations with the scale 2 x 3",
                   "s_x equal to s_y");
  expect_complaint("name = \"c\"\nlevels = [\n\"mirrored-gasket\",\n\"cantor\",\n]\n",
                   ":4: level 2 has the scale 3 x 1, and level 1 has orientations", "s_x equal to s_y");
}

}  // namespace
}  // namespace loom::app
