#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "program.h"
#include "temporary_folder.h"

namespace loom::test {
namespace {

/// A file with the code of a map, removed at the end.
class MapFile {
 public:
  explicit MapFile(const std::string& code)
      : name_(testing::TempDir() + "map." + std::to_string(++count) + "." + std::to_string(getpid()) +
              ".cu") {
    std::ofstream(name_) << code;
  }
  ~MapFile() { std::remove(name_.c_str()); }
  const std::string& name() const { return name_; }

 private:
  static inline int count = 0;
  std::string name_;
};

constexpr const char* kRows = R"(
__host__ Launch launch(Fractal f) { return grid1d(f.height, f.width); }
__device__ Cell cell_of_thread(Fractal f) {
  return is_cell(threadIdx.x, blockIdx.x) ? cell(threadIdx.x, blockIdx.x) : none();
}
)";
/// Within the budget of instructions, and slow.
constexpr const char* kSlow = R"(
__host__ Launch launch(Fractal f) { return grid1d(f.height, f.width); }
__device__ Cell cell_of_thread(Fractal f) {
  int sum = 0;
  for (int i = 0; i < 2000000; ++i) sum += i;
  return sum == 1 ? none() : is_cell(threadIdx.x, blockIdx.x) ? cell(threadIdx.x, blockIdx.x) : none();
}
)";
constexpr const char* kInfinite = R"(
__host__ Launch launch(Fractal f) { return grid1d(1, 1); }
__device__ Cell cell_of_thread(Fractal f) { for (;;) {} return none(); }
)";

TEST(MapProgram, RunsAMapOnAFractalAndLevel) {
  const MapFile file(kRows);
  const Outcome outcome = run_program(words("map run " + file.name() + " --fractal vicsek --level 3 --json"));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const nlohmann::json json = outcome.json();
  EXPECT_EQ(json.at("outcome"), "ran");
  EXPECT_EQ(json.at("system_calls_filtered"), true);
  EXPECT_EQ(json.at("launch").at("grid"), nlohmann::json({27, 1}));
  EXPECT_EQ(json.at("coverage").at("exact"), true);
  EXPECT_EQ(json.at("coverage").at("threads_active"), 125);
  EXPECT_EQ(json.at("coverage").at("threads_idle"), 27 * 27 - 125);
  EXPECT_DOUBLE_EQ(json.at("coverage").at("thread_utilization").get<double>(), 125.0 / (27 * 27));
  EXPECT_EQ(json.at("coverage").at("lanes"), 27 * 32) << "27 thread blocks, each of a warp that is not full";
  EXPECT_EQ(json.at("coverage").at("idle_lanes"), 27 * 32 - 125);
}

TEST(MapProgram, MeasuresTheBuiltInMapsInTheSameWay) {
  const MapFile file(kRows);
  const Outcome outcome = run_program(
      words("map run " + file.name() + " --fractal vicsek --level 3 --backend cpu --measure --json"));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const nlohmann::json json = outcome.json();
  EXPECT_GT(json.at("single_write_ms").get<double>(), 0);
  EXPECT_EQ(json.at("built_in_single_write_ms").size(), 3u);
  const auto conditions = json.at("conditions").get<std::string>();
  for (const char* const part : {"after a warm-up", "one CPU thread", "all maps run by the interpreter",
                                 "built-in maps as code", "Times below 20.0 µs are too small to compare"})
    EXPECT_NE(conditions.find(part), std::string::npos) << conditions;
}

