#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "program.h"

namespace loom::test {
namespace {

namespace fs = std::filesystem;

void open_as(int stream, const char* file) {
  dup2(open(file, O_WRONLY), stream);
}

TEST(Streams, AnErrorThatNobodyHearsHasItsStatus) {
  for (const char* line : {"life --level x", "life --backend cpu --level 70", "nonsense"}) {
    const int status = run_program(words(line)).status;
    EXPECT_EQ(run_program_in([] { open_as(STDERR_FILENO, "/dev/full"); }, words(line)).status, status)
        << line;
    EXPECT_EQ(run_program_in([] { close(STDERR_FILENO); }, words(line)).status, status) << line;
  }
  const Outcome sweep =
      run_program_in([] { open_as(STDERR_FILENO, "/dev/full"); },
                     words("bench --level 1 --block 1 --backend cpu --max-samples 2 --json"));
  EXPECT_EQ(sweep.status, 0);
}

TEST(Streams, OutputThatDoesNotArriveIsNoSuccess) {
  for (const char* line :
       {"--help", "life --help", "--version", "info", "life --backend cpu --level 3 --json", "lesson --list",
        "verify --backend cpu --level-max 1 --fractal cantor"}) {
    const Outcome full = run_program_in([] { open_as(STDOUT_FILENO, "/dev/full"); }, words(line));
    EXPECT_EQ(full.status, 3) << line;
    EXPECT_EQ(full.err_lines().size(), 1u) << full.err;
    EXPECT_NE(full.err.find("No space left"), std::string::npos) << full.err;
    const Outcome closed = run_program_in([] { close(STDOUT_FILENO); }, words(line));
    EXPECT_EQ(closed.status, 3) << line;
    EXPECT_EQ(closed.err_lines().size(), 1u) << closed.err;
  }
}

TEST(Streams, AFileDoesNotTakeAClosedStreamsPlace) {
  const fs::path file = fs::temp_directory_path() / ("loom-streams-" + std::to_string(getpid()) + ".npy");
  const auto closed = [] {
    close(STDIN_FILENO);
    close(STDERR_FILENO);
  };
  EXPECT_EQ(run_program_in(closed, {"mandelbrot", "--backend", "cpu", "--size", "8x8", "--npy", file}).status,
            0);
  EXPECT_EQ(fs::file_size(file), 128u + 8 * 8 * 4);
  fs::remove(file);
}

TEST(Streams, NamesNeedNotBeUtf8) {
  const fs::path folder = fs::temp_directory_path() / ("loom-\xff-" + std::to_string(getpid()));
  fs::create_directories(folder);
  const std::string npy = (folder / "a\xfe.npy").string();
  const Outcome outcome =
      run_program({"mandelbrot", "--backend", "cpu", "--size", "8x8", "--json", "--npy", npy});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.json()["npy"].get<std::string>().find("a\xEF\xBF\xBD.npy"), std::string::npos);
  EXPECT_TRUE(fs::exists(npy));
  for (const char* drawn : {"a\xfe.svg", "b.png"}) {
    const std::string file = (folder / drawn).string();
    EXPECT_EQ(run_program({"figure", "--level", "2", "--json", "--out", file}).status, 0);
    EXPECT_TRUE(fs::exists(file));
  }
  const Outcome wrong = run_program({"life", "--fractal", "\xff\xfe", "--json"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.err_lines().size(), 1u);
  fs::remove_all(folder);
}

TEST(Streams, DriversDoNotTalkBetweenOurLines) {
  // With a missing driver, Mesa prints its own lines to standard error.
  const auto no_driver = [] { setenv("MESA_LOADER_DRIVER_OVERRIDE", "none-such", 1); };
  const Outcome shot = run_program_in(
      no_driver, words("shot --backend cpu --level 3 --steps 1 --size 64x64 --json --out /dev/null"));
  const bool drawn = shot.status == 0;
  EXPECT_EQ(shot.err_lines().size(), drawn ? 0u : 1u) << shot.err;
  const Outcome info = run_program_in(no_driver, words("info --json"));
  EXPECT_EQ(info.status, 0);
  EXPECT_EQ(info.err, "");
}

TEST(Streams, APictureWithoutAPixelEnds) {
  const Outcome shot = run_program_in(
      [] { alarm(60); }, words("shot --backend cpu --workspace mandelbrot --size 1x1 --out /dev/null"));
  EXPECT_EQ(shot.status, 0) << shot.err;
}

}  // namespace
}  // namespace loom::test
