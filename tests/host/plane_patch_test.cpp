#include "compute/geometry/plane_patch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "compute/core/integer_math.h"
#include "compute/geometry/group_table.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/geometry/plane_bytes.h"
#include "compute/geometry/plane_program.h"
#include "compute/workload/life_counts.h"

namespace loom {
namespace {

/// Computes generations of Life by storage position. Cells outside `in_play` stay dead.
class CellField {
 public:
  CellField(const NbbShape& shape, int level) : cells_(small_power(shape.k, level)), neighbours_(cells_) {
    for (std::uint64_t place = 0; place < cells_; ++place) {
      for (int d = 0; d < kDirections; ++d) {
        const PlainNeighbour next = plain_neighbour(shape, level, place, d);
        if (next.digits >= 0 && next.leaves == kDirections)
          neighbours_[place].push_back(static_cast<std::uint32_t>(next.digits));
      }
    }
  }
  std::uint64_t cells() const { return cells_; }
  std::vector<std::uint8_t> next(const std::vector<std::uint8_t>& now, const std::vector<bool>& in_play,
                                 LifeRule rule) const {
    std::vector<std::uint8_t> next(cells_);
    for (std::uint64_t place = 0; place < cells_; ++place) {
      if (!in_play[place]) continue;
      std::uint32_t living = 0;
      for (const std::uint32_t at : neighbours_[place]) living += now[at];
      next[place] = next_state(rule, now[place], living);
    }
    return next;
  }

 private:
  std::uint64_t cells_;
  std::vector<std::vector<std::uint32_t>> neighbours_;
};

struct Patched {
  const char* fractal;
  int levels;
  int generations;
  std::uint32_t halo;
};
/// The halo sizes were counted by hand from pictures: the gasket touches its neighbours at three corners, one
/// of which has three other groups around it.
const Patched kPatched[] = {{"sierpinski-gasket", 2, 32, 6}, {"vicsek", 1, 32, 4},
                            {"x-fractal", 1, 32, 4},         {"chandelier", 1, 32, 4},
                            {"empty-bottles", 1, 8, 6},      {"cantor", 2, 32, 0}};

// For `generations` generations, Life on the members of a patch alone gives the same inside cells as Life on
// the whole field.
TEST(PlanePatch, WhatIsOutsideDoesNotReachTheInside) {
  for (const Patched& of : kPatched) {
    SCOPED_TRACE(of.fractal);
    const NbbShape fractal = find_fractal(of.fractal).shape();
    const PlaneSplit split = split_planes(fractal, 40);
    const int level = split.plane_levels + split.bit_levels + of.levels + (fractal.k > 4 ? 1 : 2);
    const BitPlanes planes = make_bit_planes(fractal, level);
    const PlanePatch patch = make_plane_patch(planes, of.levels, of.generations, 300);
    ASSERT_EQ(patch.inside, small_power(fractal.k, of.levels));
    EXPECT_EQ(patch.members, patch.inside + of.halo);
    EXPECT_EQ(patch.generations, of.generations);
    const GroupTable table(planes);
    const GroupNeighbours groups = table.neighbours();
    const std::uint64_t cells_of_group = planes.cells / planes.groups;

    const CellField field(planes.shape, level);
    const LifeRule rule = {.birth = 1u << 2 | 1u << 1, .survival = 1u << 2 | 1u << 3 | 1u << 4};
    std::vector<std::uint8_t> start(field.cells());
    for (std::uint64_t place = 0; place < field.cells(); ++place) start[place] = splitmix64(place) >> 40 & 1u;
    std::vector<std::uint8_t> whole = start;
    const std::vector<bool> all(field.cells(), true);
    for (int i = 0; i < of.generations; ++i) whole = field.next(whole, all, rule);

    std::vector<bool> seen(patch.members);  // in any patch; a single patch may lack some halo members
    for (std::uint32_t first = 0; first < planes.groups; first += patch.inside) {
      std::vector<std::uint32_t> members(patch.members, GroupNeighbours::kNone);
      for (std::uint32_t i = 0; i < patch.inside; ++i) members[i] = first + i;
      for (std::uint32_t i = 0; i < of.halo; ++i)
        members[patch.inside + i] = groups.beside(first + patch.halo[i].inside, patch.halo[i].direction);
      std::vector<bool> in_play(field.cells());
      bool more = false;
      for (std::uint32_t m = 0; m < patch.members; ++m) {
        if (members[m] == GroupNeighbours::kNone) continue;
        more = more || !seen[m];
        seen[m] = true;
        for (std::uint64_t i = 0; i < cells_of_group; ++i) in_play[members[m] * cells_of_group + i] = true;
        // Neighbours that are members are linked; others are not members.
        for (int d = 0; d < kDirections; ++d) {
          const std::uint16_t beside = patch.beside[static_cast<std::size_t>(d) * patch.members + m];
          const std::uint32_t group = groups.beside(members[m], d);
          if (beside != PlanePatch::kNone) {
            ASSERT_EQ(members[beside], group);
          } else if (group != GroupNeighbours::kNone) {
            ASSERT_EQ(std::count(members.begin(), members.end(), group), 0);
          }
        }
      }
      const bool at_an_end = first <= 3 * patch.inside || first + 3 * patch.inside >= planes.groups;
      if (!more && !at_an_end) continue;
      std::vector<std::uint8_t> part = start;
      for (std::uint64_t place = 0; place < field.cells(); ++place) {
        if (!in_play[place]) part[place] = 0;
      }
      for (int i = 0; i < of.generations; ++i) part = field.next(part, in_play, rule);
      const auto begin = static_cast<std::ptrdiff_t>(first * cells_of_group);
      const auto end = begin + static_cast<std::ptrdiff_t>(patch.inside * cells_of_group);
      ASSERT_TRUE(std::equal(part.begin() + begin, part.begin() + end, whole.begin() + begin))
          << "groups from " << first;
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), patch.members)
        << "this level does not have all halo members: the test needs a higher level";
  }
}

TEST(PlanePatch, AreNotWhereTheyDoNotFit) {
  const BitPlanes carpet = make_bit_planes(find_fractal("sierpinski-carpet").shape(), 6);
  EXPECT_EQ(make_plane_patch(carpet, 2, 8, 103).members, 0u);
  EXPECT_EQ(make_plane_patch(carpet, 2, 8, 104).members, 104u);
  EXPECT_EQ(make_plane_patch(carpet, 4, 8, 100000).members, 0u) << "the level has no replica of this size";
  const BitPlanes cantor = make_bit_planes(find_fractal("cantor").shape(), 33);
  EXPECT_EQ(make_plane_patch(cantor, 8, 32, 256).members, 256u)
      << "the Cantor set has no neighbouring groups";
}

// Relation words computed from whole bytes equal those computed with shifts.
TEST(PlaneBytes, AreTheShiftsOfTheProgram) {
  const NbbShape shape = plane_shape(find_fractal("sierpinski-carpet").shape());
  const PlaneSplit split = split_planes(shape, 20);
  ASSERT_TRUE(has_bytes(shape, split));
  const PlaneProgram program = make_plane_program(shape, split);
  const PlaneBytes bytes = make_plane_bytes(shape, program);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    // The word of a plane in the neighbouring group in `direction`; the last direction is the group itself.
    const auto word = [&](int plane, int direction) {
      return splitmix64(seed * 1000 + static_cast<std::uint64_t>(plane * 16 + direction));
    };
    for (int r = 0; r < program.relation_count; ++r) {
      const PlaneProgram::Relation& relation = program.relations[r];
      const auto or_shifts = [&](ShiftRange range, std::uint64_t from) {
        std::uint64_t found = 0;
        for (int i = range.first; i < range.last; ++i)
          found |= shifted(from, program.shifts[i].shift) & program.shifts[i].mask;
        return found;
      };
      std::uint64_t expected =
          or_shifts(program.inner[relation.direction], word(relation.plane, kDirections));
      for (int g = 0; g < kDirections; ++g) {
        if (relation.halo_word[g] != PlaneProgram::kNoSource)
          expected |= or_shifts(program.halo[relation.direction][g], word(relation.plane, g));
      }
      std::uint64_t found = 0;
      for (int i = 0; i < bytes.relations[r].count; ++i) {
        const PlaneBytes::Part& part = bytes.relations[r].parts[i];
        std::uint64_t from = word(relation.plane, kDirections);
        if (part.moved >= 0) {
          const PlaneBytes::Moved& moved = bytes.moved[part.moved];
          ASSERT_EQ(moved.plane, relation.plane);
          from = 0;
          for (int byte = 0; byte < 8; ++byte) {
            // Unused bytes may have any value; 0xff makes a wrong use visible.
            const std::uint64_t taken =
                moved.byte[byte] < 0 ? 0xff
                                     : word(moved.plane, moved.from[byte]) >> (8 * moved.byte[byte]) & 0xff;
            from |= taken << (8 * byte);
          }
        }
        found |= shifted(from, part.shift.shift) & part.shift.mask;
      }
      ASSERT_EQ(found, expected) << "relation " << r;
    }
  }
}

