#include "program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/bench/results.h"
#include "sample_results.h"
#include "temporary_folder.h"

namespace loom::test {
namespace {

namespace fs = std::filesystem;
using app::bench::read_results;

/// Runs the program in a temporary folder.
class BenchProgram : public tests::FolderTest {
 protected:
  std::string sample() const { return write("sample.json", app::bench::document_text(sample_results())); }

  static void expect_refused(const std::string& line, const std::vector<std::string>& parts, int status = 2) {
    const Outcome outcome = run_program(words(line));
    EXPECT_EQ(outcome.status, status) << line;
    EXPECT_EQ(outcome.out, "") << line;
    ASSERT_EQ(outcome.err_lines().size(), 1u) << outcome.err;
    for (const std::string& part : parts) {
      EXPECT_NE(outcome.err.find(part), std::string::npos) << "missing in the error:" << part << "\n"
                                                           << outcome.err;
    }
  }
};

constexpr const char* kSmall =
    "bench --level 3,4 --block 1,2 --map bounding-box,lambda --backend cpu --max-samples 10 ";

TEST_F(BenchProgram, WritesResultsAndCsv) {
  const std::string json = path("a.json");
  const Outcome outcome = run_program(words(kSmall + ("--out " + json + " --csv " + path("a.csv"))));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto results = read_results(json);
  EXPECT_EQ(results.rows.size(), 8u);
  EXPECT_EQ(results.planned, 8u);
  EXPECT_TRUE(results.complete);
  EXPECT_FALSE(results.interrupted);
  EXPECT_GT(results.machine.threads, 0);
  for (const auto& entry : results.rows) EXPECT_TRUE(entry.measured()) << entry.skipped();
  EXPECT_EQ(tests::content_of(path("a.csv")).rfind("fractal,level,", 0), 0u);
}

// The README's commands for the sweep of a paper and its figure, at lower levels.
TEST_F(BenchProgram, WhatAPresetMeasuresIsDrawn) {
  const std::vector<std::pair<std::string, std::string>> of = {
      {"paper-lambda", "speedup"}, {"paper-tensor", "time"}, {"paper-compact", "speedup"}};
  for (const auto& [preset, kind] : of) {
    const std::string json = path(preset + ".json");
    const Outcome bench =
        run_program(words("bench --preset " + preset +
                          " --backend cpu --level-min 3 --level-max 3 --max-samples 1 --out " + json));
    ASSERT_EQ(bench.status, 0) << bench.err;
    const Outcome plot = run_program(words("plot " + json + " --kind " + kind + " -o " + path("a.svg")));
    EXPECT_EQ(plot.status, 0) << preset << ": " << plot.err;
  }
}

TEST_F(BenchProgram, PrintsOneJsonObjectAndNamesTheCommit) {
  setenv("LOOM_COMMIT", "feedbee", 1);
  const Outcome outcome = run_program(words(std::string(kSmall) + "--json"));
  unsetenv("LOOM_COMMIT");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["format"], "fractal-loom bench 1");
  EXPECT_EQ(outcome.json()["commit"], "feedbee");
  EXPECT_EQ(outcome.json()["configurations"].size(), 8u);
}

TEST_F(BenchProgram, OverwritesOnlyWithForce) {
  const std::string json = write("a.json", "mine");
  expect_refused(kSmall + ("--out " + json), {"a.json", "--force"});
  expect_refused(kSmall + ("--out " + path("b.json") + " --csv " + json), {"a.json", "--force"});
  EXPECT_EQ(tests::content_of(json), "mine");
  EXPECT_FALSE(fs::exists(path("b.json")));
  EXPECT_EQ(run_program(words(kSmall + ("--force --out " + json))).status, 0);
  EXPECT_EQ(read_results(json).rows.size(), 8u);
}

TEST_F(BenchProgram, RefusesBadAxes) {
  const std::string out = " --out " + path("a.json");
  expect_refused("bench --workload dreams" + out, {"dreams", "allowed: single-write, reduction, life"});
  expect_refused("bench --level 9..8" + out, {"9..8"});
  expect_refused("bench --block 3" + out, {"tile size 3", "1, 2, 4, 8, 16, 32"});
  expect_refused("bench --preset paper-mandelbort" + out, {"paper-lambda", "paper-compact"});
  expect_refused("bench --preset paper-lambda --level-min 17" + out, {"--level-min 17"});
  expect_refused("bench --max-seconds 0" + out, {"--max-seconds"});
  EXPECT_FALSE(fs::exists(path("a.json")));
}

TEST_F(BenchProgram, AsksForYesAboveTheLimit) {
  expect_refused(kSmall + ("--repeats 12501 --out " + path("a.json")), {"100008", "--yes"});
  EXPECT_FALSE(fs::exists(path("a.json")));
}

TEST_F(BenchProgram, ListsWhatDoesNotFit) {
  const Outcome outcome = run_program(
      words("bench --level 2,32 --block 1 --map bounding-box --backend cpu --out " + path("a.json")));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto results = read_results(path("a.json"));
  ASSERT_EQ(results.rows.size(), 2u);
  EXPECT_TRUE(results.rows[0].measured());
  EXPECT_NE(results.rows[1].skipped().find("largest level that fits"), std::string::npos);
  EXPECT_NE(outcome.out.find("skipped"), std::string::npos);
}

pid_t start_program(const std::vector<std::string>& arguments, const std::string& out = "/dev/null") {
  const pid_t child = fork();
  if (child != 0) return child;
  std::vector<char*> argv = {const_cast<char*>(LOOM_PROGRAM)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  dup2(open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
  dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
  execv(LOOM_PROGRAM, argv.data());
  std::_Exit(127);
}

/// Waits at most 30 s until the file has two entries. The file must be complete at any time: reading a
/// partial file throws.
std::size_t wait_for_entries(const std::string& json) {
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  std::size_t seen = 0;
  while (seen < 2 && std::chrono::steady_clock::now() < patience) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (fs::exists(json)) seen = read_results(json).rows.size();
  }
  return seen;
}

int status_of(pid_t child) {
  int state = 0;
  EXPECT_EQ(waitpid(child, &state, 0), child);
  return WIFEXITED(state) ? WEXITSTATUS(state) : -WTERMSIG(state);
}

constexpr const char* kLong = "bench --level 4 --block 1 --map lambda --repeats 1000 --backend cpu ";

TEST_F(BenchProgram, SignalsKeepWhatIsDone) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const std::string json = path(std::to_string(signal) + ".json");
    const pid_t child = start_program(words(kLong + ("--out " + json)));
    ASSERT_GT(child, 0);
    const std::size_t seen = wait_for_entries(json);
    kill(child, signal);
    EXPECT_EQ(status_of(child), 128 + signal);
    const auto results = read_results(json);
    EXPECT_TRUE(results.interrupted);
    EXPECT_FALSE(results.complete);
    EXPECT_GE(results.rows.size(), seen);
    EXPECT_LT(results.rows.size(), 1000u);
    EXPECT_GE(seen, 2u);
  }
}

