#include <gtest/gtest.h>

#include <cmath>

#include "compute/core/error.h"
#include "compute/workload/game_of_life.h"
#include "compute/workload/random_start.h"

namespace loom {
namespace {

TEST(LifeRule, ParsesAndPrints) {
  for (const char* text : {"B2/S23", "B3/S23", "B/S", "B012345678/S012345678", "B36/S23", "B3/S"}) {
    EXPECT_EQ(to_string(parse_rule(text)), text);
  }
  EXPECT_EQ(to_string(parse_rule("b3/s32")), "B3/S23");
  EXPECT_EQ(parse_rule("B2/S23"), LifeRule{});
}

TEST(LifeRule, RejectsOtherText) {
  for (const char* text :
       {"", "B", "B3", "B3/", "B3S23", "3/23", "B9/S23", "B3/S23 ", "S23/B3", "B3/S2a", "B3//S23"}) {
    EXPECT_THROW(parse_rule(text), InputError) << text;
  }
}

TEST(LifeRule, NextStateFollowsTheLists) {
  const LifeRule rule = parse_rule("B36/S125");
  for (std::uint32_t n = 0; n <= 8; ++n) {
    EXPECT_EQ(next_state(rule, 0, n), n == 3 || n == 6) << n;
    EXPECT_EQ(next_state(rule, 1, n), n == 1 || n == 2 || n == 5) << n;
  }
}

TEST(RandomStart, ThresholdComparesAsTheFraction) {
  for (double density : {0.0, 1e-300, 0.1, 0.25, 0.4, 0.5, 1.0 / 3, std::nextafter(1.0, 0.0), 1.0}) {
    const std::uint64_t threshold = density_threshold(density);
    for (std::uint64_t around : {std::uint64_t{0}, std::uint64_t{1}, threshold - 1, threshold, threshold + 1,
                                 (std::uint64_t{1} << 53) - 1}) {
      const std::uint64_t u = around & ((std::uint64_t{1} << 53) - 1);
      EXPECT_EQ(u < threshold, static_cast<double>(u) * 0x1p-53 < density) << density << " " << u;
    }
  }
}

}  // namespace
}  // namespace loom