TEST(MapProgram, StepsThroughAWarp) {
  const MapFile file(R"(__host__ Launch launch(Fractal f) { return grid1d(2, 48); }
__device__ Cell cell_of_thread(Fractal f) {
  int i = threadIdx.x;
  if (i < 40) {
    i = i * 2;
  }
  return cell(i, blockIdx.x);
}
)");
  const Outcome outcome =
      run_program(words("map step " + file.name() + " --level 3 --block 1,0 --warp 1 --lane 7 --json"));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const nlohmann::json json = outcome.json();
  EXPECT_EQ(json.at("lanes"), 0xFFFF) << "48 threads: the second warp has 16";
  std::vector<int> lines;
  std::vector<unsigned> masks;
  for (const auto& step : json.at("steps")) {
    lines.push_back(step.at("line"));
    masks.push_back(step.at("mask"));
  }
  EXPECT_EQ(lines, (std::vector{3, 4, 5, 7}));
  EXPECT_EQ(masks, (std::vector{0xFFFFu, 0xFFFFu, 0xFFu, 0xFFFFu})) << "threads 32 to 39 of 40 are below 40";
  EXPECT_EQ(json.at("steps")[0].at("changed").at("i"), 39);
  EXPECT_EQ(json.at("steps")[2].at("changed").at("i"), 78);
  EXPECT_EQ(json.at("points")[7], nlohmann::json({78, 1}));
  EXPECT_EQ(json.at("points")[8], nlohmann::json({40, 1}));
  EXPECT_EQ(json.at("divergent_branches"), 1);
  EXPECT_EQ(json.at("complete"), true);
  const Outcome outside = run_program(words("map step " + file.name() + " --level 3 --block 2,0"));
  EXPECT_EQ(outside.status, 2);
  EXPECT_NE(outside.err.find("allowed: up to (1, 0)"), std::string::npos) << outside.err;
  const Outcome missing =
      run_program(words("map step " + file.name() + " --level 3 --block 1,0 --warp 1 --lane 16"));
  EXPECT_EQ(missing.status, 2);
  EXPECT_NE(missing.err.find("allowed: 0 to 15"), std::string::npos) << missing.err;
  const Outcome text = run_program(words("map step " + file.name() + " --level 3 --block 1,0 --warp 1"));
  EXPECT_NE(text.out.find("i = 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47\n"), std::string::npos)
      << "16 threads: " << text.out;
}

TEST(MapProgram, UnsignedVariablesOfAStepAreNotNegative) {
  const MapFile file(R"(__host__ Launch launch(Fractal f) { return grid1d(1, 1); }
__device__ Cell cell_of_thread(Fractal f) {
  unsigned long ul = -1;
  return cell(0, 0);
}
)");
  const Outcome outcome = run_program(words("map step " + file.name() + " --level 3 --lane 0 --json"));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json().at("steps")[0].at("changed").at("ul"), ~std::uint64_t{0});
}

TEST(MapProgram, SaysWhyAMapDidNotRun) {
  const MapFile wrong("int *p;");
  Outcome outcome = run_program(words("map run " + wrong.name() + " --json"));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.json().at("outcome"), "rejected");
  EXPECT_EQ(outcome.json().at("problems").at(0).at("line"), 1);
  EXPECT_EQ(outcome.json().at("problems").at(0).at("column"), 5);
  const MapFile infinite(kInfinite);
  outcome = run_program(words("map run " + infinite.name() + " --time-limit 0.2 --json"));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.json().at("outcome"), "timeout");
}

TEST(MapProgram, GradesEachFileInALine) {
  const MapFile right(kRows);
  const MapFile wrong("hello");
  const MapFile infinite(kInfinite);
  const std::string files = right.name() + " " + wrong.name() + " " + infinite.name() + " /no/such/file.cu";
  Outcome outcome = run_program(words("map check " + files + " --exercise rows --time-limit 0.2 --json"));
  ASSERT_EQ(outcome.status, 1) << outcome.err;
  const nlohmann::json graded = outcome.json().at("submissions");
  ASSERT_EQ(graded.size(), 4u);
  EXPECT_EQ(graded[0].at("passed"), true) << graded[0];
  EXPECT_EQ(graded[1].at("passed"), false);
  EXPECT_NE(graded[2].at("problem").get<std::string>().find("infinite loop"), std::string::npos);
  EXPECT_NE(graded[3].at("problem").get<std::string>().find("/no/such/file.cu"), std::string::npos);
  outcome = run_program(words("map check " + files + " --exercise rows --time-limit 0.2 --csv"));
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 5);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Cells are those of RFC 4180; a spreadsheet takes one that begins with =, +, - or @ for a formula.
TEST(MapProgram, CellsOfATableAreText) {
  const tests::TemporaryFolder folder;
  const auto grade = [&](const std::string& name, const std::string& code, std::vector<std::string> more) {
    std::ofstream(folder.path() / name) << code;
    std::vector<std::string> line = {"map", "check", name, "--exercise", "bounding-box"};
    line.insert(line.end(), more.begin(), more.end());
    return run_program_in(
               [&] {
                 if (chdir(folder.path().c_str()) != 0) _exit(99);
               },
               line)
        .out;
  };
  EXPECT_EQ(lines_of(grade("=1+2.cu", "x", {"--csv"}))[1].substr(0, 12), "'=1+2.cu,no,");
  EXPECT_EQ(lines_of(grade("@sum.cu", "x", {"--csv"}))[1].substr(0, 12), "'@sum.cu,no,");
  EXPECT_EQ(lines_of(grade("a;=b,\"c.cu", "x", {"--csv"}))[1].substr(0, 17), "\"a;=b,\"\"c.cu\",no,");
  const std::string name =
      "a\nforged.cu,yes\r\x1b[2J\xC2\x9B"
      "1A.cu";
  for (const char* form : {"--csv", ""}) {
    const std::string table =
        grade(name, "x\x1b[31m\n=cmd",
              form[0] != '\0' ? std::vector<std::string>{form} : std::vector<std::string>{});
    EXPECT_EQ(lines_of(table).size(), 2u) << table;
    EXPECT_EQ(table.find_first_of("\r\x1b"), std::string::npos) << table;
    EXPECT_EQ(table.find("\xC2\x9B"), std::string::npos) << table;
  }
  const std::string endless = grade("long.cu", "int " + std::string(5000, 'q') + " = 3;", {"--csv"});
  EXPECT_LE(endless.size(), 1200u) << endless;
  const std::string rows = std::string(kRows);
  std::ofstream(folder.path() / "rows.cu") << rows;
  const auto passed = [&](const std::string& line) {
    return lines_of(run_program_in(
                        [&] {
                          if (chdir(folder.path().c_str()) != 0) _exit(99);
                        },
                        words(line))
                        .out)[1];
  };
  for (const char* line :
       {"map check rows.cu --exercise rows --csv ;", "map check --csv ; rows.cu --exercise rows",
        "map check --csv=; rows.cu --exercise rows"})
    EXPECT_TRUE(std::regex_match(passed(line), std::regex("rows\\.cu;yes;\\d+;\\d+;\"\\d,\\d{4}\";[^;.]*;")))
        << passed(line);
  EXPECT_TRUE(std::regex_match(passed("map check --csv rows.cu --exercise rows"),
                               std::regex("rows\\.cu,yes,\\d+,\\d+,\\d\\.\\d{4},[^,]*,")));
}