TEST_F(BenchProgram, SignalsPrintWhatHasNoFile) {
  // The CSV file shows when some configurations are done.
  const pid_t child = start_program(words(kLong + ("--json --csv " + path("a.csv"))), path("out.json"));
  ASSERT_GT(child, 0);
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (std::chrono::steady_clock::now() < patience) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (fs::exists(path("a.csv")) && std::ranges::count(tests::content_of(path("a.csv")), '\n') > 2) break;
  }
  // Closing a terminal sends the signal twice.
  kill(child, SIGHUP);
  kill(child, SIGHUP);
  EXPECT_EQ(status_of(child), 128 + SIGHUP);
  const auto results = read_results(path("out.json"));
  EXPECT_TRUE(results.interrupted);
  EXPECT_GE(results.rows.size(), 2u);
}

TEST_F(BenchProgram, NohupHolds) {
  std::signal(SIGHUP, SIG_IGN);
  const pid_t child = start_program(words(kSmall + ("--out " + path("a.json"))));
  std::signal(SIGHUP, SIG_DFL);
  while (!fs::exists(path("a.json"))) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill(child, SIGHUP);
  EXPECT_EQ(status_of(child), 0);
  EXPECT_TRUE(read_results(path("a.json")).complete);
}

TEST_F(BenchProgram, AFolderThatIsRemovedTakesNoResultsAlong) {
  fs::create_directory(folder_ / "inner");
  // The first write finds the folder; it is renamed before the others.
  const std::string out = path("out.txt");
  std::vector<std::string> line = words(
      "bench --level 4 --block 1 --map lambda --repeats 40 --backend cpu --max-samples 30 --max-seconds 0.02 "
      "--out " +
      path("inner/a.json") + " --csv " + path("a.csv"));
  const pid_t child = start_program(line, out);
  while (!fs::exists(path("inner/a.json"))) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  fs::rename(folder_ / "inner", folder_ / "gone");
  EXPECT_EQ(status_of(child), 2);
  const std::string said = tests::content_of(out);
  EXPECT_NE(said.find("40 of 40 configurations measured"), std::string::npos) << said;
  EXPECT_EQ(said.find("results: "), std::string::npos) << said;
  const auto begin = said.find("{");
  ASSERT_NE(begin, std::string::npos);
  EXPECT_EQ(app::bench::parse_results(said.substr(begin), "printed").rows.size(), 40u);
  EXPECT_EQ(std::ranges::count(tests::content_of(path("a.csv")), '\n'), 41);
}

