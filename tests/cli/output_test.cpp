#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "program.h"
#include "temporary_folder.h"

namespace loom::test {
namespace {

namespace fs = std::filesystem;

/// Checks the files that the real program writes, in a temporary folder.
class OutputTest : public tests::FolderTest {
 protected:
  std::string old(const std::string& name) const { return write(name, "old"); }
};

constexpr const char* kDwells = "mandelbrot --backend cpu --method exhaustive --dwell 50 ";

/// A command that writes a file, and text of its report.
struct Writer {
  std::string name;
  std::string line;  ///< command line; the test appends the file name
  std::string ending;
  std::string said;
  std::uint64_t limit;  ///< bytes; more than the printed output, less than the file
};
const std::vector<Writer> kWriters = {
    {"npy", std::string(kDwells) + "--size 64x64 --json --npy", ".npy", "\"ms\"", 3000},
    {"png", std::string(kDwells) + "--size 64x64 --json --png", ".png", "\"ms\"", 2000},
    {"shot", "shot --backend cpu --level 4 --steps 1 --size 800x600 --json --out", ".png", "\"generation\"",
     20000},
    {"timeline", "timeline --backend cpu --workspace mandelbrot --size 512x512 --json --out", ".json",
     "\"backend_reason\"", 5000},
    {"figure", "figure --backend cpu --level 3 --block 2 --out", ".svg", "", 3000},
};

TEST_F(OutputTest, WhatDoesNotFitLeavesTheOldFileAndTheResults) {
  for (const Writer& writer : kWriters) {
    const std::string file = old("a" + writer.ending);
    // The limit also applies to the standard streams, which are redirected to files; the printed output fits.
    const Outcome outcome =
        run_program_in([&] { limit_file_size(writer.limit); }, words(writer.line + " " + file));
    EXPECT_EQ(outcome.status, 3) << writer.name << outcome.err;
    EXPECT_EQ(outcome.err_lines().size(), 1u) << outcome.err;
    EXPECT_NE(outcome.err.find("too large; the previous file is unchanged"), std::string::npos)
        << outcome.err;
    EXPECT_EQ(tests::content_of(file), "old") << writer.name;
    EXPECT_NE(outcome.out.find(writer.said), std::string::npos) << writer.name << outcome.out;
    EXPECT_EQ(outcome.out.find(file), std::string::npos)
        << writer.name << " reports a file that was not written";
    fs::remove(file);
    const Outcome first =
        run_program_in([&] { limit_file_size(writer.limit); }, words(writer.line + " " + file));
    EXPECT_NE(first.err.find("too large; no file was written"), std::string::npos) << first.err;
    EXPECT_EQ(count_files(), 0u) << writer.name;
  }
}

TEST_F(OutputTest, LinksModesAndDevicesStay) {
  fs::create_directory(folder_ / "inner");
  for (const Writer& writer : kWriters) {
    const fs::path file = old("inner/" + writer.name + writer.ending);
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
    const fs::path link = folder_ / (writer.name + writer.ending);
    fs::create_symlink(file, link);
    EXPECT_EQ(run_program(words(writer.line + " " + link.string())).status, 0) << writer.name;
    EXPECT_TRUE(fs::is_symlink(link)) << writer.name;
    EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write) << writer.name;
    EXPECT_GT(fs::file_size(file), 100u) << writer.name;
  }
  EXPECT_EQ(run_program(words(std::string(kDwells) + "--size 9x9 --png /dev/null --npy /dev/null")).status,
            0);
  EXPECT_EQ(run_program(words(std::string(kDwells) + "--size 9x9 --npy /dev/full")).status, 3);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(OutputTest, OneFileIsNotWrittenTwice) {
  const std::string file = old("x");
  const Outcome outcome =
      run_program(words(std::string(kDwells) + "--size 9x9 --npy " + file + " --png " + path("./x")));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("--npy and --png name the same file"), std::string::npos) << outcome.err;
  EXPECT_EQ(tests::content_of(file), "old");
}

TEST_F(OutputTest, FoldersAreCheckedBeforeTheWork) {
  for (const Writer& writer : kWriters) {
    const Outcome outcome = run_program(words(writer.line + " /no/such/a" + writer.ending));
    EXPECT_EQ(outcome.status, 2) << writer.name;
    EXPECT_EQ(outcome.out, "") << writer.name;
    EXPECT_NE(outcome.err.find("folder /no/such does not exist;"), std::string::npos) << outcome.err;
  }
  // These computations would take hours, so the check must come first.
  const std::string hours = "mandelbrot --backend cpu --size 4000x4000 --runs 100000 --npy ";
  EXPECT_EQ(run_program(words(hours + "/no/such/a")).status, 2);
  EXPECT_EQ(run_program(words(hours + "/proc/a")).status, 2);
  EXPECT_EQ(run_program(words(hours + path(std::string(256, 'n')))).status, 2);
}

TEST_F(OutputTest, AnEmptyNameIsRefusedBeforeTheWork) {
  const std::vector<std::string> lines = {"shot --plain --out",
                                          "video --out",
                                          "life --steps 1000000000 --save",
                                          "mandelbrot --runs 100000 --npy",
                                          "mandelbrot --runs 100000 --png",
                                          "bench --out",
                                          "bench --csv",
                                          "plot a.json --kind time --out",
                                          "figure --out",
                                          "timeline --out",
                                          "manual --out"};
  for (const std::string& line : lines) {
    std::vector<std::string> arguments = words(line);
    arguments.emplace_back();
    const Outcome outcome = run_program(arguments);
    EXPECT_EQ(outcome.status, 2) << line;
    EXPECT_EQ(outcome.out, "") << line;
    EXPECT_NE(outcome.err.find("the file name is empty"), std::string::npos) << line << outcome.err;
  }
}

TEST_F(OutputTest, ANameFromDataStaysInTheFolder) {
  fs::create_directory(folder_ / "inner");
  const std::string fractal =
      write("own.toml", "name = \"../evil\"\ns_x = 2\ns_y = 2\noffsets = [[0, 0], [1, 1]]\n");
  const auto inside = [&] { EXPECT_EQ(chdir((folder_ / "inner").c_str()), 0); };
  const Outcome shot = run_program_in(
      inside, words("shot --plain --backend cpu --level 3 --size 30x20 --fractal-file " + fractal));
  EXPECT_EQ(shot.status, 0) << shot.err;
  EXPECT_EQ(shot.out, "evil-level-3.png\n");
  EXPECT_TRUE(fs::exists(folder_ / "inner/evil-level-3.png"));
  EXPECT_EQ(count_files(), 2u) << "only the fractal file and the folder may exist";
}

TEST_F(OutputTest, TheManualNeedsAFolderAsFilesDo) {
  EXPECT_EQ(run_program(words("manual --out " + path("new"))).status, 0);
  EXPECT_TRUE(fs::exists(folder_ / "new/man/man1/fractal-loom.1"));
  const Outcome outcome = run_program(words("manual --out " + path("no/such")));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err_lines().size(), 1u);
  EXPECT_FALSE(fs::exists(folder_ / "no"));
}

