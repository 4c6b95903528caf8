#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "program.h"

namespace loom::test {
namespace {

nlohmann::json json_of(const std::string& line) {
  const Outcome outcome = run_program(words(line + " --json"));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return outcome.json();
}

/// A temporary file, removed by the destructor.
struct TemporaryFile {
  std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "fractal-loom-timeline-test.json";
  ~TemporaryFile() { std::filesystem::remove(path); }
};

TEST(TimelineProgram, WritesEveryBlockOnce) {
  const TemporaryFile file;
  const nlohmann::json said =
      json_of("timeline --backend cpu --level 9 --map bounding-box --block 8 --out " + file.path.string());
  EXPECT_EQ(said["workspace"], "life");
  EXPECT_EQ(said["map"], "bounding-box");
  EXPECT_EQ(said["clock"], "steady clock");
  EXPECT_FALSE(said.contains("spans"));
  std::ifstream stream(file.path);
  const nlohmann::json written = nlohmann::json::parse(stream);
  EXPECT_EQ(written["format"], "fractal-loom timeline 1");
  EXPECT_EQ(written["spans"].size(), said["spans_kept"]);
  EXPECT_EQ(said["spans_left_out"], 0);
  std::set<std::uint64_t> blocks;
  std::uint64_t busy = 0;
  for (const auto& span : written["spans"]) {
    ASSERT_EQ(span.size(), written["span_fields"].size());
    busy += span[1].get<std::uint64_t>() - span[0].get<std::uint64_t>();
    for (std::uint64_t i = 0; i < span[5].get<std::uint64_t>(); ++i) {
      EXPECT_TRUE(blocks.insert(span[4].get<std::uint64_t>() + i).second);
    }
  }
  EXPECT_EQ(blocks.size(), 64u * 64);
  EXPECT_EQ(said["figures"]["busy_ns"], busy);
  EXPECT_EQ(said["figures"]["workers"], written["workers"].size());
}

TEST(TimelineProgram, RecordsTheMandelbrotSetByEveryMethod) {
  for (const std::string method : {"exhaustive", "dp", "ask"}) {
    const bool subdivides = method != "exhaustive";
    const nlohmann::json said =
        json_of("timeline --workspace mandelbrot --backend cpu --size 256x256 --method " + method +
                (subdivides ? " --g 4 --b 8" : ""));
    EXPECT_EQ(said["method"], method);
    EXPECT_GT(said["figures"]["spans"], 16);
    EXPECT_GT(said["figures"]["grids"], subdivides ? 3 : 0);
    EXPECT_EQ(said["figures"]["spans"], said["spans_kept"]);
  }
}

TEST(TimelineProgram, SaysInWordsWhatItCameTo) {
  const Outcome outcome = run_program(words("timeline --backend cpu --level 6"));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* part : {"sierpinski-gasket, level 6", "step_life", "concurrency", "tail effect",
                           "steady clock", "with recording"}) {
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n" << outcome.out;
  }
}

// The expected numbers come from a profiler, see tests/explain/profiled_traffic_test.cpp.
TEST(LensProgram, PrintsWhatALaunchAsksOfMemory) {
  const nlohmann::json said = json_of("lens --level 10 --block 8 --map compact --halo on --arithmetic loop");
  EXPECT_EQ(said["kernel"], "life_compact_rows_kernel");
  EXPECT_EQ(said["exact"], true);
  EXPECT_EQ(said["left_out"], "nothing");
  EXPECT_EQ(said["loads"]["requests"], 3888);
  EXPECT_EQ(said["loads"]["sectors"], 18708);
  EXPECT_EQ(said["stores"]["requests"], 486);
  EXPECT_EQ(said["stores"]["sectors"], 4374);
  EXPECT_NE(json_of("lens --level 10 --block 8 --arithmetic table")["left_out"], "nothing");
}

TEST(DivergenceProgram, SaysWhatItCountedAndHow) {
  const std::string line = "mandelbrot --backend cpu --size 128x128 --divergence --method ";
  const nlohmann::json whole = json_of(line + "exhaustive --block-shape 32x1")["divergence"];
  EXPECT_EQ(whole["counted"], "as the kernels run");
  EXPECT_EQ(whole["total"]["warps"], 128 * 128 / 32);
  EXPECT_EQ(whole["total"]["lanes"], 128 * 128);
  EXPECT_EQ(whole["border"]["lanes"], 0);
  EXPECT_GT(whole["total"]["waited"], 0);
  EXPECT_EQ(json_of(line + "ask --ideas none")["divergence"]["counted"], "as the kernels run");
  const nlohmann::json regions = json_of(line + "ask")["divergence"];
  EXPECT_EQ(regions["counted"], "as the published form runs");
  EXPECT_GT(regions["border"]["lanes"], 0);
}

}  // namespace
}  // namespace loom::test