TEST_F(BenchProgram, OneFileIsNotWrittenTwice) {
  expect_refused(kSmall + ("--out " + path("a.json") + " --csv " + path("./a.json")),
                 {"--out and --csv name the same file"});
  EXPECT_FALSE(fs::exists(path("a.json")));
}

TEST_F(BenchProgram, PlotsEveryKindInEveryFormat) {
  const std::string results = sample();
  for (const char* kind : {"speedup", "time", "memory", "utilization"}) {
    for (const char* format : {"svg", "pdf", "png"}) {
      const std::string figure = path(std::string(kind) + "." + format);
      const Outcome outcome = run_program({"plot", results, "--kind", kind, "-o", figure, "--json"});
      ASSERT_EQ(outcome.status, 0) << outcome.err;
      EXPECT_GT(outcome.json()["series"].get<int>(), 0);
      EXPECT_GT(fs::file_size(figure), 1000u);
    }
  }
}

TEST_F(BenchProgram, PlotsModelsWithoutResults) {
  for (const char* kind :
       {"work-reduction", "sbr-speedup", "mbr-speedup", "parallel-space", "map-time", "compression"}) {
    const Outcome outcome = run_program({"plot", "--kind", kind, "-o", path("model.svg"), "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_GE(outcome.json()["series"].get<int>(), 3);
  }
  const Outcome over = run_program({"plot", "--kind", "mbr-speedup", "--over", "b", "--p", "0.5,0.7",
                                    "--size", "4096", "-o", path("over.svg"), "--json"});
  EXPECT_EQ(over.json()["series"], 2);
  const std::string out = path("none.svg");
  const std::string results = sample();
  expect_refused("plot --kind time -o " + out, {"needs a results file"});
  expect_refused("plot " + results + " --kind compression -o " + out, {"a results file has no effect"});
  expect_refused("plot --kind compression --over g -o " + out, {"--over has no effect"});
  expect_refused("plot --kind work-reduction --q 4 -o " + out, {"--q has no effect"});
  expect_refused("plot --kind work-reduction --level 4 -o " + out, {"--level has no effect"});
  expect_refused("plot --kind work-reduction --size 64 -o " + out, {"--size has no effect"});
  expect_refused("plot --kind sbr-speedup --over g --g 4 -o " + out, {"--g has no effect"});
  expect_refused("plot --kind sbr-speedup --p 2 -o " + out, {"--p", "0 to 1"});
  expect_refused("plot --kind sbr-speedup --over x -o " + out, {"n, g, r, b"});
  expect_refused("plot " + results + " --kind time --p 0.5 -o " + out, {"--p has no effect"});
  expect_refused("plot " + results + " --kind time --over g -o " + out, {"--over has no effect"});
  EXPECT_FALSE(fs::exists(out));
}

TEST_F(BenchProgram, APlotOfABadFileWritesNothing) {
  const std::string whole = app::bench::document_text(sample_results());
  const std::string figure = write("figure.svg", "mine");
  const std::string to = " --kind time -o " + figure;
  expect_refused("plot " + write("cut.json", whole.substr(0, whole.size() / 2)) + to,
                 {"cut.json", "ends too early"});
  expect_refused("plot " + write("other.json", "{\"a\": 1}") + to, {"other.json", "not a results file"});
  std::string newer = whole;
  newer.replace(newer.find("bench 1"), 7, "bench 9");
  expect_refused("plot " + write("newer.json", newer) + to, {"newer.json", "bench 9", "bench 1"});
  expect_refused("plot " + path("none.json") + to, {"none.json"});
  expect_refused("plot " + sample() + to + " --fractal candy", {"candy", "sierpinski-gasket"});
  EXPECT_EQ(tests::content_of(figure), "mine");
  expect_refused("plot " + sample() + " --kind beauty -o " + figure,
                 {"beauty", "speedup, time, memory, utilization"});
  expect_refused("plot " + sample() + " --kind time -o " + path("figure.json"), {".svg, .pdf, .png"});
  EXPECT_EQ(tests::content_of(figure), "mine");
}

TEST_F(BenchProgram, MeasuresAndDrawsTheMandelbrotSet) {
  const std::string json = path("m.json");
  const Outcome outcome = run_program(
      words("bench --preset paper-mandelbrot --size 64,128 --g 4 --b 4 --backend cpu --max-samples 2 --out " +
            json + " --csv " + path("m.csv")));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto results = read_results(json);
  EXPECT_EQ(results.kind, app::bench::SweepKind::kMandelbrot);
  ASSERT_EQ(results.rows.size(), 12u);
  EXPECT_TRUE(results.complete);
  for (const auto& entry : results.rows) EXPECT_TRUE(entry.measured()) << entry.skipped();
  EXPECT_EQ(results.settings["preset"], "paper-mandelbrot");
  EXPECT_EQ(tests::content_of(path("m.csv"))
                .rfind("width,height,formula,power,julia_point,formula_code,method,", 0),
            0u);
  EXPECT_NE(outcome.out.find("exhaustive / this"), std::string::npos);
  for (const std::string kind :
       {"time", "speedup", "memory", "landscape --method ask --ideas all --size 64"}) {
    const Outcome plot =
        run_program(words("plot " + json + " --json -o " + path("m.svg") + " --kind " + kind));
    ASSERT_EQ(plot.status, 0) << plot.err;
    EXPECT_GT(plot.json()["series"].get<int>(), 0) << kind;
  }
  expect_refused("plot " + json + " --map lambda -o " + path("x.svg"), {"--map", "--method"});
  expect_refused("plot " + sample() + " --method ask -o " + path("x.svg"), {"--method", "maps"});
  expect_refused("plot " + sample() + " --kind landscape -o " + path("x.svg"), {"landscape", "Mandelbrot"});
  EXPECT_FALSE(fs::exists(path("x.svg")));
}

TEST_F(BenchProgram, MeasuresAndDrawsSetsInSpace) {
  const std::string json = path("v.json");
  const Outcome outcome = run_program(
      words("bench --space mandelbulb,quaternion-julia --size 16,32 --dwell 30 --g 2,4 --b 2 --order "
            "canonical,morton --backend cpu --max-samples 2 --max-seconds 0.01 --out " +
            json + " --csv " + path("v.csv")));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto results = read_results(json);
  ASSERT_EQ(results.rows.size(), 2u * 2 * (1 + 2 + 4));
  for (const auto& entry : results.rows) EXPECT_TRUE(entry.measured()) << entry.skipped();
  EXPECT_NE(tests::content_of(path("v.csv")).find("mandelbulb,morton"), std::string::npos);
  EXPECT_NE(outcome.out.find("set in space"), std::string::npos);
  for (const std::string kind : {"time", "speedup --over g --size 32", "memory"}) {
    const Outcome plot = run_program(
        words("plot " + json + " --space mandelbulb --json -o " + path("v.svg") + " --kind " + kind));
    ASSERT_EQ(plot.status, 0) << plot.err;
    EXPECT_GT(plot.json()["series"].get<int>(), 0) << kind;
    EXPECT_NE(tests::content_of(path("v.svg")).find("mandelbulb"), std::string::npos);
  }
  expect_refused("plot " + json + " --kind time -o " + path("x.svg"), {"more than one set", "--space"});
  expect_refused("bench --space mandelbulb --size 2048 --json", {"size = 2048", "1 to 1024"});
  expect_refused("bench --space mandelbulb --size 16 --g 4 --b 2 --width 1 --json",
                 {"--width", "--space none"});
  expect_refused("bench --method ask --size 16 --order morton --json", {"--order", "--space"});
}

TEST_F(BenchProgram, MeasuresAndDrawsDeepViews) {
  const std::string json = path("d.json");
  const Outcome outcome =
      run_program(words("bench --preset deep-zoom --size 8 --width 1e-2,1e-10,1e-400 --dwell 1500 --backend "
                        "cpu --max-samples 2 --max-seconds 0.01 --out " +
                        json));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("skipped: n 8, exhaustive"), std::string::npos) << outcome.out;
  const auto results = read_results(json);
  ASSERT_EQ(results.rows.size(), 3u * 6u);
  for (const auto& entry : results.rows) {
    const bool direct = !entry.text("precision").starts_with("perturbed");
    const bool is_deepest = entry["view_width"] == "1e-400";
    const bool fits = entry.text("precision").starts_with("perturbed-wide") || !is_deepest;
    const bool expected = fits && (entry["precision"] != "float" || entry["view_width"] == "1e-2");
    EXPECT_EQ(entry.measured(), expected) << long_text(entry) << ": " << entry.skipped();
    if (entry.measured()) {
      EXPECT_EQ(!entry["reference_orbit_ms"].is_null(), !direct);
    }
  }
  EXPECT_EQ(results.settings["axes"]["center"], "0,1");
  const Outcome plot = run_program(
      words("plot " + json + " --json --kind time --precision double,perturbed-wide -o " + path("d.svg")));
  ASSERT_EQ(plot.status, 0) << plot.err;
  EXPECT_EQ(plot.json()["series"], 2);
  EXPECT_NE(tests::content_of(path("d.svg")).find("depth"), std::string::npos);
  ASSERT_EQ(run_program(words("plot " + json + " --width 1e-2 -o " + path("e.svg"))).status, 0);
  expect_refused("bench --width 1e-9 --size 64 --precision float --json", {"float", "larger width"});
  expect_refused("bench --center 0 --size 64 --json", {"center", "RE,IM"});
  expect_refused("bench --width deep --json", {"'deep'", "decimal number"});
}

TEST_F(BenchProgram, ShardsMergeToTheWholeSweep) {
  std::vector<std::string> files;
  for (const std::string number : {"3", "1", "2"}) {
    files.push_back(path("part-" + number + ".json"));
    const Outcome outcome = run_program(words(kSmall + ("--shard " + number + "/3 --out " + files.back())));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("1 of 3 shards; missing: "), std::string::npos) << outcome.out;
    const auto part = read_results(files.back());
    EXPECT_TRUE(part.complete);
    EXPECT_EQ(part.planned, part.rows.size());
    EXPECT_EQ(part.shards->configurations, 8u);
    EXPECT_EQ(part.shards->have, std::vector<std::uint32_t>{static_cast<std::uint32_t>(std::stoul(number))});
  }
  ASSERT_EQ(run_program(words(kSmall + ("--out " + path("whole.json")))).status, 0);
  const Outcome merging = run_program({"bench", "--merge", files[0], files[1], files[2], "--out",
                                       path("all.json"), "--csv", path("all.csv")});
  ASSERT_EQ(merging.status, 0) << merging.err;
  EXPECT_EQ(merging.err, "");
  EXPECT_NE(merging.out.find("8 of 8 configurations from 3 files"), std::string::npos) << merging.out;
  const auto all = read_results(path("all.json"));
  const auto whole = read_results(path("whole.json"));
  ASSERT_EQ(all.rows.size(), whole.rows.size());
  for (std::size_t i = 0; i < all.rows.size(); ++i)
    EXPECT_EQ(long_text(all.rows[i]), long_text(whole.rows[i]));
  EXPECT_EQ(std::ranges::count(tests::content_of(path("all.csv")), '\n'), 9);

  // The figure of the shard files equals that of the merged file. Missing shards are reported.
  const std::vector<std::string> kind = {"--kind", "speedup", "--best", "--json", "-o"};
  const auto plot = [&](std::vector<std::string> line, const std::string& out) {
    line.insert(line.begin(), "plot");
    line.insert(line.end(), kind.begin(), kind.end());
    line.push_back(path(out));
    return run_program(line);
  };
  EXPECT_EQ(plot(files, "parts.svg").err, "");
  EXPECT_EQ(plot({path("all.json")}, "all.svg").status, 0);
  EXPECT_EQ(tests::content_of(path("parts.svg")), tests::content_of(path("all.svg")));
  const Outcome two =
      run_program({"plot", files[0], files[2], "--kind", "time", "-o", path("two.svg"), "--json"});
  EXPECT_EQ(two.status, 0) << two.err;
  EXPECT_EQ(two.err, "fractal-loom: warning: 2 of 3 shards; missing: 1/3\n");
  EXPECT_EQ(two.json()["missing"], "2 of 3 shards; missing: 1/3");
  const Outcome half = run_program({"bench", "--merge", files[0], files[2], "--json"});
  EXPECT_EQ(half.status, 0);
  EXPECT_EQ(half.err, "fractal-loom: warning: 2 of 3 shards; missing: 1/3\n");
  EXPECT_EQ(half.json()["shards"]["have"], (std::vector<int>{2, 3}));
}

