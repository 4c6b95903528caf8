#include <gtest/gtest.h>

#include <vector>

#include "app/patterns/pattern.h"
#include "compute/backend/engine_factory.h"
#include "compute/backend/fastest_method.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/workload/rule_text.h"

namespace loom::app::patterns {
namespace {

constexpr std::uint64_t kFewestCells = 2000;

std::unique_ptr<FractalEngine> engine_of(const NbbFractal& fractal) {
  FractalConfig config{fractal, 0, 1, fastest_method(MapKind::kCompact)};
  config.method.storage = CellStorage::kBits;
  std::uint64_t cells = 1;
  for (; cells < kFewestCells; ++config.level) cells *= fractal.shape().k;
  return make_fractal_engine(config, {{}, ""});
}

struct Life {
  double alive = 0;
  double changing = 0;
};
Life after_300(const NbbFractal& fractal, LifeRule rule, std::uint64_t seed) {
  const auto engine = engine_of(fractal);
  engine->reset({seed, 0.5});
  engine->step(300, rule);
  std::vector<std::uint8_t> then(engine->cell_count());
  std::vector<std::uint8_t> later(engine->cell_count());
  engine->read_cells(0, then);
  const auto alive = static_cast<double>(engine->census().population);
  engine->step(7, rule);  // not a multiple of 2 or 3, so that those periods count as changes
  engine->read_cells(0, later);
  double changed = 0;
  for (std::size_t i = 0; i < then.size(); ++i) changed += then[i] != later[i] ? 1 : 0;
  const auto cells = static_cast<double>(then.size());
  return {alive / cells, changed / cells};
}

TEST(LivingRule, EachFractalOfTheCatalogueHasOneThatLives) {
  for (const NbbFractal& fractal : catalog()) {
    const auto rule = long_lived_rule(fractal);
    ASSERT_TRUE(rule) << fractal.name();
    for (const std::uint64_t seed : {1, 2}) {
      const Life life = after_300(fractal, *rule, seed);
      EXPECT_GE(life.alive, 0.05) << fractal.name() << " " << to_string(*rule) << " seed " << seed;
      EXPECT_GE(life.changing, 0.1) << fractal.name() << " " << to_string(*rule) << " seed " << seed;
    }
  }
}

TEST(LivingRule, TheDefaultDiesOutOnXFractalAndCantor) {
  for (const char* name : {"x-fractal", "cantor"}) {
    EXPECT_EQ(after_300(find_fractal(name), LifeRule{}, 1).alive, 0) << name;
  }
}

TEST(LivingRule, IsOfTheCatalogueAlone) {
  EXPECT_FALSE(long_lived_rule(NbbFractal("x-fractal", 2, 2, {{0, 0}, {1, 1}})));
}

}  // namespace
}  // namespace loom::app::patterns
