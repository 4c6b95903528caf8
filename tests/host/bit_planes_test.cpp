#include "compute/geometry/bit_planes.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "any_fractal.h"
#include "compute/geometry/group_table.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/geometry/plane_program.h"
#include "compute/geometry/storage.h"
#include "fractals.h"
#include "random_level_fractal.h"

namespace loom {
namespace {

TEST(BitPlanes, SplitsAreThoseOfTheDocumentation) {
  const auto split = [](const char* name) { return split_planes(find_fractal(name).shape(), 20); };
  EXPECT_EQ(split("sierpinski-gasket"), (PlaneSplit{3, 3, 32}));
  EXPECT_EQ(split("sierpinski-carpet"), (PlaneSplit{1, 2, 64}));
  EXPECT_EQ(split("vicsek"), (PlaneSplit{2, 2, 32}));
  EXPECT_EQ(split("h-fractal"), (PlaneSplit{1, 2, 64}));
  EXPECT_EQ(split("candy"), (PlaneSplit{1, 1, 16}));
  EXPECT_EQ(split("chandelier"), (PlaneSplit{2, 3, 64}));
  EXPECT_EQ(split("cantor"), (PlaneSplit{5, 6, 64}));
}

TEST(BitPlanes, EveryCellHasABitOfItsOwn) {
  for (const NbbFractal& fractal : catalog()) {
    for (int level = 0; level <= 4; ++level) {
      const BitPlanes planes = make_bit_planes(fractal.shape(), level);
      const PlaneStorage<std::uint32_t> storage(make_tiled_fractal(fractal, level, 1));
      std::set<std::pair<std::uint64_t, std::uint32_t>> seen;
      for (std::uint32_t y = 0; y < fractal.height(level); ++y) {
        for (std::uint32_t x = 0; x < fractal.width(level); ++x) {
          const std::uint64_t place = storage.index_of({x, y});
          if (place == kNoIndex) continue;
          ASSERT_LT(place, planes.cells);
          const PlaneBit at = plane_bit(planes, place);
          ASSERT_LT(at.word, planes.words());
          ASSERT_LT(at.bit, planes.wide() ? 64u : 32u);
          ASSERT_TRUE(seen.insert({at.word, at.bit}).second);
        }
      }
      EXPECT_EQ(seen.size(), fractal.cells(level));
    }
  }
}

/// Compares the neighbours of every cell by coordinates with those that the program reads. Relation words are
/// evaluated bit by bit from their shifts.
void check_program(const NbbFractal& fractal, int level) {
  const BitPlanes planes = make_bit_planes(fractal.shape(), level);
  const NbbShape& shape = planes.shape;
  const PlaneProgram program = make_plane_program(shape, planes.split);
  const GroupTable table(planes);
  const GroupNeighbours groups = table.neighbours();
  const PlaneStorage<std::uint64_t> storage(make_tiled_fractal(fractal, level, 1));
  const std::uint64_t per_group = std::uint64_t{planes.planes} * planes.bits;
  for (std::uint64_t place = 0; place < planes.cells; ++place) {
    const auto plane = static_cast<std::size_t>(place % planes.planes);
    const auto bit = static_cast<int>(place / planes.planes % planes.bits);
    const auto group = static_cast<std::uint32_t>(place / per_group);
    std::set<std::uint64_t> expected;
    const auto cell = plain_cell(shape, level, place);
    for (int d = 0; d < kDirections; ++d) {
      const std::int64_t x = cell.x + kDirectionX[std::size_t(d)];
      const std::int64_t y = cell.y + kDirectionY[std::size_t(d)];
      if (x < 0 || y < 0 || x >= std::int64_t(fractal.width(level)) ||
          y >= std::int64_t(fractal.height(level)))
        continue;
      const std::uint64_t at = storage.index_of({std::uint64_t(x), std::uint64_t(y)});
      if (at != kNoIndex) expected.insert(at);
    }
    std::set<std::uint64_t> found;
    const auto add = [&](std::uint32_t of_group, std::uint64_t of_plane, ShiftRange shifts) {
      for (int i = shifts.first; i < shifts.last; ++i) {
        if (!(program.shifts[i].mask >> bit & 1)) continue;
        const std::uint64_t from = std::uint64_t(bit + program.shifts[i].shift);
        ASSERT_LT(from, planes.bits);
        ASSERT_TRUE(found.insert(of_group * per_group + of_plane + from * planes.planes).second);
      }
    };
    for (int i = 0; i < program.source_count[plane]; ++i) {
      const int source = program.sources[plane][i];
      if (source < program.planes) {
        ASSERT_TRUE(
            found.insert(group * per_group + std::uint64_t(bit) * planes.planes + std::uint64_t(source))
                .second);
        continue;
      }
      const PlaneProgram::Relation& relation = program.relations[source - program.planes];
      add(group, relation.plane, program.inner[relation.direction]);
      for (int g = 0; g < kDirections; ++g) {
        const std::uint32_t beside = groups.beside(group, g);
        if (beside != GroupNeighbours::kNone)
          add(beside, relation.plane, program.halo[relation.direction][g]);
        if (relation.halo_word[g] == PlaneProgram::kNoSource) {
          EXPECT_EQ(program.halo[relation.direction][g].first, program.halo[relation.direction][g].last);
        } else {
          EXPECT_EQ(program.halo_words[relation.halo_word[g]].direction, g);
          EXPECT_EQ(program.halo_words[relation.halo_word[g]].plane, relation.plane);
        }
      }
    }
    ASSERT_EQ(found, expected) << fractal.name() << " level " << level << " storage index " << place;
  }
}

TEST(BitPlanes, ProgramsFindTheMooreNeighbours) {
  for (const NbbFractal& fractal : catalog()) {
    int level = 0;
    for (; fractal.cells(level) <= 60000; ++level) check_program(fractal, level);
    const PlaneSplit split = split_planes(fractal.shape(), level - 1);
    EXPECT_GT(level - 1, split.plane_levels + split.bit_levels) << fractal.name() << " has one group only";
  }
}

RC_GTEST_PROP(BitPlanes, GroupsBesideAreThoseOfTheCoordinates, ()) {
  const NbbFractal& fractal = catalog()[*rc::gen::inRange<std::size_t>(0, catalog().size())];
  const NbbShape shape = plane_shape(fractal.shape());
  int highest = 0;
  while (highest < fractal.max_level() && why_no_planes(make_tiled_fractal(fractal, highest + 1, 1)).empty())
    ++highest;
  const int level = *rc::gen::inRange(0, highest + 1);
  const BitPlanes planes = make_bit_planes(shape, level);
  const GroupTable table(planes);
  const GroupNeighbours groups = table.neighbours();
  const int levels = level - planes.split.plane_levels - planes.split.bit_levels;
  // Prefer the smallest and largest digits, where a step carries to the next digit.
  std::uint64_t group = 0;
  for (int mu = 0; mu < levels; ++mu) {
    const std::uint32_t digit =
        *rc::gen::element(0u, 0u, shape.k - 1, shape.k - 1, *rc::gen::inRange(0u, shape.k));
    group = group * shape.k + digit;
  }
  for (int d = 0; d < kDirections; ++d) {
    const PlainNeighbour expected = plain_neighbour(shape, levels, group, d);
    const bool there = expected.digits >= 0 && expected.leaves == kDirections;
    RC_ASSERT(groups.beside(static_cast<std::uint32_t>(group), d) ==
              (there ? static_cast<std::uint32_t>(expected.digits) : GroupNeighbours::kNone));
  }
}

/// Mixed fractals with random shapes above low levels of one generator: the neighbours of groups are those of
/// the coordinates.
TEST(BitPlanes, GroupsOfMixedFractalsHaveTheNeighboursOfTheirCoordinates) {
  int tested = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const NbbFractal fractal = tests::random_low_level_fractal(seed);
    const int level = tests::level_of_points(fractal, 200'000);
    const TiledFractal tiled = make_tiled_fractal(fractal, level, 1);
    if (tiled.is_uniform() || !why_no_planes(tiled).empty()) continue;
    const BitPlanes planes = make_bit_planes(tiled);
    if (planes.low_levels() == level) continue;
    ++tested;
    const GroupTable table(planes);
    const GroupNeighbours groups = table.neighbours();
    // The group and the box of each cell, by the storage and the coordinates.
    const PlaneStorage<std::uint32_t> storage(tiled);
    const auto side_x = static_cast<std::uint32_t>(small_power(planes.shape.s_x, planes.low_levels()));
    const auto side_y = static_cast<std::uint32_t>(small_power(planes.shape.s_y, planes.low_levels()));
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> group_at;
    std::uint32_t directions = 0;
    for (std::uint32_t y = 0; y < tiled.height; ++y) {
      for (std::uint32_t x = 0; x < tiled.width; ++x) {
        const std::uint64_t place = storage.index_of({x, y});
        if (place == kNoIndex) continue;
        const auto group = static_cast<std::uint32_t>(place / planes.planes / planes.bits);
        const auto [at, added] = group_at.insert({{x / side_x, y / side_y}, group});
        ASSERT_EQ(at->second, group);
      }
    }
    ASSERT_EQ(group_at.size(), planes.groups);
    for (const auto& [box, group] : group_at) {
      for (int d = 0; d < kDirections; ++d) {
        const auto beside = group_at.find({box.first + static_cast<std::uint32_t>(kDirectionX[d]),
                                           box.second + static_cast<std::uint32_t>(kDirectionY[d])});
        ASSERT_EQ(groups.beside(group, d), beside == group_at.end() ? GroupNeighbours::kNone : beside->second)
            << fractal.name() << " group " << group << " direction " << d;
        if (beside != group_at.end()) directions |= 1u << d;
      }
    }
    EXPECT_EQ(directions, planes.group_directions);
  }
  EXPECT_GT(tested, 200);
}

RC_GTEST_PROP(BitPlanes, ProgramsOfAnyFractalFindTheMooreNeighbours, ()) {
  const NbbFractal fractal = tests::any_fractal();
  check_program(fractal, tests::level_of_cells(fractal, 5000));
}

}  // namespace
}  // namespace loom