TEST_F(BenchProgram, RefusesShardsThatAreNone) {
  const std::string out = " --out " + path("a.json");
  for (const std::string shard : {"0/3", "4/3", "x/3"})
    expect_refused(kSmall + ("--shard " + shard + out), {"'" + shard + "'", "allowed: 1/3 to 3/3"});
  for (const std::string shard : {"1/0", "1", "a/b"})
    expect_refused(kSmall + ("--shard " + shard + out), {"'" + shard + "'", "K/N with K from 1 to N"});
  expect_refused(kSmall + ("--shard 1/9" + out),
                 {"9 shards of a sweep of 8 configurations", "N from 1 to 8"});
  EXPECT_FALSE(fs::exists(path("a.json")));
}

TEST_F(BenchProgram, MergesNothingThatIsNotOfOneSweep) {
  const auto whole = sample_results();
  auto other = whole;
  other.settings["density"] = 0.25;
  auto again = whole;
  again.rows[0].set("median_ms", 1);
  const std::string a = write("a.json", app::bench::document_text(whole));
  const std::string b = write("b.json", app::bench::document_text(other));
  const std::string c = write("c.json", app::bench::document_text(again));
  for (const std::string line : {"bench --merge ", "plot "}) {
    const std::string out = " --out " + path("x.svg");
    expect_refused(line + a + " " + b + out,
                   {"a.json and ", "b.json differ in settings.density: 0.5 and 0.25"});
    expect_refused(line + a + " " + c + out,
                   {"a.json and ", "c.json both contain sierpinski-gasket level 4, bounding-box, tile size 1",
                    "32 ms and 1 ms"});
    expect_refused(line + a + " " + path("none.json") + out, {"none.json"});
    expect_refused(line + a + " " + write("cut.json", "{") + out, {"cut.json", "not valid JSON"});
  }
  expect_refused("bench --merge " + a + " --level 3", {"--level has no effect with --merge"});
  expect_refused("bench --merge " + a + " --shard 1/2", {"--shard has no effect with --merge"});
  expect_refused("bench --merge " + a + " --out " + c, {"c.json", "--force"});
  EXPECT_FALSE(fs::exists(path("x.svg")));
  EXPECT_EQ(run_program({"bench", "--merge", a, "--out", c, "--force"}).status, 0);
  EXPECT_TRUE(read_results(c) == whole);
}