template <int kCount>
void check_counted() {
  for (const LifeRule rule : {LifeRule{}, LifeRule{1u << 3, 3u << 2}, LifeRule{0x1ff, 0},
                              LifeRule{0x155, 0x0aa}, LifeRule{0x0d2, 0x12d}, LifeRule{0x100, 0x101}}) {
    const CountRule masks(rule);
    std::uint32_t in[kCount > 0 ? kCount : 1] = {};
    for (int i = 0; i < kCount; ++i)
      in[i] = static_cast<std::uint32_t>(splitmix64(static_cast<std::uint64_t>(i) + 7));
    if (kCount > 0) in[0] |= 0x80000000u;
    for (int i = 1; i < kCount; ++i) in[i] |= 0x80000000u;  // at least one bit position has all inputs set
    const auto cells = static_cast<std::uint32_t>(splitmix64(99));
    constexpr std::uint32_t kUsed = 0xf0ffffffu;
    for (int i = 0; i < kCount; ++i) in[i] &= kUsed;
    const std::uint32_t next = next_of_counted<kCount>(masks, masks.base[0][0] & kUsed, cells & kUsed, in);
    for (int bit = 0; bit < 32; ++bit) {
      std::uint32_t living = 0;
      for (int i = 0; i < kCount; ++i) living += in[i] >> bit & 1u;
      const std::uint32_t expected = kUsed >> bit & 1u ? next_state(rule, cells >> bit & 1u, living) : 0;
      ASSERT_EQ(next >> bit & 1u, expected) << kCount << " words, bit " << bit;
    }
  }
}

TEST(LifeCounts, EqualTheRuleForEveryNumberOfWords) {
  check_counted<0>();
  check_counted<1>();
  check_counted<2>();
  check_counted<3>();
  check_counted<4>();
  check_counted<5>();
  check_counted<6>();
  check_counted<7>();
  check_counted<8>();
}

}  // namespace
}  // namespace loom
