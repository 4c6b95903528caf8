#include <gtest/gtest.h>

#include <set>

#include "app/patterns/pattern.h"
#include "compute/check/reference_life.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app::patterns {
namespace {

/// A bundled pattern that runs on the reference implementation.
class Played {
 public:
  explicit Played(const BundledPattern& bundled)
      : rule_(bundled.pattern.rule.value()),
        life_(find_fractal(bundled.target.fractal), bundled.target.level) {
    const Coord<std::int64_t> at = bundled.pattern.at.value();
    for (std::uint64_t i = 0; i < life_.cell_count(); ++i) {
      const Coord64 place = life_.place(i);
      for (const Coord32& cell : bundled.pattern.cells) {
        const bool here = place.x == static_cast<std::uint64_t>(at.x) + cell.x &&
                          place.y == static_cast<std::uint64_t>(at.y) + cell.y;
        if (!here) continue;
        life_.set(i, true);
        ++placed_;
      }
    }
  }
  std::uint64_t placed_cells() const { return placed_; }
  void step(std::uint64_t generations) { life_.step(static_cast<std::uint32_t>(generations), rule_); }
  std::vector<std::uint8_t> cells() const { return life_.cells(); }
  std::uint64_t population() const { return life_.census().population; }

 private:
  LifeRule rule_;
  ReferenceLife life_;
  std::uint64_t placed_ = 0;
};

TEST(Bundled, EachDoesWhatItSays) {
  for (const BundledPattern& one : bundled_patterns()) {
    SCOPED_TRACE(one.name);
    ASSERT_TRUE(one.pattern.rule);
    Played played(one);
    EXPECT_EQ(played.placed_cells(), one.pattern.cells.size()) << "some cells fall on holes";
    std::vector<std::uint8_t> before;
    for (std::uint64_t g = 0; g < one.outcome.settles; ++g) {
      if (g + 1 == one.outcome.settles) before = played.cells();
      if (one.outcome.dies) {
        EXPECT_GT(played.population(), 0u);
      }
      played.step(1);
    }
    if (one.outcome.dies) {
      EXPECT_EQ(played.population(), 0u);
      continue;
    }
    EXPECT_GT(played.population(), 0u);
    const std::vector<std::uint8_t> first = played.cells();
    for (std::uint64_t g = 1; g < one.outcome.period; ++g) {
      played.step(1);
      ASSERT_NE(played.cells(), first) << "the period is only" << g;
    }
    if (one.outcome.settles > 0) {
      EXPECT_NE(played.cells(), before) << "the pattern settles earlier";
    }
    played.step(1);
    EXPECT_EQ(played.cells(), first);
  }
}

TEST(Bundled, ThereAreManyOfEachKind) {
  std::set<std::string> fractals;
  int still = 0;
  int oscillators = 0;
  int long_lived = 0;
  for (const BundledPattern& one : bundled_patterns()) {
    fractals.insert(one.target.fractal);
    const bool lives = one.outcome.settles > 100;
    ++(lives ? long_lived : one.outcome.period > 1 ? oscillators : still);
    EXPECT_EQ(&find_bundled_pattern(one.name), &one);
    EXPECT_FALSE(one.pattern.name.empty()) << one.name;
  }
  EXPECT_GE(bundled_patterns().size(), 12u);
  EXPECT_EQ(fractals.size(), catalog().size());
  EXPECT_GE(still, 1);
  EXPECT_GE(oscillators, 8);
  EXPECT_GE(long_lived, 3);
}

TEST(Bundled, ReadsWhatAPatternDoes) {
  EXPECT_EQ(parse_outcome("still").value().words(), "still life");
  EXPECT_EQ(parse_outcome("period 6").value().words(), "period 6");
  EXPECT_EQ(parse_outcome("settles after 287, period 2").value().words(),
            "has period 2 after 287 generations");
  EXPECT_EQ(parse_outcome("settles after 317, period 1").value().words(), "stable after 317 generations");
  EXPECT_EQ(parse_outcome("dies after 57").value().words(), "dies after 57 generations");
  for (const char* text : {"", "period", "period x", "period 0", "settles after 3", "period 6 or so"})
    EXPECT_FALSE(parse_outcome(text)) << text;
}

TEST(Bundled, AnUnknownNameListsThem) {
  try {
    find_pattern("no-such");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("gasket-seven"), std::string::npos);
  }
}

}  // namespace
}  // namespace loom::app::patterns
