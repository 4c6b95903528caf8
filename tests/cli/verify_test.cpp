#include <gtest/gtest.h>

#include <algorithm>
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
  ASSERT_EQ(json["levels"].size(), 9u * 4u);
  std::uint64_t passed = 0;
  for (const auto& level : json["levels"]) {
    // Bounding box, lambda, and compact with and without halo, at every block size s^j with j <= level: 729 =
    // 27^2 and 64 points are the largest blocks here, but for chandelier 9 x 4 and candy 16 x 16.
    const bool is_candy = level["fractal"] == "candy";
    const std::uint64_t exponents = level["level"].get<std::uint64_t>() + 1;
    EXPECT_EQ(level["passed"], 4 * (is_candy ? std::min<std::uint64_t>(exponents, 3) : exponents)) << level;
    passed += level["passed"].get<std::uint64_t>();
  }
  ASSERT_EQ(json["check_values"].size(), 2u);
  EXPECT_EQ(json["check_values"][0]["hash"], "2e269e30ff0b89dd");
  EXPECT_EQ(json["check_values"][0]["passed"], 24);
  EXPECT_EQ(json["check_values"][1]["hash"], "5ec80c9c248e2f8f");
  EXPECT_EQ(json["check_values"][1]["passed"], 16);
  EXPECT_EQ(json["passed"], passed + 40);
}

TEST(Verify, ChecksTheMandelbrotMethodsUnlessOneFractalIsNamed) {
  const auto json = run_program(words("verify --backend cpu --level-max 0 --steps 1 --json")).json();
  EXPECT_EQ(json["ok"], true);
  // Two views in two precisions: exhaustive, and two methods by two schemes with all ideas, none, and each.
  EXPECT_EQ(json["mandelbrot"]["passed"], 2 * 2 * (1 + 2 * 2 * (2 + 7)));
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
  EXPECT_NE(outcome.out.find("passed: 24 configurations"), std::string::npos) << outcome.out;
}

TEST(Verify, ListsWhatDoesNotFit) {
  // 2^60 points: no machine holds the square, and so neither the reference nor the expanded storage.
  const Outcome outcome = run_program(
      words("verify --backend cpu --fractal sierpinski-gasket --level-min 30 --level-max 30 --json"));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto json = outcome.json();
  EXPECT_EQ(json["skipped"], 24);
  ASSERT_EQ(json["skips"].size(), 24u);
  EXPECT_NE(json["skips"][0]["what"].get<std::string>().find("bytes"), std::string::npos);
  ASSERT_EQ(json["levels"].size(), 1u);
  EXPECT_EQ(json["levels"][0]["skipped"], 24);
  EXPECT_EQ(json["levels"][0]["passed"], 0);
}

}  // namespace
}  // namespace loom::test
