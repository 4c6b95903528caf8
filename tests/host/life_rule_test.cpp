#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "compute/core/error.h"
#include "compute/workload/random_start.h"
#include "compute/workload/rule_text.h"

namespace loom {
namespace {

TEST(LifeRule, ParsesAndPrints) {
  for (const char* text : {"B2/S23", "B3/S23", "B/S", "B012345678/S012345678", "B36/S23", "B3/S"}) {
    EXPECT_EQ(to_string(parse_rule(text)), text);
  }
  EXPECT_EQ(to_string(parse_rule("b3/s32")), "B3/S23");
  EXPECT_EQ(parse_rule("B2/S23"), LifeRule{});
}

TEST(LifeRule, ReadsRulesAsPeopleWriteThem) {
  for (const char* text :
       {"B3/S23", "b3s23", "B3 S23", " B3/S23 ", "S23/B3", "s32b3", "23/3", "32 / 3", "Conway", "life",
        "Conway's Life", "GAME OF LIFE", "\tb3/ s23\n", "B3/S23:T64,64", "23/3:P20+3,10", "Life:K40*,20"}) {
    EXPECT_EQ(to_string(parse_rule(text)), "B3/S23") << text;
  }
  EXPECT_EQ(to_string(parse_rule("/2")), "B2/S");  // Seeds, in survival/birth notation
  EXPECT_EQ(to_string(parse_rule("1/")), "B/S1");
  EXPECT_EQ(to_string(parse_rule("high life")), "B36/S23");
  EXPECT_EQ(to_string(parse_rule("Day and Night")), "B3678/S34678");
  EXPECT_EQ(to_string(parse_rule("2X2")), "B36/S125");
  // As in LifeWiki's list of Life-like rules.
  EXPECT_EQ(to_string(parse_rule("Move")), "B368/S245");
  EXPECT_EQ(to_string(parse_rule("Amoeba")), "B357/S1358");
  EXPECT_EQ(to_string(parse_rule("Long Life")), "B345/S5");
  EXPECT_EQ(to_string(parse_rule("Stains")), "B3678/S235678");
  EXPECT_EQ(to_string(parse_rule("Flock")), "B3/S12");
}

TEST(LifeRule, EveryNameIsReadAndGivenBack) {
  for (const NamedRule& named : named_rules()) {
    EXPECT_EQ(to_string(parse_rule(named.name)), named.rule);
    EXPECT_EQ(name_of(parse_rule(named.rule)), named.name);
  }
  EXPECT_EQ(name_of(parse_rule("B17/S0458")), "");
}

TEST(LifeRule, RejectsOtherText) {
  for (const char* text : {"", " ", "/", "B", "B3", "S23", "B3/", "B9/S23", "9/3", "B3/S2a", "B3//S23",
                           "B3/B23", "23", "B3/S23x", "Conwayy", "B2-a/S12", "B3/S23:", "B3/S23:x"}) {
    EXPECT_THROW(parse_rule(text), InputError) << text;
  }
}

TEST(LifeRule, OfSeveralStatesIsReadInEveryNotation) {
  for (const char* text : {"B2/S345/C4", "345/2/4", "b2s345/c4", "S345/B2/C4", "B2/S345/4", "B2/S345/G4",
                           " 345 / 2 / C4 ", "Star Wars", "345/2/4:T64,64"}) {
    const LifeRule rule = parse_rule(text);
    EXPECT_EQ(rule.states, 4) << text;
    EXPECT_EQ(to_string(rule), "B2/S345/C4") << text;
  }
  EXPECT_EQ(to_string(parse_rule("/2/3")), "B2/S/C3");
  EXPECT_EQ(name_of(parse_rule("/2/3")), "Brian's Brain");
  EXPECT_EQ(parse_rule("B3/S23/C2"), parse_rule("Conway"));
  EXPECT_EQ(parse_rule("23/3/2"), parse_rule("Conway"));
  EXPECT_EQ(parse_rule("B/S/C255").states, 255);
  EXPECT_EQ(to_string(parse_solid_rule("B4/S4..6/C5")), "B4/S4..6/C5");
  EXPECT_EQ(parse_solid_rule("B4/S4/C2"), parse_solid_rule("B4/S4"));
  for (const char* text :
       {"B2/S345/C256", "B2/S345/C1", "345/2/0", "B2/S345/C99999999999", "345/2/1", "B2/S345/C4294967298"}) {
    try {
      parse_rule(text);
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("states; allowed: 2 to 255"), std::string::npos)
          << error.what();
    }
  }
  for (const char* text : {"B2/S345/C", "B2/S345/C4/C4", "B2/S345/x4", "345/2/4/5", "B2/S345C4", "B2/C4"})
    EXPECT_THROW(parse_rule(text), InputError) << text;
  EXPECT_THROW(parse_solid_rule("B4/S4/C256"), InputError);
  EXPECT_THROW(parse_solid_rule("5766/C4"), InputError);
}

TEST(LifeRule, OfLargerThanLifeIsReadAndWritten) {
  const LifeRule bugs = parse_rule("R5,C0,M1,S34..58,B34..45,NM");
  EXPECT_EQ(bugs.states, 2);
  EXPECT_EQ(bugs.larger.radius, 5);
  EXPECT_TRUE(bugs.larger.middle);
  EXPECT_EQ(bugs.larger.area(), 121u);
  for (const char* text :
       {"r5, c2, m1, s34..58, b34..45, nm", "R5,C1,M1,S34..58,B34..45,NM:T200,200", "Bugs"})
    EXPECT_EQ(parse_rule(text), bugs) << text;
  EXPECT_EQ(name_of(bugs), "Bugs");
  // The cells of Golly's neighbourhoods: (2R + 1)^2; 2R^2 + 2R + 1; counted by hand for the circle of
  // radius 2.
  EXPECT_EQ(parse_rule("R16,C0,M1,S0..1089,B1..1089,NM").larger.area(), 1089u);
  EXPECT_EQ(parse_rule("R16,C0,M1,S0..545,B1..545,NN").larger.area(), 545u);
  EXPECT_EQ(parse_rule("R2,C0,M1,S0..21,B1..21,NC").larger.area(), 21u);
  for (const char* text : {"R1,C0,M0,S2..3,B3..3,NM", "R16,C255,M1,S0..1089,B0..0,NM",
                           "R3,C3,M0,S1..2,B3..4,NN", "R2,C0,M1,S21..21,B20..21,NC"})
    EXPECT_EQ(to_string(parse_rule(text)), text);
  EXPECT_THROW(parse_solid_rule("R5,C0,M1,S34..58,B34..45,NM"), InputError);
}

TEST(LifeRule, OfLargerThanLifeIsRefusedWithWhatIsAllowed) {
  const std::pair<const char*, const char*> refused[] = {
      {"R17,C0,M1,S34..58,B34..45,NM", "has the radius 17; allowed: 1 to 16"},
      {"R0,C0,M1,S34..58,B34..45,NM", "has the radius 0; allowed: 1 to 16"},
      {"R5,C256,M1,S34..58,B34..45,NM", "has the number of states 256; allowed: 0 to 255"},
      {"R5,C0,M2,S34..58,B34..45,NM", "has the middle 2; allowed: 0 to 1"},
      {"R5,C0,M1,S58..34,B34..45,NM", "has the empty range 58..34; allowed"},
      {"R5,C0,M1,S34..122,B34..45,NM", "allowed: 0 to 121"},
      {"R5,C0,M0,S34..58,B34..121,NM", "allowed: 0 to 120"},
      {"R5,C0,M1,S34..62,B34..45,NN", "allowed: 0 to 61"},
      {"R5,C0,M1,S34..58,B34..45,NX", "allowed: NM (box), NN (diamond), NC (circle)"},
      {"R5,C0,M1,S34..58", "as in R5,C0,M1,S34..58,B34..45,NM"},
      {"R5,C0,M1,S34..99999999999,B34..45,NM", "has the count 99999999999; allowed: 0 to 1089"}};
  for (const auto& [text, words] : refused) {
    try {
      parse_rule(text);
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  }
}

// By Golly's definition, written out for B2/S345/C4.
TEST(LifeRule, RefractoryStatesGoOnByOne) {
  const LifeRule rule = parse_rule("B2/S345/C4");
  for (std::uint32_t n = 0; n <= 8; ++n) {
    EXPECT_EQ(next_state(rule, 0, n), n == 2 ? 1 : 0) << n;
    EXPECT_EQ(next_state(rule, 1, n), n >= 3 && n <= 5 ? 1 : 2) << n;
    EXPECT_EQ(next_state(rule, 2, n), 3) << n;
    EXPECT_EQ(next_state(rule, 3, n), 0) << n;
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