// All files of a command are written, or none and no folder: a page in the middle is too large, or the disk
// full.
TEST_F(OutputTest, SeveralFilesAreWrittenTogether) {
  const std::string pages = path("new");
  const std::string manual = "manual --out " + pages;
  const auto limit = [] { limit_file_size(6000); };
  const auto expect_nothing = [&](const Outcome& outcome, const std::string& reason) {
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_EQ(outcome.err_lines().size(), 1u) << outcome.err;
    EXPECT_NE(outcome.err.find(reason), std::string::npos) << outcome.err;
  };
  expect_nothing(run_program_in(limit, words(manual)), "too large; no file was written");
  EXPECT_EQ(count_files(), 0u);
  // Pages of an earlier version stay, all of them.
  ASSERT_EQ(run_program(words(manual)).status, 0);
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(pages)) {
    if (!entry.is_regular_file()) continue;
    files.push_back(entry.path());
    std::ofstream(entry.path()) << "old";
  }
  EXPECT_GT(files.size(), 15u);
  expect_nothing(run_program_in(limit, words(manual)), "too large; the previous file is unchanged");
  for (const fs::path& file : files) EXPECT_EQ(tests::content_of(file), "old") << file;

  const std::string papers = "lesson lambda --handout " + path("a.pdf") + " --scores " + path("a.csv");
  fs::remove_all(pages);
  expect_nothing(run_program_in([] { limit_file_size(4000); }, words(papers)),
                 "too large; no file was written");
  EXPECT_EQ(count_files(), 0u);
}

}  // namespace
}  // namespace loom::test
