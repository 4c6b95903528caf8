#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/bench/axes.h"
#include "app/bench/merge.h"
#include "compute/core/error.h"

namespace loom::app::bench {
namespace {

std::string refused_shard(const std::string& text) {
  try {
    parse_shard(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Shard, IsANumberOfANumber) {
  EXPECT_EQ(parse_shard("2/3"), (Shard{2, 3}));
  EXPECT_EQ(parse_shard("1/1"), (Shard{1, 1}));
  EXPECT_EQ(parse_shard("1000000/1000000"), (Shard{1'000'000, 1'000'000}));
  for (const char* text : {"", "2", "/", "2/", "a/b", "1/3/4", "1/3 ", "1/+3", "1/0", "0/0", "1/1000001",
                           "1/99999999999999999999"}) {
    EXPECT_NE(refused_shard(text).find("allowed: K/N with K from 1 to N and N from 1 to 1000000"),
              std::string::npos)
        << text << ": " << refused_shard(text);
  }
  for (const char* text : {"0/3", "4/3", "x/3", "/3", "+1/3", " 1/3", "1.5/3", "-1/3", "99999999999/3"}) {
    EXPECT_NE(refused_shard(text).find("allowed: 1/3 to 3/3"), std::string::npos)
        << text << ": " << refused_shard(text);
  }
}

TEST(Shard, NeedsAConfigurationForEach) {
  EXPECT_EQ(one_shard({3, 3}, 3), (Shards{3, {3}, 3}));
  try {
    one_shard({1, 4}, 3);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("allowed: N from 1 to 3"), std::string::npos) << error.what();
  }
}

TEST(Deal, GivesEachShardOneOfEveryRound) {
  for (const std::uint32_t of : {1u, 2u, 3u, 7u, 100u}) {
    const std::size_t count = 100;
    const auto numbers = assign_shards(of, count);
    ASSERT_EQ(numbers.size(), count);
    for (std::size_t begin = 0; begin < count; begin += of) {
      const std::size_t end = std::min<std::size_t>(begin + of, count);
      const std::set<std::uint32_t> round(&numbers[begin], &numbers[0] + end);
      EXPECT_EQ(round.size(), end - begin) << of << " at " << begin;
      EXPECT_GE(*round.begin(), 1u);
      EXPECT_LE(*round.rbegin(), of);
    }
  }
}

// Existing result files can be merged only while this assignment does not change.
TEST(Deal, IsPinned) {
  EXPECT_EQ(assign_shards(3, 12), (std::vector<std::uint32_t>{1, 3, 2, 2, 1, 3, 1, 3, 2, 2, 3, 1}));
  EXPECT_EQ(assign_shards(2, 8), (std::vector<std::uint32_t>{1, 2, 1, 2, 2, 1, 1, 2}));
}

// Round-robin assignment would give each of N shards a single value of an axis with N values.
TEST(Deal, DoesNotFollowAnAxisThatComesRound) {
  for (const std::uint32_t of : {2u, 3u, 4u, 6u, 8u}) {
    for (const std::uint32_t period : {2u, 3u, 4u, 6u, 8u, 12u}) {
      const auto numbers = assign_shards(of, 2400 * period);
      std::vector<std::vector<int>> seen(of + 1, std::vector<int>(period));
      for (std::size_t i = 0; i < numbers.size(); ++i) ++seen[numbers[i]][i % period];
      for (std::uint32_t shard = 1; shard <= of; ++shard) {
        for (std::uint32_t value = 0; value < period; ++value) {
          const double fair = 2400.0 / of;
          EXPECT_GT(seen[shard][value], 0.8 * fair)
              << shard << " of " << of << ", " << value << " of " << period;
          EXPECT_LT(seen[shard][value], 1.2 * fair)
              << shard << " of " << of << ", " << value << " of " << period;
        }
      }
    }
  }
}

TEST(Deal, SharesAreOfAllCasesTogetherAndDifferByOneAtMost) {
  AxisTexts texts = default_axes(SweepKind::kMaps);
  texts["level"] = "0..4";
  texts["backend"] = "cpu";
  const auto cases = expand(parse_axes(SweepKind::kMaps, texts, {}));
  for (const std::uint32_t of : {2u, 5u, static_cast<std::uint32_t>(cases.size())}) {
    std::vector<std::size_t> sizes;
    std::multiset<std::string> names;
    std::multiset<std::string> dealt_names;
    const auto name = [](const Case& one) { return long_text(describe(one)); };
    for (std::uint32_t number = 1; number <= of; ++number) {
      const Shards shards = one_shard({number, of}, cases.size());
      const auto mine = select_shards(cases, shards);
      EXPECT_EQ(mine.size(), total_shard_size(shards));
      EXPECT_EQ(mine.size(), shard_sizes(shards)[number]);
      sizes.push_back(mine.size());
      for (const Case& one : mine) {
        EXPECT_EQ(std::get<MapCase>(one).shard, number);
        dealt_names.insert(name(one));
      }
    }
    for (const Case& one : cases) names.insert(name(one));
    EXPECT_EQ(dealt_names, names);
    EXPECT_LE(*std::max_element(sizes.begin(), sizes.end()),
              *std::min_element(sizes.begin(), sizes.end()) + 1);
  }
  EXPECT_THROW(select_shards(cases, {2, {1}, cases.size() + 1}), InputError);
}

TEST(Shards, AreSaidInWords) {
  EXPECT_EQ(to_string(Shards{3, {1, 3}, 30}), "2 of 3 shards; missing: 2/3");
  EXPECT_EQ(to_string(Shards{3, {1, 2, 3}, 30}), "3 shards");
  EXPECT_EQ(to_string(Shards{1, {1}, 30}), "1 shard");
  EXPECT_EQ(to_string(Shards{1000, {1}, 3000}),
            "1 of 1000 shards; missing: 2/1000, 3/1000, 4/1000, 5/1000, 6/1000, 7/1000, 8/1000, 9/1000 and "
            "991 more");
}

}  // namespace
}  // namespace loom::app::bench
