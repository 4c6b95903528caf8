#include "compute/check/reference_life.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/workload/rule_text.h"

namespace loom {
namespace {

using Cells = std::vector<std::uint8_t>;

TEST(ReferenceLife, GivesTheCheckValues) {
  ReferenceLife gasket(find_fractal("sierpinski-gasket"), 8);
  gasket.reset({.seed = 1, .density = 0.5});
  gasket.step(100, LifeRule{});
  EXPECT_EQ(gasket.cell_count(), 6561u);
  EXPECT_EQ(gasket.census().population, 1372u);
  EXPECT_EQ(gasket.census().hash, 0x2e269e30ff0b89ddu);

  ReferenceLife carpet(find_fractal("sierpinski-carpet"), 4);
  carpet.reset({.seed = 7, .density = 0.4});
  carpet.step(20, LifeRule{});
  EXPECT_EQ(carpet.cell_count(), 4096u);
  EXPECT_EQ(carpet.census().population, 1643u);
  EXPECT_EQ(carpet.census().hash, 0x5ec80c9c248e2f8fu);
}

TEST(ReferenceLife, PlacesCellsByTheirDigits) {
  // Gasket, level 2: nu_x = the replica of level 1, nu_y that of level 2; index = 3 nu_y + nu_x.
  const ReferenceLife life(find_fractal("sierpinski-gasket"), 2);
  const std::vector<Coord64> expected = {{0, 0}, {0, 1}, {1, 1}, {0, 2}, {0, 3},
                                         {1, 3}, {2, 2}, {2, 3}, {3, 3}};
  ASSERT_EQ(life.cell_count(), expected.size());
  for (std::uint64_t i = 0; i < expected.size(); ++i) EXPECT_EQ(life.place(i), expected[i]) << i;
}

TEST(ReferenceLife, PlaysByTheRule) {
  // Gasket, level 1: three cells, each a neighbour of the two others.
  ReferenceLife life(find_fractal("sierpinski-gasket"), 1);
  life.reset({.seed = 1, .density = 1});
  EXPECT_EQ(life.cells(), (Cells{1, 1, 1}));
  life.step(1, parse_rule("B/S2"));
  EXPECT_EQ(life.cells(), (Cells{1, 1, 1}));
  life.step(1, parse_rule("B/S3"));
  EXPECT_EQ(life.cells(), (Cells{0, 0, 0}));
  life.step(1, parse_rule("B0/S"));
  EXPECT_EQ(life.cells(), (Cells{1, 1, 1}));
}

TEST(ReferenceLife, LeavesHolesOutAndTheEdgesDead) {
  // Vicsek, level 1: a plus of five cells. If all are alive, the centre has four living neighbours, each arm
  // three.
  ReferenceLife life(find_fractal("vicsek"), 1);
  life.reset({.seed = 1, .density = 1});
  life.step(1, parse_rule("B/S4"));
  EXPECT_EQ(life.cells(), (Cells{0, 0, 1, 0, 0}));
  life.step(1, parse_rule("B1/S"));
  EXPECT_EQ(life.cells(), (Cells{1, 1, 0, 1, 1}));
}

TEST(ReferenceLife, SaysWhatItNeedsAndRefusesTooMuch) {
  const NbbFractal& gasket = find_fractal("sierpinski-gasket");
  EXPECT_EQ(ReferenceLife::bytes_needed(gasket, 3), 2 * 64 + 9 * 8 * 27u);
  EXPECT_EQ(ReferenceLife::bytes_needed(gasket, 40), ~std::uint64_t{0});
  EXPECT_THROW(ReferenceLife(gasket, 40), std::bad_alloc);
  EXPECT_THROW(ReferenceLife(gasket, -1), InputError);
}

}  // namespace
}  // namespace loom
