#include <gtest/gtest.h>

#include "app/workspaces/life/panels/life_panels.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

TEST(RuleSliders, EveryRadiusOfARuleIsARule) {
  for (const char* const text :
       {"R5,C0,M1,S34..58,B34..45,NM", "R1,C3,M0,S0..8,B8..8,NM", "R16,C0,M1,S0..1089,B1..1,NM",
        "R7,C8,M0,S20..55,B30..53,NN", "R3,C24,M1,S5..29,B4..28,NC"}) {
    LifeRule rule = parse_rule(text);
    const LargerThanLife from = rule.larger;
    for (std::uint32_t radius = 1; radius <= LargerThanLife::kMaxRadius; ++radius) {
      rule.larger = with_radius(from, radius);
      EXPECT_EQ(rule.larger.radius, radius);
      EXPECT_EQ(parse_rule(to_string(rule)), rule) << text;
    }
    EXPECT_EQ(with_radius(from, from.radius), from);
  }
}

TEST(RuleSliders, RangesStayTheSamePartsOfTheNeighbours) {
  const LargerThanLife bugs = parse_rule("Bugs").larger;
  const LargerThanLife wider = with_radius(bugs, 10);  // 441 in place of 121 cells
  EXPECT_EQ(wider.survival.first, 124);
  EXPECT_EQ(wider.survival.last, 211);
  EXPECT_EQ(wider.birth.first, 124);
  EXPECT_EQ(wider.birth.last, 164);
}

}  // namespace
}  // namespace loom::app
