#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "program.h"
#include "temporary_folder.h"

namespace loom::test {
namespace {

class UserFractal : public tests::FolderTest {
 protected:
  void write(const std::string& text) const { FolderTest::write(path_.filename(), text); }
  const std::filesystem::path path_ = folder_ / "own.toml";
};

TEST_F(UserFractal, WithTheGasketsOffsetsIsTheGasket) {
  write("name = \"mine\"\ns_x = 2\ns_y = 2\noffsets = [[0, 0], [0, 1], [1, 1]]\n");
  const auto json =
      run_program({"life", "--fractal-file", path_, "--level", "8", "--backend", "cpu", "--json"}).json();
  EXPECT_EQ(json["fractal"], "mine");
  EXPECT_EQ(json["hash"], "2e269e30ff0b89dd");
}

TEST_F(UserFractal, IsVerified) {
  write("name = \"mine\"\ns_x = 3\ns_y = 2\noffsets = [[0, 0], [1, 0], [2, 0], [0, 1], [2, 1]]\n");
  const Outcome outcome =
      run_program({"verify", "--fractal-file", path_, "--backend", "cpu", "--level-max", "3", "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["levels"].size(), 4u);
}

// One line with the place in the file, and exit status 2.
TEST_F(UserFractal, BadLevelsAndOrientationsNameTheirPlace) {
  const auto complaint = [&](const std::string& text, const std::string& level) {
    write(text);
    const Outcome outcome =
        run_program({"life", "--fractal-file", path_, "--level", level, "--backend", "cpu"});
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  const auto expect = [&](const std::string& text, const std::string& level, const std::string& what) {
    EXPECT_NE(complaint(text, level).find(path_.string() + what), std::string::npos)
        << complaint(text, level);
  };
  const std::string levels = "name = \"mine\"\nlevels = [\"sierpinski-carpet\", \"vicsek\"]\n";
  expect(levels + "repeat = false\n", "3",
         ":2: --level 3: the list of levels of mine has 2 and does not repeat; allowed: 0 to 2");
  expect(
      levels, "24",
      ":2: --level 24: the width, the height or the number of cells of mine exceeds 2^62; allowed: 0 to 23");
  const std::string square = "name = \"mine\"\ns_x = 2\ns_y = 2\noffsets = [[0, 0], [1, 1]]\norientations = ";
  expect(
      square + "[\"id\", \"r90\"]\n", "63",
      ":4: --level 63: the width, the height or the number of cells of mine exceeds 2^62; allowed: 0 to 62");
  expect(square + "[\"id\", \"r45\"]\n", "3",
         ":5: orientation 2 is 'r45'; allowed: an array of 2 of id, r90");
  expect("name = \"mine\"\ns_x = 3\ns_y = 2\noffsets = [[0, 0], [1, 1]]\norientations = [\"id\", \"r90\"]\n",
         "3", ":5: orientations with the scale 3 x 2");
}

// Sides of up to 2^62, and cells that fit in 64 bits; the numbers are computed with 128 bits.
TEST_F(UserFractal, LevelsBeyondTheCoordinatesNameTheHighest) {
  struct Shape {
    unsigned s_x, s_y;
    std::string offsets;
    unsigned k;
  };
  constexpr auto power = [](unsigned base, int exponent) {
    unsigned __int128 result = 1;
    for (int i = 0; i < exponent; ++i) result *= base;
    return result;
  };
  constexpr unsigned __int128 kOne = 1;
  for (const Shape& shape : {Shape{4, 1, "[[0, 0], [3, 0]]", 2}, Shape{2, 2, "[[0, 0], [1, 1]]", 2},
                             Shape{8, 1, "[[0, 0], [1, 0], [2, 0], [3, 0], [5, 0]]", 5}}) {
    write(fmt::format("name = \"mine\"\ns_x = {}\ns_y = {}\noffsets = {}\n", shape.s_x, shape.s_y,
                      shape.offsets));
    int highest = 0;
    while (power(shape.s_x, highest + 1) <= kOne << 62 && power(shape.s_y, highest + 1) <= kOne << 62 &&
           power(shape.k, highest + 1) < kOne << 64)
      ++highest;
    for (const std::string map :
         {"compact --storage bytes", "compact --storage bits", "lambda", "bounding-box"}) {
      std::vector<std::string> line =
          words(fmt::format("life --backend cpu --map {} --level {}", map, highest + 1));
      line.insert(line.end(), {"--fractal-file", path_});
      const Outcome outcome = run_program(line);
      EXPECT_EQ(outcome.err_lines().size(), 1u) << outcome.err;
      // Two generations.
      const unsigned __int128 units =
          2 * power(map.starts_with("compact") ? shape.k : shape.s_x * shape.s_y, highest + 1);
      if ((map.ends_with("bits") ? units / 8 : units) > kOne << 64) {
        EXPECT_EQ(outcome.status, 3) << outcome.err;
        EXPECT_NE(outcome.err.find("needs more than 18446744073709551615 bytes"), std::string::npos)
            << outcome.err;
      } else {
        EXPECT_EQ(outcome.status, 2) << outcome.err;
        EXPECT_NE(outcome.err.find(fmt::format("allowed: 0 to {}\n", highest)), std::string::npos)
            << outcome.err;
      }
    }
  }
}

TEST_F(UserFractal, ItsRuleIsTheDefault) {
  const std::string fractal = "name = \"mine\"\ns_x = 2\ns_y = 2\noffsets = [[0, 0], [0, 1], [1, 1]]\n";
  write(fractal + "rule = \"b3s23\"\n");
  const auto life = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"life", "--level", "6", "--backend", "cpu", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words).json();
  };
  const auto by_file = life({"--fractal-file", path_});
  EXPECT_EQ(by_file["rule"], "B3/S23");
  EXPECT_EQ(by_file["hash"], life({"--rule", "B3/S23"})["hash"]);
  EXPECT_NE(by_file["hash"], life({})["hash"]);
  EXPECT_EQ(life({"--fractal-file", path_, "--rule", "B2/S23"})["hash"], life({})["hash"])
      << "--rule must override the rule of the file";
  write(fractal + "rule = \"B9\"\n");
  const Outcome outcome = run_program({"life", "--fractal-file", path_, "--backend", "cpu"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err_lines().size(), 1u) << outcome.err;
  EXPECT_NE(outcome.err.find(path_.string() + ":5: "), std::string::npos) << outcome.err;
}

TEST_F(UserFractal, BrokenNamesFileAndLine) {
  write("name = \"mine\"\ns_x = 2\ns_y = 2\noffsets = [\n  [0, 0],\n  [0, 2],\n]\n");
  const Outcome outcome = run_program({"life", "--fractal-file", path_, "--backend", "cpu"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err_lines().size(), 1u) << outcome.err;
  EXPECT_NE(outcome.err.find(path_.string() + ":6: offset 2, [0, 2]"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace loom::test
