#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>

#include "app/explain/map_steps.h"
#include "by_arithmetic.h"
#include "compute/core/error.h"
#include "configurations.h"

namespace loom::app::explain {
namespace {

/// Checks that the groups cover every level exactly once.
template <typename Groups>
void check_levels(const Groups& groups, int levels) {
  std::set<int> seen;
  for (const auto& group : groups) {
    for (const int mu : group.levels) RC_ASSERT(seen.insert(mu).second && mu >= 1 && mu <= levels);
  }
  RC_ASSERT(seen.size() == static_cast<std::size_t>(levels));
}

TEST(TableSteps, AreTheLookUpsOfTheEnginesTables) {
  EXPECT_TRUE(rc::check([] {
    const ThreadSpace space(tests::random_configuration());
    const int levels = space.tiled().coarse_level;
    const Coord64 omega = tests::random_omega(space);
    const TableSteps lambda = table_lambda_steps(space, omega);
    RC_ASSERT(lambda.result == tests::lambda_by(space, MapArithmetic::kLoop, omega));
    if (!lambda.lookups.empty()) RC_ASSERT(lambda.lookups.back().sum == lambda.result);
    check_levels(lambda.lookups, levels);

    const Coord64 place = tests::random_place(space, lambda.result);
    const TableSteps nu = table_nu_steps(space, place);
    const auto expected = tests::nu_by(space, MapArithmetic::kLoop, place);
    RC_ASSERT(nu.present == expected.has_value());
    if (expected) {
      RC_ASSERT(nu.result == *expected);
      if (!nu.lookups.empty()) RC_ASSERT(nu.lookups.back().sum == nu.result);
    }
    check_levels(nu.lookups, levels);
    // The number of an entry consists of digits of the coordinate; its index is its position in memory.
    Coord64 rest = place;
    for (const auto* steps : {&lambda, &nu}) {
      for (const TableLookup& read : steps->lookups) {
        RC_ASSERT(read.number.x < read.size.x && read.number.y < read.size.y);
        with_width(space.tiled(), [&]<typename Int>(Int) {
          const auto* entries = static_cast<const Coord<Int>*>(space.tables().view().arithmetic);
          if (!read.hole) RC_ASSERT(widened(entries[read.index]) == read.entry);
        });
        if (steps == &lambda) continue;
        RC_ASSERT(read.number == (Coord64{rest.x % read.size.x, rest.y % read.size.y}));
        rest = {rest.x / read.size.x, rest.y / read.size.y};
      }
    }
  }));
}

TEST(ShuffleSteps, LeaveTheSumInEveryLane) {
  EXPECT_TRUE(rc::check([] {
    const ThreadSpace space(tests::random_configuration());
    const Coord64 omega = tests::random_omega(space);
    const ShuffleSteps lambda = shuffle_lambda_steps(space, omega);
    RC_ASSERT(lambda.result == tests::lambda_by(space, MapArithmetic::kShuffle, omega));
    RC_ASSERT(lambda.rounds.size() == 5u);
    for (const Coord64& value : lambda.rounds.back().values) RC_ASSERT(value == lambda.result);
    check_levels(lambda.lanes, space.tiled().coarse_level);
    RC_ASSERT(lambda.rounds[0].values[3].x == lambda.lanes[3].value.x + lambda.lanes[19].value.x);

    const Coord64 place = tests::random_place(space, lambda.result);
    const ShuffleSteps nu = shuffle_nu_steps(space, place);
    const auto expected = tests::nu_by(space, MapArithmetic::kShuffle, place);
    RC_ASSERT(nu.present == expected.has_value());
    if (expected) RC_ASSERT(nu.result == *expected);
    check_levels(nu.lanes, space.tiled().coarse_level);
  }));
}

TEST(TableSteps, WriteTheFormulasOut) {
  const ThreadSpace space({.fractal = find_fractal("sierpinski-gasket"), .level = 7, .tile_size = 8});
  const TableSteps lambda = table_lambda_steps(space, {2, 5});
  ASSERT_EQ(lambda.lookups.size(), 2u);
  EXPECT_EQ(lambda.formula_x, "λ_x(2, 5) = 1 + 2 = 3");
  EXPECT_EQ(lambda.lookups[0].formula, "digits of levels 1, 3 of ω_x: T[2] = (1, 1)");
  EXPECT_EQ(lambda.lookups[1].formula, "digits of levels 2, 4 of ω_y: T[14] = (2, 10)");
  const TableSteps nu = table_nu_steps(space, {3, 11});
  EXPECT_EQ(nu.lookups[0].formula, "levels 1, 2, 3, 4 of the position, (3, 11): T[197] = (2, 5)");
  EXPECT_EQ(nu.formula_y, "ν_y(3, 11) = 5");
  EXPECT_EQ(table_nu_steps(space, {3, 12}).formula_x, "ν(3, 12) is undefined: its table entry marks a hole");
  EXPECT_THROW(table_lambda_steps(space, {9, 0}), InputError);
  EXPECT_THROW(shuffle_nu_steps(space, {16, 0}), InputError);
}

}  // namespace
}  // namespace loom::app::explain
