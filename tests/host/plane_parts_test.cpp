#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/geometry/plane_partition.h"
#include "compute/geometry/plane_program.h"

namespace loom {
namespace {

/// The partition that contains a group.
std::uint32_t part_with(const std::vector<GroupRange>& parts, std::uint32_t group) {
  std::uint32_t part = 0;
  while (group - parts[part].first >= parts[part].groups) ++part;
  return part;
}
/// The neighbour of a group in one direction, by coordinates in the bounding box of groups; -1 if none.
std::int64_t group_beside(const BitPlanes& whole, std::uint32_t group, int direction) {
  const int levels = whole.level - whole.split.plane_levels - whole.split.bit_levels;
  const PlainNeighbour next = plain_neighbour(whole.shape, levels, group, direction);
  return next.leaves == kDirections ? next.digits : -1;
}

class PlaneParts : public testing::TestWithParam<int> {
 protected:
  const NbbFractal& fractal() const { return catalog()[static_cast<std::size_t>(GetParam())]; }
  /// The lowest level with at least 200 groups.
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
      const std::vector<GroupRange> parts = partition_groups(planes, count, unit);
      ASSERT_EQ(parts.size(), count);
      std::uint32_t next = 0;
      for (const GroupRange& part : parts) {
        EXPECT_EQ(part.first, next);
        EXPECT_EQ(part.first % unit, 0u);
        EXPECT_NEAR(part.groups, planes.groups / count, unit + 1);
        next += part.groups;
      }
      EXPECT_EQ(next, planes.groups);
    }
  }
  EXPECT_THROW(partition_groups(planes, 0, 1), InputError);
  EXPECT_THROW(partition_groups(planes, planes.groups + 1, 1), InputError);
  EXPECT_NO_THROW(partition_groups(planes, planes.groups, 1));
}

// The expected halos come from visiting all groups by coordinates; the search under test visits only groups
// at partition boundaries.
TEST_P(PlaneParts, TheRimIsWhatLiesBesideOthers) {
  const BitPlanes planes = whole();
  const std::uint32_t slots = planes.groups_in_word;
  const std::uint32_t occur = directions_that_occur(planes.shape);
  for (const std::uint32_t count : {1u, 2u, 3u, 7u}) {
    const std::vector<GroupRange> parts = partition_groups(planes, count, slots);
    std::vector<PlaneBoundary> rims;
    for (std::uint32_t part = 0; part < count; ++part)
      rims.push_back(make_plane_boundary(planes, parts, part));
    for (std::uint32_t part = 0; part < count; ++part) {
      const PlaneBoundary& boundary = rims[part];
      const GroupRange range = parts[part];
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
      ASSERT_EQ(std::vector<std::uint32_t>(expected_rim.begin(), expected_rim.end()), boundary.boundary);
      ASSERT_EQ(std::vector<std::uint32_t>(expected_copies.begin(), expected_copies.end()), boundary.copies);
      EXPECT_EQ(boundary.boundary.empty(), count == 1 || occur == 0);
      EXPECT_EQ(boundary.first_copy % BitPlanes::kInterleave, 0u);
      EXPECT_GE(boundary.first_copy, part_of(planes, range).threads());

      for (int d = 0; d < kDirections; ++d) {
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
          for (std::size_t i = 0; i < boundary.boundary.size(); ++i) {
            const std::uint32_t group = boundary.boundary[i] * slots + slot;
            const std::uint32_t found =
                boundary.beside[(static_cast<std::size_t>(d) * slots + slot) * boundary.listed.size() + i];
            const std::int64_t beside =
                group < range.groups && (occur >> d & 1u) ? group_beside(planes, group + range.first, d) : -1;
            if (beside < 0) {
              ASSERT_EQ(found, ~0u);
            } else if (found < range.groups) {
              ASSERT_EQ(found + range.first, beside);
            } else {
              const std::uint32_t copy = found / slots - boundary.first_copy;
              ASSERT_LT(copy, boundary.copies.size());
              ASSERT_EQ(boundary.copies[copy] * slots + found % slots, beside);
            }
          }
        }
      }
      // Each partition receives what the others send, in the same order.
      std::uint32_t sent = 0;
      for (const PlaneBoundary::Segment& from : boundary.received_from) {
        EXPECT_EQ(from.first, sent);
        sent += from.count;
        const PlaneBoundary& other = rims[from.part];
        const auto to = std::find_if(other.sent_to.begin(), other.sent_to.end(),
                                     [&](const PlaneBoundary::Segment& one) { return one.part == part; });
        ASSERT_NE(to, other.sent_to.end());
        ASSERT_EQ(to->count, from.count);
        for (std::uint32_t i = 0; i < from.count; ++i) {
          EXPECT_EQ(other.boundary[other.sent[to->first + i]] + parts[from.part].first / slots,
                    boundary.copies[from.first + i]);
        }
      }
      EXPECT_EQ(sent, boundary.copies.size());
    }
  }
}

