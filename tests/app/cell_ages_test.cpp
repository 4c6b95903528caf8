#include <gtest/gtest.h>

#include "app/workspaces/life/scene/cell_statistics.h"
#include "compute/backend/engine_factory.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {
namespace {

std::vector<std::uint32_t> alive(const CellAges& ages) {
  std::vector<std::uint32_t> all;
  for (const CellAges::Cell& cell : ages.cells()) all.push_back(cell.alive);
  return all;
}
std::vector<std::uint32_t> dead(const CellAges& ages) {
  std::vector<std::uint32_t> all;
  for (const CellAges::Cell& cell : ages.cells()) all.push_back(cell.dead);
  return all;
}
using Ages = std::vector<std::uint32_t>;

TEST(CellAges, CountsGenerationsOfLifeAndOfDeath) {
  CellAges ages;
  ages.take({1, 0, 1}, 5);
  EXPECT_EQ(alive(ages), (Ages{1, 0, 1}));
  ages.take({1, 1, 0}, 6);
  EXPECT_EQ(alive(ages), (Ages{2, 1, 0}));
  EXPECT_EQ(dead(ages), (Ages{0, 0, 1}));
  ages.take({1, 0, 0}, 7);
  EXPECT_EQ(alive(ages), (Ages{3, 0, 0}));
  EXPECT_EQ(dead(ages), (Ages{0, 1, 2}));
  ages.take({1, 0, 1}, 8);
  EXPECT_EQ(alive(ages), (Ages{4, 0, 1}));
  EXPECT_EQ(dead(ages), (Ages{0, 2, 0}));
  EXPECT_EQ(ages.stride(), 1u);
  for (std::uint64_t g = 9; g < 9 + CellAges::kTrail; ++g) ages.take({1, 0, 1}, g);
  EXPECT_EQ(dead(ages), (Ages{0, 0, 0})) << "the trail ends after kTrail generations";
}

TEST(CellAges, AHandMakesNothingOlderAndGoingBackBeginsAnew) {
  CellAges ages;
  ages.take({1, 0}, 5);
  ages.take({1, 0}, 9);
  EXPECT_EQ(alive(ages), (Ages{5, 0}));
  EXPECT_EQ(ages.stride(), 4u);
  ages.take({1, 1}, 9);
  EXPECT_EQ(alive(ages), (Ages{5, 1}));
  ages.take({1, 1}, 4);
  EXPECT_EQ(alive(ages), (Ages{1, 1}));
}

TEST(CellAges, FollowsAnEngineWithoutTouchingIt) {
  const auto engine = make_fractal_engine({find_fractal("sierpinski-gasket"), 5, 4, {}}, {{}, ""});
  engine->reset({1, 0.5});
  CellAges ages;
  std::vector<std::uint32_t> expected(engine->cell_count());
  std::vector<std::uint8_t> states(engine->cell_count());
  CellSource cells(RandomStart{1, 0.5});
  for (int g = 0; g < 20; ++g) {
    ages.follow(*engine, cells);
    engine->read_cells(0, states);
    for (std::size_t i = 0; i < states.size(); ++i) {
      expected[i] = states[i] != 0 ? expected[i] + 1 : 0;
      EXPECT_EQ(engine->cell(ages.cells()[i].place).value(), states[i] != 0);
    }
    ASSERT_EQ(alive(ages), expected) << g;
    const std::uint64_t hash = engine->census().hash;
    ages.follow(*engine, cells);
    EXPECT_EQ(engine->census().hash, hash);
    engine->step(1, LifeRule{});
    cells.run(1, {});
  }
}

TEST(CellAges, LeavesLargeFieldsAlone) {
  const auto engine = make_fractal_engine({find_fractal("sierpinski-gasket"), 10, 16, {}}, {{}, ""});
  CellAges ages;
  ages.follow(*engine, CellSource(RandomStart{}));
  EXPECT_TRUE(ages.cells().empty());
}

}  // namespace
}  // namespace loom::app
