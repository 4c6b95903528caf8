#include <algorithm>

#include "backend.h"
#include "compute/check/reference_life.h"

namespace loom {
namespace {

using tests::describe;

class Life : public tests::EngineTest {};

/// Whether the edit was of a cell.
bool set_cell(FractalEngine& engine, Coord64 cell, bool alive) {
  const CellEdit edit{cell, alive};
  return engine.edit({&edit, 1}) == 1;
}

struct Golden {
  const char* fractal;
  int level;
  RandomStart start;
  const char* rule;
  std::uint32_t generations;
  Census census;
};

/// The first two are the check values of the contract; the others were computed by the plain reference.
const Golden kGolden[] = {
    {"sierpinski-gasket", 8, {1, 0.5}, "B2/S23", 100, {1372, 0x2e269e30ff0b89dd}},
    {"sierpinski-carpet", 4, {7, 0.4}, "B2/S23", 20, {1643, 0x5ec80c9c248e2f8f}},
    {"vicsek", 4, {2, 0.5}, "B2/S23", 50, {131, 0x32368732be45beb3}},
    {"x-fractal", 4, {3, 0.5}, "B1/S1", 50, {249, 0xc841fb3fda1cef91}},
    {"h-fractal", 4, {4, 0.4}, "B3/S23", 30, {179, 0x27e336e382d0b52d}},
    {"empty-bottles", 4, {5, 0.6}, "B3/S23", 30, {140, 0xad16e389b7f7776b}},
    {"candy", 3, {6, 0.5}, "B36/S23", 30, {84, 0x6ca524f782ab8b52}},
    {"chandelier", 5, {7, 0.5}, "B2/S23", 40, {174, 0x4ef3ceb19a942e04}},
    {"cantor", 8, {8, 0.5}, "B1/S01", 20, {126, 0xfc59dd54c3541793}},
    {"sierpinski-gasket", 9, {1, 0.5}, "B1357/S1357", 64, {9868, 0x022ebed6e36057e2}},
};

TEST_F(Life, GoldenHashes) {
  for (const Golden& golden : kGolden) {
    for (const FractalConfig& config :
         all_methods(find_fractal(golden.fractal), golden.level, MethodSet::kAll)) {
      SCOPED_TRACE(describe(config));
      const auto engine = make(config);
      engine->reset(golden.start);
      engine->step(golden.generations, parse_rule(golden.rule));
      const Census census = engine->census();
      EXPECT_EQ(census.population, golden.census.population);
      EXPECT_EQ(census.hash, golden.census.hash);
      EXPECT_EQ(engine->generation(), golden.generations);
    }
  }
}

TEST_F(Life, EveryMethodEqualsTheReference) {
  const LifeRule rules[] = {LifeRule{}, parse_rule("B3/S23"), parse_rule("B1357/S02468"),
                            parse_rule("B0/S8")};
  for (const NbbFractal& fractal : catalog()) {
    const int most = fractal.shape().s_x * fractal.shape().s_y > 6 ? 3 : 5;
    for (int level = 0; level <= most; ++level) {
      const LifeRule rule = rules[level % 4];
      ReferenceLife reference(fractal, level);
      reference.reset({42, 0.35});
      reference.step(7, rule);
      const std::vector<std::uint8_t> expected = reference.cells();
      for (const FractalConfig& config : all_methods(fractal, level, MethodSet::kAll)) {
        SCOPED_TRACE(describe(config));
        const auto engine = make(config);
        engine->reset({42, 0.35});
        engine->step(3, rule);
        engine->step(4, rule);
        std::vector<std::uint8_t> cells(engine->cell_count());
        engine->read_cells(0, cells);
        ASSERT_EQ(cells, expected);
      }
    }
  }
}

TEST_F(Life, WideSpacesUseSixtyFourBitCoordinates) {
  // 3^21 > 2^32: the Cantor set's coordinates no longer fit in 32 bits, its 2^21 cells are few.
  const NbbFractal& cantor = find_fractal("cantor");
  const FractalConfig wide{cantor, 21, 27, {.map = MapKind::kCompact}};
  const FractalConfig other{cantor, 21, 1, {.map = MapKind::kCompact, .halo = false}};
  const auto a = make(wide);
  const auto b = make(other);
  for (const auto& engine : {a.get(), b.get()}) {
    engine->reset({5, 0.5});
    engine->step(10, parse_rule("B1/S01"));
  }
  EXPECT_EQ(a->census().hash, b->census().hash);
  EXPECT_GT(a->census().population, 0u);
  EXPECT_EQ(a->cell(Coord64{cantor.width(21) - 1, 0}).has_value(), true);
  EXPECT_EQ(a->cell(Coord64{cantor.width(21) / 2, 0}), std::nullopt);
}

TEST_F(Life, ReportsWhatWasLaunched) {
  const NbbFractal& gasket = find_fractal("sierpinski-gasket");
  const auto report = [&](MapKind map, std::uint32_t block) {
    return make({gasket, 6, block, {.map = map}})->step(2, LifeRule{});
  };
  const StepReport box = report(MapKind::kBoundingBox, 8);
  EXPECT_EQ(box.threads_launched, 2u * 64 * 64);
  EXPECT_EQ(box.blocks_launched, 2u * 8 * 8);
  EXPECT_EQ(box.threads_active, 2u * 729);
  EXPECT_EQ(box.bytes_held, 2u * 64 * 64);
  EXPECT_EQ(box.generations, 2u);
  const StepReport lambda = report(MapKind::kLambda, 8);
  EXPECT_EQ(lambda.blocks_launched, 2u * 27);
  EXPECT_EQ(lambda.threads_launched, 2u * 27 * 64);
  EXPECT_EQ(lambda.bytes_held, box.bytes_held);
  const StepReport compact = report(MapKind::kCompact, 8);
  EXPECT_EQ(compact.threads_launched, lambda.threads_launched);
  EXPECT_EQ(compact.bytes_held, 2u * 27 * 64);
}

TEST_F(Life, EditsClearsAndAsks) {
  for (const FractalConfig& config : all_methods(find_fractal("sierpinski-gasket"), 4, MethodSet::kAll)) {
    SCOPED_TRACE(describe(config));
    const auto engine = make(config);
    EXPECT_EQ(engine->census().population, 0u);
    EXPECT_TRUE(set_cell(*engine, {0, 15}, true));
    EXPECT_TRUE(set_cell(*engine, {15, 15}, true));
    EXPECT_FALSE(set_cell(*engine, {15, 0}, true)) << "a hole";
    EXPECT_FALSE(set_cell(*engine, {16, 15}, true)) << "outside";
    EXPECT_EQ(engine->cell({0, 15}), true);
    EXPECT_EQ(engine->cell({0, 0}), false);
    EXPECT_EQ(engine->cell({15, 0}), std::nullopt);
    EXPECT_EQ(engine->cell({0, 16}), std::nullopt);
    EXPECT_EQ(engine->census().population, 2u);
    EXPECT_TRUE(set_cell(*engine, {0, 15}, false));
    EXPECT_EQ(engine->census().population, 1u);
    engine->step(1, LifeRule{});
    engine->clear();
    EXPECT_EQ(engine->census().population, 0u);
    EXPECT_EQ(engine->generation(), 0u);
  }
}

TEST_F(Life, CellsAreCarriedOverBetweenAllMethods) {
  for (const char* name : {"sierpinski-gasket", "chandelier", "candy"}) {
    const NbbFractal& fractal = find_fractal(name);
    const auto start = make({fractal, 4, 1, {.map = MapKind::kLambda}});
    start->reset({3, 0.5});
    start->step(2, LifeRule{});
    const Census expected = start->census();
    for (const FractalConfig& config : all_methods(fractal, 4, MethodSet::kAll)) {
      SCOPED_TRACE(describe(config));
      const auto there = make(config);
      carry_over(*start, *there);
      EXPECT_EQ(there->census().hash, expected.hash);
      EXPECT_EQ(there->generation(), 2u);
      const auto cpu = make_fractal_engine({fractal, 4, 1, {.map = MapKind::kBoundingBox}}, {});
      carry_over(*there, *cpu);
      EXPECT_EQ(cpu->census().hash, expected.hash);
    }
  }
}

TEST_F(Life, PartsOfTheCellsReadAndWrite) {
  const auto engine = make({find_fractal("vicsek"), 4, 9, {.map = MapKind::kCompact}});
  const std::vector<std::uint8_t> pattern = {1, 0, 1, 1, 0};
  engine->write_cells(100, pattern);
  std::vector<std::uint8_t> cells(7);
  engine->read_cells(99, cells);
  EXPECT_EQ(cells, (std::vector<std::uint8_t>{0, 1, 0, 1, 1, 0, 0}));
  EXPECT_THROW(engine->read_cells(engine->cell_count() - 6, cells), InputError);
  EXPECT_THROW(engine->write_cells(engine->cell_count(), pattern), InputError);
}

TEST_F(Life, AnyPartOfTheCellsIsThatPartOfAll) {
  for (const char* name : {"sierpinski-gasket", "chandelier", "cantor"}) {
    const NbbFractal& fractal = find_fractal(name);
    const int level = fractal.shape().k == 2 ? 14 : (fractal.shape().k == 3 ? 9 : 7);
    for (const FractalConfig& config : all_methods(fractal, level, MethodSet::kMaps)) {
      SCOPED_TRACE(describe(config));
      ReferenceLife reference(fractal, level);
      reference.reset({8, 0.5});
      const std::vector<std::uint8_t> all = reference.cells();
      const auto engine = make(config);
      engine->reset({8, 0.5});
      for (const std::uint64_t first : {0, 1, 700, 2500}) {
        std::vector<std::uint8_t> part(all.size() - first - first / 3);
        engine->read_cells(first, part);
        EXPECT_TRUE(std::equal(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(first)));
        // Written somewhere else they are there, and nothing else has changed.
        const auto other = make(config);
        other->reset({9, 0.25});
        std::vector<std::uint8_t> expected(all.size());
        other->read_cells(0, expected);
        other->write_cells(first / 3, part);
        std::copy(part.begin(), part.end(), expected.begin() + static_cast<std::ptrdiff_t>(first / 3));
        std::vector<std::uint8_t> found(all.size());
        other->read_cells(0, found);
        ASSERT_EQ(found, expected);
      }
    }
  }
}

TEST_F(Life, OtherFractalsAreNotCarriedOver) {
  const auto a = make({find_fractal("vicsek"), 2, 1, {.map = MapKind::kLambda}});
  const auto b = make({find_fractal("x-fractal"), 2, 1, {.map = MapKind::kLambda}});
  EXPECT_THROW(carry_over(*a, *b), InputError);
}

}  // namespace
}  // namespace loom