// `listed` holds the boundary words first, then their neighbours. The neighbours of listed words are the same
// groups as in the whole.
TEST_P(PlaneParts, WhatTheRimDependsOnIsListed) {
  const BitPlanes planes = whole();
  const std::uint32_t slots = planes.groups_in_word;
  const std::uint32_t occur = directions_that_occur(planes.shape);
  for (const std::uint32_t count : {2u, 3u, 7u}) {
    const std::vector<GroupRange> parts = partition_groups(planes, count, slots);
    for (std::uint32_t part = 0; part < count; ++part) {
      const PlaneBoundary boundary = make_plane_boundary(planes, parts, part);
      const std::size_t size = boundary.listed.size();
      std::set<std::uint32_t> words;  // word indices in the whole
      const auto in_whole = [&](std::uint32_t thread) {
        return thread < boundary.first_copy ? thread + parts[part].first / slots
                                            : boundary.copies[thread - boundary.first_copy];
      };
      for (const std::uint32_t thread : boundary.listed) words.insert(in_whole(thread));
      ASSERT_EQ(words.size(), size) << "a word is listed more than once";
      ASSERT_TRUE(std::equal(boundary.boundary.begin(), boundary.boundary.end(), boundary.listed.begin()));
      for (std::size_t i = 0; i < size; ++i) {
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
          const std::uint32_t group = in_whole(boundary.listed[i]) * slots + slot;
          ASSERT_EQ(slot < boundary.groups_listed[i], group < planes.groups);
          for (int d = 0; d < kDirections; ++d) {
            const std::int64_t beside =
                group < planes.groups && (occur >> d & 1u) ? group_beside(planes, group, d) : -1;
            const bool listed = beside >= 0 && words.contains(static_cast<std::uint32_t>(beside) / slots);
            const std::size_t at = (static_cast<std::size_t>(d) * slots + slot) * size + i;
            if (i < boundary.boundary.size()) {
              ASSERT_EQ(listed, beside >= 0);
            }
            ASSERT_EQ(boundary.listed_neighbours[at] != ~0u, listed);
            if (!listed) continue;
            ASSERT_EQ(in_whole(boundary.listed[boundary.listed_neighbours[at] / slots]) * slots +
                          boundary.listed_neighbours[at] % slots,
                      beside);
            ASSERT_EQ(in_whole(boundary.beside[at] / slots) * slots + boundary.beside[at] % slots, beside);
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
  const std::vector<GroupRange> parts = partition_groups(planes, shares);
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
  EXPECT_THROW(partition_groups(planes, std::vector<std::uint32_t>{1, 1'000'000'000}), InputError);
  EXPECT_THROW(partition_groups(planes, std::vector<std::uint32_t>{1, 0}), InputError);
}

TEST_P(PlaneParts, OfALargeLevelOnlyTheCutIsLookedAt) {
  int level = 1;
  while (make_bit_planes(fractal().shape(), level).groups < 10'000'000) ++level;
  const BitPlanes planes = make_bit_planes(fractal().shape(), level);
  const PlaneBoundary boundary =
      make_plane_boundary(planes, partition_groups(planes, 2, planes.groups_in_word), 1);
  EXPECT_LT(boundary.boundary.size(), 40'000u) << planes.groups;
}

INSTANTIATE_TEST_SUITE_P(Catalog, PlaneParts, testing::Range(0, static_cast<int>(catalog().size())));

}  // namespace
}  // namespace loom
