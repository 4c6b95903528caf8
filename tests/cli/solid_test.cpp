#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "program.h"
#include "temporary_folder.h"

namespace loom::test {
namespace {

nlohmann::json solid_life(const std::string& options) {
  const Outcome outcome = run_program(words("life --backend cpu --json " + options));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return outcome.json();
}

void expect_solid_refused(const std::string& command, int status, const std::string& part) {
  const Outcome outcome = run_program(words(command));
  EXPECT_EQ(outcome.status, status) << command;
  EXPECT_EQ(outcome.err_lines().size(), 1u) << outcome.err;
  EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
}

TEST(SolidLife, GivesTheCheckValueWithEveryMap) {
  for (const std::string map : {"bounding-box", "lambda", "compact", "compact --halo off"}) {
    const auto json = solid_life(
        "--fractal menger-sponge --level 3 --rule B5..7/S4..7 --seed 1 --density 0.3 --steps 20 --map " +
        map);
    EXPECT_EQ(json["cells"], 8000) << map;
    EXPECT_EQ(json["population"], 1653) << map;
    EXPECT_EQ(json["hash"], "40291969d9579656") << map;
    EXPECT_EQ(json["generation"], 20);
    EXPECT_EQ(json["rule"], "B5..7/S4..7");
    EXPECT_EQ(json["threads_active"], 8000);
    EXPECT_EQ(json["threads_misplaced"], 0);
  }
}

TEST(SolidLife, HasTheFieldsOfTwoDimensions) {
  const auto flat = solid_life("--fractal vicsek --level 2 --steps 1");
  const auto solid = solid_life("--fractal vicsek-3d --level 2 --steps 1");
  for (const auto& [key, value] : flat.items()) EXPECT_TRUE(solid.contains(key)) << key;
  for (const auto& [key, value] : solid.items()) EXPECT_TRUE(flat.contains(key)) << key;
}

TEST(SolidLife, ReadsACustomFractalFromAFile) {
  const tests::TemporaryFolder folder;
  const std::string file = (folder.path() / "own.toml").string();
  std::ofstream(file)
      << "name = \"own\"\ns_x = 2\ns_y = 1\ns_z = 2\noffsets = [[0, 0, 0], [1, 0, 0], [0, 0, 1]]\n"
         "rule = \"B1..3/S2..9\"\n";
  const auto json = solid_life("--fractal-file " + file + " --level 5 --map compact");
  EXPECT_EQ(json["fractal"], "own");
  EXPECT_EQ(json["cells"], 243);
  EXPECT_EQ(json["rule"], "B1..3/S2..9");
  const Outcome verified = run_program(words("verify --backend cpu --level-max 3 --fractal-file " + file));
  EXPECT_EQ(verified.status, 0) << verified.err << verified.out;
}

TEST(SolidLife, RefusesWhatIsNotPossibleInOneLine) {
  const std::string sponge = "life --backend cpu --fractal menger-sponge ";
  expect_solid_refused(sponge + "--rule B27/S3", 2, "cannot have 27 neighbours");
  expect_solid_refused(sponge + "--rule B3/S2,30", 2, "cannot have 30 neighbours");
  expect_solid_refused(sponge + "--arithmetic tensor", 2, "allowed: loop, table");
  expect_solid_refused(sponge + "--storage bits", 2, "allowed: --storage bytes");
  expect_solid_refused(sponge + "--block 27", 2, "1, 3, 9");
  expect_solid_refused(sponge + "--tiles 3", 2, "allowed: auto, 1, 2, 4");
  expect_solid_refused(sponge + "--level 12", 3, "the largest level that fits is");
  expect_solid_refused(sponge + "--level x", 2, "a whole number from 0 to 14");
  expect_solid_refused(sponge + "--map bounding-box --arithmetic table", 2, "allowed: with --map lambda");
  expect_solid_refused(sponge + "--reduction tensor --workload reduction", 2, "allowed: warp");
  expect_solid_refused(sponge + "--pattern glider", 2, "two-dimensional");
  expect_solid_refused(sponge + "--devices 2", 2, "two-dimensional");
  expect_solid_refused("life --fractal nothing", 2, "menger-sponge");
  expect_solid_refused(
      "bench --fractal menger-sponge --level 2 --backend cpu --arithmetic shuffle --map lambda", 2,
      "allowed: loop, table");
  expect_solid_refused("bench --fractal menger-sponge --level 2 --backend cpu --devices 2", 2, "--devices 1");
}

/// The highest level whose sides fit in 32 bits and whose cells fit in 64, computed with 128 bits.
int highest_solid_level(const std::vector<unsigned>& scales, unsigned k) {
  for (int level = 0;; ++level) {
    unsigned __int128 cells = 1;
    for (int i = 0; i <= level; ++i) cells *= k;
    bool fits = cells < static_cast<unsigned __int128>(1) << 64;
    for (const unsigned s : scales) {
      unsigned __int128 side = 1;
      for (int i = 0; i <= level; ++i) side *= s;
      fits = fits && side < static_cast<unsigned __int128>(1) << 32;
    }
    if (!fits) return level;
  }
}

TEST(SolidLife, NamesTheHighestLevelOfTheCoordinates) {
  const tests::TemporaryFolder folder;
  const std::string file = (folder.path() / "own.toml").string();
  struct Shape {
    std::vector<unsigned> scales;
    unsigned k;
  };
  for (const Shape& shape :
       {Shape{{4, 1, 1}, 2}, Shape{{4, 4, 4}, 63}, Shape{{2, 2, 2}, 7}, Shape{{1, 3, 4}, 11}}) {
    std::string offsets;
    for (unsigned i = 0; i < shape.k; ++i) {
      offsets += fmt::format("{}[{}, {}, {}]", i == 0 ? "" : ", ", i % shape.scales[0],
                             i / shape.scales[0] % shape.scales[1], i / shape.scales[0] / shape.scales[1]);
    }
    std::ofstream(file) << fmt::format("name = \"own\"\ns_x = {}\ns_y = {}\ns_z = {}\noffsets = [{}]\n",
                                       shape.scales[0], shape.scales[1], shape.scales[2], offsets);
    const int highest = highest_solid_level(shape.scales, shape.k);
    const std::string life = "life --backend cpu --steps 0 --fractal-file " + file + " --level ";
    for (const std::string& level :
         {std::to_string(highest + 1), std::string("70"), std::string("2147483648")})
      expect_solid_refused(life + level, 2, fmt::format("a whole number from 0 to {},", highest));
    const Outcome outcome = run_program(words(life + std::to_string(highest)));
    EXPECT_EQ(outcome.err.find("fit in 32 bits"), std::string::npos) << outcome.err;
    expect_solid_refused(fmt::format("verify --backend cpu --fractal-file {} --level-min {} --level-max 63",
                                     file, highest + 1),
                         2, fmt::format("allowed: 0 to {}", highest));
  }
  expect_solid_refused("life --fractal menger-sponge --level 70", 2, "a whole number from 0 to 14,");
  expect_solid_refused("bench --backend cpu --fractal menger-sponge --level 15", 2, "allowed: 0 to 14");
}

TEST(SolidVerify, ComparesEveryMethodOfANamedFractal) {
  const auto json =
      run_program(words("verify --backend cpu --fractal octahedral --level-max 2 --json")).json();
  EXPECT_EQ(json["ok"], true);
  const auto& solid = json["solid"];
  EXPECT_EQ(solid["different"], 0);
  ASSERT_EQ(solid["levels"].size(), 3u);
  // Per tile size: bounding box, lambda with 2 arithmetics x 3 mappings, compact with both halo settings too.
  EXPECT_EQ(solid["levels"][2]["passed"], 3 * (1 + 6 + 12));
  EXPECT_GT(solid["levels"][2]["population"], 0);
  const auto flat =
      run_program(words("verify --backend cpu --fractal vicsek --level-max 0 --steps 1 --json")).json();
  EXPECT_TRUE(flat["solid"].is_null());
}

}  // namespace
}  // namespace loom::test
