#include "compute/geometry/plane_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/geometry/plane_program.h"

namespace loom {
namespace {

/// The part that a group of the whole belongs to.
std::uint32_t part_with(const std::vector<PlaneRange>& parts, std::uint32_t group) {
  std::uint32_t part = 0;
  while (group - parts[part].first >= parts[part].groups) ++part;
  return part;
}
/// The groups beside a group, by coordinates in the plain square of groups.
std::int64_t group_beside(const BitPlanes& whole, std::uint32_t group, int direction) {
  const int levels = whole.level - whole.split.plane_levels - whole.split.bit_levels;
  const PlainNeighbour next = plain_neighbour(whole.shape, levels, group, direction);
  return next.leaves == kDirections ? next.digits : -1;
}

class PlaneParts : public testing::TestWithParam<int> {
 protected:
  const NbbFractal& fractal() const { return catalog()[static_cast<std::size_t>(GetParam())]; }
  /// Levels with some hundred to some ten thousand groups.
  BitPlanes whole() const {
    int level = 1;
    while (make_bit_planes(fractal().shape(), level).groups < 200) ++level;
    return make_bit_planes(fractal().shape(), level);
  }
};

TEST_P(PlaneParts, EveryGroupIsInOnePartAndPartsAreAlike) {
  const BitPlanes planes = whole();
  for (const std::uint32_t unit : {1u, 2u, 8u}) {
    for (std::uint32_t count = 1; count <= 9; ++count) {
      const std::vector<PlaneRange> parts = deal_groups(planes, count, unit);
      ASSERT_EQ(parts.size(), count);
      std::uint32_t next = 0;
      for (const PlaneRange& part : parts) {
        EXPECT_EQ(part.first, next);
        EXPECT_EQ(part.first % unit, 0u);
        EXPECT_NEAR(part.groups, planes.groups / count, unit + 1);
        next += part.groups;
      }
      EXPECT_EQ(next, planes.groups);
    }
  }
  EXPECT_THROW(deal_groups(planes, 0, 1), InputError);
  EXPECT_THROW(deal_groups(planes, planes.groups + 1, 1), InputError);
  EXPECT_NO_THROW(deal_groups(planes, planes.groups, 1));
}

// All groups are looked at here, by coordinates; the search under test looks at none but those at cuts.
TEST_P(PlaneParts, TheRimIsWhatLiesBesideOthers) {
  const BitPlanes planes = whole();
  const std::uint32_t slots = planes.groups_in_word;
  const std::uint32_t occur = directions_that_occur(planes.shape);
  for (const std::uint32_t count : {1u, 2u, 3u, 7u}) {
    const std::vector<PlaneRange> parts = deal_groups(planes, count, slots);
    std::vector<PartRim> rims;
    for (std::uint32_t part = 0; part < count; ++part) rims.push_back(make_part_rim(planes, parts, part));
    for (std::uint32_t part = 0; part < count; ++part) {
      const PartRim& rim = rims[part];
      const PlaneRange range = parts[part];
      std::set<std::uint32_t> expected_rim;
      std::set<std::uint32_t> expected_copies;
      for (std::uint32_t group = range.first; group < range.first + range.groups; ++group) {
        for (int d = 0; d < kDirections; ++d) {
          if (!(occur >> d & 1u)) continue;
          const std::int64_t beside = group_beside(planes, group, d);
          if (beside < 0 || part_with(parts, static_cast<std::uint32_t>(beside)) == part) continue;
          expected_rim.insert((group - range.first) / slots);
          expected_copies.insert(static_cast<std::uint32_t>(beside) / slots);
        }
      }
      ASSERT_EQ(std::vector<std::uint32_t>(expected_rim.begin(), expected_rim.end()), rim.rim);
      ASSERT_EQ(std::vector<std::uint32_t>(expected_copies.begin(), expected_copies.end()), rim.copies);
      EXPECT_EQ(rim.rim.empty(), count == 1 || occur == 0);
      EXPECT_EQ(rim.first_copy % BitPlanes::kTogether, 0u);
      EXPECT_GE(rim.first_copy, part_of(planes, range).threads());

      for (int d = 0; d < kDirections; ++d) {
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
          for (std::size_t i = 0; i < rim.rim.size(); ++i) {
            const std::uint32_t group = rim.rim[i] * slots + slot;
            const std::uint32_t found =
                rim.beside[(static_cast<std::size_t>(d) * slots + slot) * rim.listed.size() + i];
            const std::int64_t beside =
                group < range.groups && (occur >> d & 1u) ? group_beside(planes, group + range.first, d) : -1;
            if (beside < 0) {
              ASSERT_EQ(found, ~0u);
            } else if (found < range.groups) {
              ASSERT_EQ(found + range.first, beside);
            } else {
              const std::uint32_t copy = found / slots - rim.first_copy;
              ASSERT_LT(copy, rim.copies.size());
              ASSERT_EQ(rim.copies[copy] * slots + found % slots, beside);
            }
          }
        }
      }
      // What it is told is what the others tell, in the same order.
      std::uint32_t told = 0;
      for (const PartRim::Stretch& from : rim.told_by) {
        EXPECT_EQ(from.first, told);
        told += from.count;
        const PartRim& other = rims[from.part];
        const auto to = std::find_if(other.told_to.begin(), other.told_to.end(),
                                     [&](const PartRim::Stretch& one) { return one.part == part; });
        ASSERT_NE(to, other.told_to.end());
        ASSERT_EQ(to->count, from.count);
        for (std::uint32_t i = 0; i < from.count; ++i) {
          EXPECT_EQ(other.rim[other.told[to->first + i]] + parts[from.part].first / slots,
                    rim.copies[from.first + i]);
        }
      }
      EXPECT_EQ(told, rim.copies.size());
    }
  }
}

// The rim first, then what is beside it; where words lie as listed the same groups are beside each other.
TEST_P(PlaneParts, WhatTheRimDependsOnIsListed) {
  const BitPlanes planes = whole();
  const std::uint32_t slots = planes.groups_in_word;
  const std::uint32_t occur = directions_that_occur(planes.shape);
  for (const std::uint32_t count : {2u, 3u, 7u}) {
    const std::vector<PlaneRange> parts = deal_groups(planes, count, slots);
    for (std::uint32_t part = 0; part < count; ++part) {
      const PartRim rim = make_part_rim(planes, parts, part);
      const std::size_t size = rim.listed.size();
      std::set<std::uint32_t> words;  // numbered as in the whole
      const auto in_whole = [&](std::uint32_t thread) {
        return thread < rim.first_copy ? thread + parts[part].first / slots
                                       : rim.copies[thread - rim.first_copy];
      };
      for (const std::uint32_t thread : rim.listed) words.insert(in_whole(thread));
      ASSERT_EQ(words.size(), size) << "each once";
      ASSERT_TRUE(std::equal(rim.rim.begin(), rim.rim.end(), rim.listed.begin()));
      for (std::size_t i = 0; i < size; ++i) {
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
          const std::uint32_t group = in_whole(rim.listed[i]) * slots + slot;
          ASSERT_EQ(slot < rim.groups_listed[i], group < planes.groups);
          for (int d = 0; d < kDirections; ++d) {
            const std::int64_t beside =
                group < planes.groups && (occur >> d & 1u) ? group_beside(planes, group, d) : -1;
            const bool listed = beside >= 0 && words.contains(static_cast<std::uint32_t>(beside) / slots);
            const std::size_t at = (static_cast<std::size_t>(d) * slots + slot) * size + i;
            if (i < rim.rim.size()) {
              ASSERT_EQ(listed, beside >= 0);
            }
            ASSERT_EQ(rim.beside_listed[at] != ~0u, listed);
            if (!listed) continue;
            ASSERT_EQ(
                in_whole(rim.listed[rim.beside_listed[at] / slots]) * slots + rim.beside_listed[at] % slots,
                beside);
            ASSERT_EQ(in_whole(rim.beside[at] / slots) * slots + rim.beside[at] % slots, beside);
          }
        }
      }
    }
  }
}

