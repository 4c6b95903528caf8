#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "program.h"

namespace loom::test {
namespace {

TEST(Verify, PassesOnTheCpuAndCountsEveryConfiguration) {
  const Outcome outcome = run_program(words("verify --backend cpu --level-max 3 --steps 20 --json"));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto json = outcome.json();
  EXPECT_EQ(json["ok"], true);
  EXPECT_EQ(json["different"], 0);
  EXPECT_EQ(json["skipped"], 0);
  EXPECT_TRUE(json["differences"].empty());
  ASSERT_EQ(json["levels"].size(), 17u * 4u);
  std::uint64_t passed = 0;
  for (const auto& level : json["levels"]) {
    // Bounding box, lambda, and compact with and without halo, for every tile size s^j with j <= level. Only
    // candy and two others reach the limit of 1024 threads, with 16 x 16 and 20 x 20.
    const std::string name = level["fractal"];
    const bool is_large = name == "candy" || name == "sieve" || name == "pinwheel-carpet";
    static constexpr std::array kLevelsDiffer = {"carpet-vicsek",   "gasket-2-3",     "sieve",
                                                 "thin-cross",      "hilbert-square", "dragon-gasket",
                                                 "pinwheel-carpet", "mirrored-gasket"};
    const bool is_uniform = std::ranges::find(kLevelsDiffer, name) == kLevelsDiffer.end();
    const std::uint64_t exponents = level["level"].get<std::uint64_t>() + 1;
    // In addition, bit-packed rows and, where the lowest levels have one generator, bit planes: of these
    // mixed ones, sieve, and the others while they have a single level. Each configuration runs life, a
    // reduction and single writes.
    const bool is_mixed = std::ranges::find(kLevelsDiffer.begin(), kLevelsDiffer.begin() + 4, name) !=
                          kLevelsDiffer.begin() + 4;
    const bool has_planes = is_uniform || (is_mixed && (name == "sieve" || exponents <= 2));
    EXPECT_EQ(level["passed"],
              (has_planes ? 6 : 3) + 12 * (is_large ? std::min<std::uint64_t>(exponents, 3) : exponents))
        << level;
    passed += level["passed"].get<std::uint64_t>();
  }
  ASSERT_EQ(json["check_values"].size(), 6u);
  EXPECT_EQ(json["check_values"][0]["hash"], "2e269e30ff0b89dd");
  EXPECT_EQ(json["check_values"][0]["passed"], 26);
  EXPECT_EQ(json["check_values"][1]["hash"], "5ec80c9c248e2f8f");
  EXPECT_EQ(json["check_values"][1]["passed"], 18);
  EXPECT_EQ(json["check_values"][2]["hash"], "d8ce08c26c871b83");
  EXPECT_EQ(json["check_values"][2]["passed"], 17);
  EXPECT_EQ(json["check_values"][3]["hash"], "572bd6a99d3cfc9d");
  EXPECT_EQ(json["check_values"][3]["passed"], 25);
  EXPECT_EQ(json["check_values"][4]["hash"], "685d11bc7de87988");
  EXPECT_EQ(json["check_values"][4]["passed"], 16) << "several states: in bytes";
  EXPECT_EQ(json["check_values"][5]["hash"], "64e319d1f43c9118");
  EXPECT_EQ(json["check_values"][5]["passed"], 48)
      << "Larger than Life, by all countings that the tiles allow, and in bits";
  EXPECT_EQ(json["passed"], passed + 26 + 18 + 17 + 25 + 16 + 48);
}

TEST(Verify, ChecksTheMandelbrotMethodsUnlessOneFractalIsNamed) {
  const auto json = run_program(words("verify --backend cpu --level-max 0 --steps 1 --json")).json();
  EXPECT_EQ(json["ok"], true);
  // Two views in two precisions: exhaustive with all optimisations and with none, and two methods with two
  // schemes each, with all optimisations, none, and each alone.
  EXPECT_EQ(json["mandelbrot"]["passed"], (2 * 2 + 3 + 13 * 2) * (2 + 2 * 2 * (2 + 9)))
      << "three deep views; six other formulas and seven Julia sets in two precisions";
  EXPECT_EQ(json["mandelbrot"]["different"], 0);
  EXPECT_GT(json["mandelbrot"]["border_misses"], 0);
  const auto one =
      run_program(words("verify --backend cpu --fractal vicsek --level-max 0 --steps 1 --json")).json();
  EXPECT_TRUE(one["mandelbrot"].is_null());
}

TEST(Verify, OfOneFractalPrintsItsTable) {
  const Outcome outcome =
      run_program(words("verify --backend cpu --fractal chandelier --level-max 2 --steps 5"));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("chandelier"), std::string::npos);
  EXPECT_EQ(outcome.out.find("vicsek"), std::string::npos);
  EXPECT_NE(outcome.out.find("passed: 90 configurations"), std::string::npos) << outcome.out;
}

TEST(Verify, AllRunsEveryArithmeticAndSamplesHighLevels) {
  const Outcome outcome =
      run_program(words("verify --all --backend cpu --fractal vicsek --level-max 2 --samples 50 --json"));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto json = outcome.json();
  EXPECT_EQ(json["different"], 0);
  EXPECT_EQ(json["skipped"], 0);
  // Bounding box; lambda with 6 arithmetics x 3 intra-block mappings; compact with 4 x 3 x 2 halo settings.
  // At level 2, tile sizes 1, 3 and 9. Plus bit planes and bit-packed rows; three workloads each.
  EXPECT_EQ(json["levels"][2]["passed"], ((1 + 18 + 24) * 3 + 2) * 3);
  ASSERT_EQ(json["sampled"].size(), 14u) << "levels 7 to 20";
  for (const auto& level : json["sampled"]) {
    // Tile sizes 1, 3, 9 and 27; 6 arithmetics for lambda and 4 for compact.
    EXPECT_EQ(level["passed"], 4 * (6 + 4)) << level;
    // Each maps 50 samples and 4 corners through lambda; compact also maps 54 through nu.
    EXPECT_EQ(level["coordinates"], 4 * (6 + 2 * 4) * 54) << level;
  }
  ASSERT_EQ(json["tensor_fp16"].size(), 2u);
  EXPECT_EQ(json["tensor_fp16"][0]["map"], "lambda");
  EXPECT_EQ(json["tensor_fp16"][0]["wrong_from"], 8) << "3^7 has twelve significant bits";
  EXPECT_EQ(json["tensor_fp16"][1]["map"], "nu");
  EXPECT_EQ(json["tensor_fp16"][1]["wrong_from"], 11) << "5^5 has twelve significant bits";
  for (const auto& limit : json["tensor_fp16"]) EXPECT_EQ(limit["as_expected"], true);
}

TEST(Verify, WithoutSamplesNoHighLevels) {
  const auto json =
      run_program(words("verify --all --backend cpu --fractal vicsek --level-max 1 --samples 0 --json"))
          .json();
  EXPECT_EQ(json["ok"], true);
  EXPECT_TRUE(json["sampled"].empty());
  EXPECT_TRUE(json["tensor_fp16"].empty());
}

// 2^60 points: neither the reference nor expanded storage fits in memory. Bit planes cannot index this many
// groups, so they are not among the configurations.
TEST(Verify, OfNothingHasNotPassed) {
  for (const char* form : {"", " --json"}) {
    const Outcome outcome = run_program(
        words(std::string("verify --backend cpu --fractal sierpinski-gasket --level-min 30 --level-max 30") +
              form));
    EXPECT_EQ(outcome.status, 3);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("all 75 configurations were skipped"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("bytes"), std::string::npos) << "the reason is missing: " << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
  const Outcome outcome =
      run_program(words("verify --backend cpu --fractal sierpinski-carpet --level-min 22 --level-max 25"));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("levels up to 21"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace loom::test
