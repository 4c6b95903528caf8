#include <gtest/gtest.h>
#include <unistd.h>

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
