#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "any_fractal.h"
#include "compute/geometry/plane_canonical_map.h"
#include "fractals.h"

namespace loom {
namespace {

/// Converts pseudo-random cells of every group between canonical rows and bit-plane slots. Compares both with
/// the cells in canonical order at the positions that PlaneStorage gives.
void check_blocks(const NbbFractal& fractal, int level) {
  SCOPED_TRACE(fractal.name() + " level " + std::to_string(level));
  const BitPlanes planes = make_bit_planes(fractal.shape(), level);
  const PlaneCanonicalMap blocks(planes);
  const std::vector<Coord64> cells = tests::cells_by_definition(fractal, level);
  const PlaneStorage<std::uint64_t> storage(make_tiled_fractal(fractal, level, 1));
  const std::uint64_t columns = std::uint64_t{blocks.width()} * blocks.across();
  ASSERT_EQ(columns * blocks.height() * blocks.down(), cells.size());
  ASSERT_LE(blocks.width(), PlaneCanonicalMap::kMostSide);
  ASSERT_LE(blocks.height(), PlaneCanonicalMap::kMostSide);
  const auto alive = [](std::uint64_t index) { return (index * 0x9e3779b97f4a7c15u >> 61) < 3; };

  std::map<std::uint32_t, std::vector<std::uint64_t>> slots;  // by group, in storage order
  for (std::uint64_t i = 0; i < cells.size(); ++i) {
    const std::uint64_t place = storage.index_of(cells[i]);
    auto& group = slots[static_cast<std::uint32_t>(place / planes.planes / planes.bits)];
    group.resize(planes.planes);
    if (alive(i)) group[place % planes.planes] |= std::uint64_t{1} << (place / planes.planes % planes.bits);
  }
  std::set<std::uint32_t> seen;
  for (std::uint32_t row = 0; row < blocks.down(); ++row) {
    for (std::uint32_t column = 0; column < blocks.across(); ++column) {
      const std::uint32_t group = blocks.group(column, row);
      ASSERT_TRUE(slots.contains(group));
      ASSERT_TRUE(seen.insert(group).second);
      std::vector<std::uint64_t> rows(blocks.height());
      for (std::uint32_t y = 0; y < blocks.height(); ++y) {
        for (std::uint64_t x = 0; x < blocks.width(); ++x) {
          const std::uint64_t index =
              (std::uint64_t{row} * blocks.height() + y) * columns + column * blocks.width() + x;
          rows[y] |= std::uint64_t{alive(index)} << x;
        }
      }
      std::vector<std::uint64_t> found(planes.planes, ~std::uint64_t{0});
      blocks.to_slots(rows.data(), found.data());
      ASSERT_EQ(found, slots[group]) << "group " << group;
      std::vector<std::uint64_t> back(blocks.height(), ~std::uint64_t{0});
      blocks.to_rows(found.data(), back.data());
      ASSERT_EQ(back, rows) << "group " << group;
    }
  }
}

TEST(PlaneCanonicalMap, AreTheCanonicalOrderOfTheCatalogue) {
  for (const NbbFractal& fractal : catalog()) {
    for (int level = 0; fractal.cells(level) <= 70'000; ++level) check_blocks(fractal, level);
  }
}

// For every scale and number of replicas, a row of a block and its fields fit into a word.
TEST(PlaneCanonicalMap, EveryNumberOfReplicasHasThem) {
  for (std::uint32_t s = 2; s <= 8; ++s) {
    for (std::uint32_t k = 2; k <= s * s; ++k) {
      std::vector<Coord32> offsets;
      for (std::uint32_t i = 0; i < k; ++i) offsets.push_back({i % s, i / s});
      const NbbFractal fractal(std::to_string(k) + " in " + std::to_string(s), s, s, offsets);
      for (int level = 0; level <= 13 && fractal.cells(level) <= 5'000; ++level) check_blocks(fractal, level);
    }
  }
}

RC_GTEST_PROP(PlaneCanonicalMap, AreTheCanonicalOrderOfAnyFractal, ()) {
  const NbbFractal fractal = tests::any_fractal();
  check_blocks(fractal, tests::level_of_cells(fractal, 20000));
}

}  // namespace
}  // namespace loom