TEST_P(PlaneParts, SharesAreKeptAndWholeReplicasWhereThereAreMany) {
  int level = 1;
  while (make_bit_planes(fractal().shape(), level).groups < 100'000) ++level;
  const BitPlanes planes = make_bit_planes(fractal().shape(), level);
  const std::vector<std::uint32_t> shares = {5, 4, 1};
  const std::vector<PlaneRange> parts = deal_groups(planes, shares);
  std::uint32_t next = 0;
  for (std::size_t part = 0; part < shares.size(); ++part) {
    EXPECT_EQ(parts[part].first, next);
    EXPECT_NEAR(parts[part].groups, planes.groups * shares[part] / 10.0, planes.groups / 32.0);
    if (planes.groups_in_word == 1) {
      EXPECT_EQ(parts[part].groups % planes.shape.k, 0u);
    }
    next += parts[part].groups;
  }
  EXPECT_EQ(next, planes.groups);
  EXPECT_THROW(deal_groups(planes, std::vector<std::uint32_t>{1, 1'000'000'000}), InputError);
  EXPECT_THROW(deal_groups(planes, std::vector<std::uint32_t>{1, 0}), InputError);
}

TEST_P(PlaneParts, OfALargeLevelOnlyTheCutIsLookedAt) {
  int level = 1;
  while (make_bit_planes(fractal().shape(), level).groups < 10'000'000) ++level;
  const BitPlanes planes = make_bit_planes(fractal().shape(), level);
  const PartRim rim = make_part_rim(planes, deal_groups(planes, 2, planes.groups_in_word), 1);
  EXPECT_LT(rim.rim.size(), 40'000u) << planes.groups;
}

INSTANTIATE_TEST_SUITE_P(Catalog, PlaneParts, testing::Range(0, static_cast<int>(catalog().size())));

}  // namespace
}  // namespace loom