/// Sends a signal to the program and its processes after these seconds, as a terminal does.
std::function<void()> signal_after(unsigned seconds, int number) {
  return [seconds, number] {
    setpgid(0, 0);
    if (fork() != 0) return;
    std::signal(number, SIG_IGN);
    sleep(seconds);
    kill(0, number);
    _exit(0);
  };
}

TEST(MapProgram, WhatIsNoFileIsSkippedAndSignalsKeepFinishedRows) {
  const MapFile right(kRows);
  const MapFile slow(kSlow);
  const std::string pipe = testing::TempDir() + "pipe." + std::to_string(getpid()) + ".cu";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string files = pipe + " /dev " + right.name();
  Outcome outcome = run_program(words("map check " + files + " --exercise rows"));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.out.find("skipped: not a regular file"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("passed"), std::string::npos) << outcome.out;
  const std::string line =
      "map check " + files + " " + slow.name() + " --exercise rows --time-limit 600 --json";
  for (const int number : {SIGINT, SIGTERM}) {
    nlohmann::json graded;
    for (const unsigned seconds : {2, 8, 32}) {
      outcome = run_program_in(signal_after(seconds, number), words(line));
      ASSERT_EQ(outcome.status, 128 + number) << outcome.err;
      graded = outcome.json();
      if (graded.at("submissions").size() == 3) break;
    }
    EXPECT_EQ(outcome.err, "fractal-loom: interrupted; 3 of 4 files are graded\n");
    EXPECT_EQ(graded.at("complete"), false);
    EXPECT_EQ(graded.at("passed"), false);
    ASSERT_EQ(graded.at("submissions").size(), 3u);
    EXPECT_EQ(graded.at("submissions")[0].at("problem"), "skipped: not a regular file");
    EXPECT_EQ(graded.at("submissions")[1].at("passed"), false);
    EXPECT_EQ(graded.at("submissions")[2].at("passed"), true);
  }
  std::remove(pipe.c_str());
}

TEST(MapProgram, BadInputIsOneLine) {
  const MapFile file(kRows);
  for (const std::string& line : std::vector<std::string>{
           "map run " + file.name() + " --level 14", "map run " + file.name() + " --level x",
           "map run /no/such/file.cu", "map run " + file.name() + " --time-limit 0",
           "map check " + file.name() + " --exercise no-such",
           "map check " + file.name() + " --exercise rows --json --csv", "map", "map check"}) {
    const Outcome outcome = run_program(words(line));
    EXPECT_EQ(outcome.status, 2) << line;
    EXPECT_EQ(outcome.out, "") << line;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
}

}  // namespace
}  // namespace loom::test
