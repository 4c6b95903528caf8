#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "fault_walk.h"
#include "temporary_folder.h"

namespace loom::test {
namespace {

namespace fs = std::filesystem;

/// Runs the unmodified program with one failing call to the device.
class ProgramFault : public tests::DeviceFaultTest {
 protected:
  Outcome run_with(const std::string& fault, std::uint64_t nth, const std::vector<std::string>& line,
                   const std::string& display = "") const {
    return run_program_in(
        [&] {
          setenv(fault.c_str(), std::to_string(nth).c_str(), 1);
          setenv("XDG_STATE_HOME", folder_.c_str(), 1);
          setenv("OMP_WAIT_POLICY", "passive", 1);
          if (!display.empty()) setenv("DISPLAY", display.c_str(), 1);
        },
        line);
  }

  const tests::TemporaryFolder own_;
  const fs::path folder_ = own_.path();
};

/// The next n to test: small values densely, larger ones ever more sparsely.
std::uint64_t after(std::uint64_t nth) {
  return nth + 1 + nth / 3;
}

// An error that makes the device unusable ends the program with status 3 and a message of one line.
TEST_F(ProgramFault, ADeviceThatFailsEndsTheProgramInOneLine) {
  for (const char* text :
       {"life --backend cuda --level 6 --steps 4 --json",
        "mandelbrot --backend cuda --size 64x64 --method ask --json",
        "mandelbrot --backend cuda --size 64x64 --method dp --json",
        "timeline --backend cuda --level 5 --json",
        "verify --backend cuda --fractal vicsek --level-min 2 --level-max 2 --steps 1 --json"}) {
    const std::vector<std::string> line = words(text);
    const Outcome whole = run_with("LOOM_BREAK_LAUNCH", 0, line);
    ASSERT_EQ(whole.status, 0) << text << ": " << whole.err;
    int broken = 0;
    for (std::uint64_t nth = 1;; nth = after(nth)) {
      ASSERT_LT(nth, 100000u) << "the loop does not end";
      const Outcome outcome = run_with("LOOM_BREAK_LAUNCH", nth, line);
      if (outcome.status == 0) break;
      EXPECT_EQ(outcome.status, 3) << text << ", launch " << nth << ": " << outcome.err;
      EXPECT_EQ(outcome.err_lines().size(), 1u) << text << ", launch " << nth << ": " << outcome.err;
      EXPECT_NE(outcome.err.find("cudaError"), std::string::npos) << outcome.err;
      EXPECT_EQ(outcome.out, "") << "a failed run must print no results";
      ++broken;
      if (broken == 6) break;
    }
    EXPECT_GT(broken, 0) << text;
  }
}

TEST_F(ProgramFault, AnAllocationOfTheDeviceThatFailsIsToldWithStatus3) {
  const fs::path picture = folder_ / "a.png";
  for (const std::string& text :
       {std::string("life --backend cuda --level 6 --map compact --steps 2 --json"),
        std::string("mandelbrot --backend cuda --size 64x64 --method ask --json"),
        "shot --backend cuda --level 6 --steps 3 --size 640x480 --out " + picture.string()}) {
    const std::vector<std::string> line = words(text);
    int told = 0;
    for (std::uint64_t nth = 1;; nth = after(nth)) {
      ASSERT_LT(nth, 1000u) << "the loop does not end";
      fs::remove(picture);
      const Outcome outcome = run_with("LOOM_FAIL_ALLOCATION", nth, line);
      // A window reports the failure and continues.
      if (outcome.status == 0) {
        if (text.starts_with("shot") && nth < 30) continue;
        break;
      }
      EXPECT_EQ(outcome.status, 3) << text << ", allocation " << nth << ": " << outcome.err;
      EXPECT_EQ(outcome.err_lines().size(), 1u) << outcome.err;
      EXPECT_EQ(outcome.out, "");
      EXPECT_FALSE(fs::exists(picture));
      ++told;
    }
    EXPECT_GT(told, 2) << text;
  }
}

// Configurations measured before the device failed are printed and saved.
TEST_F(ProgramFault, ASweepKeepsWhatItHasWhereTheDeviceFails) {
  const fs::path file = folder_ / "results.json";
  const std::vector<std::string> line = words(
      "bench --backend cuda --level 3..6 --block 1 --max-samples 2 --max-seconds 0.05 --json --force --out " +
      file.string());
  const Outcome whole = run_with("LOOM_BREAK_LAUNCH", 0, line);
  ASSERT_EQ(whole.status, 0) << whole.err;
  ASSERT_TRUE(whole.json().at("complete"));
  std::size_t most_kept = 0;
  for (std::uint64_t nth = 8; nth < 100000; nth *= 3) {
    fs::remove(file);
    const Outcome outcome = run_with("LOOM_BREAK_LAUNCH", nth, line);
    if (outcome.status == 0) break;
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_EQ(outcome.err_lines().size(), 1u) << outcome.err;
    const nlohmann::json printed = outcome.json();
    EXPECT_FALSE(printed.at("complete"));
    std::ifstream saved(file);
    EXPECT_EQ(nlohmann::json::parse(saved), printed);
    most_kept = std::max(most_kept, printed.at("configurations").size());
  }
  EXPECT_GT(most_kept, 0u) << "no configuration was measured before the device failed";
  EXPECT_LT(most_kept, whole.json().at("configurations").size());
}

// The window saves its scene, and the next window opens it.
TEST_F(ProgramFault, AWindowKeepsItsSceneWhereTheDeviceFails) {
  const char* const display = std::getenv("DISPLAY");
  if (display == nullptr) GTEST_SKIP() << "no display";
  const std::vector<std::string> line =
      words("view --backend cuda --fractal vicsek --level 4 --map compact --seed 11 --size 900x600");
  const Outcome outcome = run_with("LOOM_BREAK_LAUNCH", 150, line, display);
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  ASSERT_EQ(outcome.err_lines().size(), 1u) << outcome.err;
  EXPECT_NE(outcome.err.find("cudaError"), std::string::npos) << outcome.err;
  fs::path kept;
  for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
    if (entry.path().extension() == ".loom") kept = entry.path();
  }
  ASSERT_FALSE(kept.empty()) << "the scene was not saved";
  const Outcome opened = run_with("LOOM_BREAK_LAUNCH", 0,
                                  {"shot", "--backend", "cpu", "--open", kept.string(), "--json", "--out",
                                   (folder_ / "opened.png").string()});
  ASSERT_EQ(opened.status, 0) << opened.err;
  EXPECT_EQ(opened.json().at("fractal"), "vicsek");
  EXPECT_EQ(opened.json().at("level"), 4);
  EXPECT_EQ(opened.json().at("map"), "compact");
  EXPECT_EQ(opened.json().at("seed"), 11);
}

}  // namespace
}  // namespace loom::test