constexpr const char* kBrief = "bench --level 4 --block 1 --map lambda --repeats 100 --backend cpu ";

TEST_F(BenchProgram, ResumesAShardWhereItWasStopped) {
  const std::string line =
      kBrief + ("--shard 2/2 --max-samples 1 --max-seconds 0.001 --resume --out " + path("a.json"));
  // Without a file, --resume starts the sweep.
  const pid_t child = start_program(words(line));
  ASSERT_GT(child, 0);
  EXPECT_GE(wait_for_entries(path("a.json")), 2u);
  kill(child, SIGTERM);
  EXPECT_EQ(status_of(child), 128 + SIGTERM);
  const auto stopped = read_results(path("a.json"));
  ASSERT_TRUE(stopped.interrupted);
  ASSERT_LT(stopped.rows.size(), 50u);
  const Outcome outcome = run_program(words(line));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto whole = read_results(path("a.json"));
  EXPECT_TRUE(whole.complete);
  EXPECT_FALSE(whole.interrupted);
  ASSERT_EQ(whole.rows.size(), 50u);
  EXPECT_EQ(whole.date, stopped.date);
  for (std::size_t i = 0; i < stopped.rows.size(); ++i) EXPECT_TRUE(whole.rows[i] == stopped.rows[i]) << i;
  // A complete file is left unchanged.
  const std::string before = tests::content_of(path("a.json"));
  EXPECT_EQ(run_program(words(line)).status, 0);
  EXPECT_EQ(tests::content_of(path("a.json")), before);
  expect_refused(
      kBrief + ("--shard 1/2 --max-samples 1 --max-seconds 0.001 --resume --out " + path("a.json")),
      {"a.json contains shard 2 of 2"});
  expect_refused(kBrief + ("--shard 2/2 --max-seconds 0.001 --resume --out " + path("a.json")),
                 {"a.json and this sweep differ in settings.max_samples: 1 and 100"});
  expect_refused(kBrief + std::string("--resume"), {"--resume", "with --out FILE"});
  EXPECT_EQ(tests::content_of(path("a.json")), before);
}

TEST_F(BenchProgram, ASweepIsOfOneKind) {
  expect_refused("bench --method ask --level 3", {"--level", "--method"});
  expect_refused("bench --preset paper-mandelbrot --seed 2", {"--seed", "paper-mandelbrot"});
  expect_refused("bench --preset paper-lambda --method ask", {"paper-lambda", "paper-mandelbrot"});
  expect_refused("bench --preset paper-mandelbrot --size-max 512", {"--size-max 512", "1024"});
  expect_refused("bench --method ask --r 1", {"r: '1'", "2 to 1024"});
  expect_refused("bench --ideas speed", {"speed", "early-stop"});
}

}  // namespace
}  // namespace loom::test
