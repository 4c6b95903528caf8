#include <algorithm>
#include <utility>

#include "backend.h"
#include "compute/check/reference_life.h"
#include "compute/workload/rule_text.h"

namespace loom {
namespace {

using tests::describe;

class Life : public tests::EngineTest {};

/// Returns whether the edited position is a cell.
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

/// The first two are the project's published check values; the others were computed with ReferenceLife.
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
    {"sierpinski-carpet", 4, {1, 0.3}, "B2/S345/C4", 30, {76, 0x685d11bc7de87988}},  // published
};

/// Under sanitizers, these generation counts take minutes for all methods; the tests below cover every
/// method.
#ifdef __SANITIZE_ADDRESS__
constexpr MethodSet kGoldenMethods = MethodSet::kMaps;
#else
constexpr MethodSet kGoldenMethods = MethodSet::kAll;
#endif

class GoldenLife : public tests::EngineTest, public testing::WithParamInterface<Golden> {};

TEST_P(GoldenLife, HashesAreThoseOfTheReference) {
  const Golden& golden = GetParam();
  const LifeRule rule = parse_rule(golden.rule);
  for (const FractalConfig& config :
       all_methods(find_fractal(golden.fractal), golden.level, kGoldenMethods)) {
    if (!work_problem<2>(config, {.rule = rule}).empty()) continue;
    SCOPED_TRACE(describe(config));
    const auto engine = make(config);
    engine->reset(golden.start);
    engine->step(golden.generations, rule);
    const Census census = engine->census();
    EXPECT_EQ(census.population, golden.census.population);
    EXPECT_EQ(census.hash, golden.census.hash);
    EXPECT_EQ(engine->generation(), golden.generations);
  }
}

INSTANTIATE_TEST_SUITE_P(Life, GoldenLife, testing::ValuesIn(kGolden), [](const auto& tested) {
  std::string name = std::string(tested.param.fractal) + "_" + std::to_string(tested.param.level);
  if (parse_rule(tested.param.rule).states > 2) name += "_states";
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

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

/// The cells of the Cantor set by definition: pairs of position and canonical index, sorted by position.
std::vector<std::pair<std::uint64_t, std::uint64_t>> cantor_line(int level) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> line;  // position, index
  const int wide = (level + 1) / 2;
  for (std::uint64_t index = 0; index < std::uint64_t{1} << level; ++index) {
    std::uint64_t place = 0;
    std::uint64_t weight = 1;
    for (int mu = 1; mu <= level; ++mu, weight *= 3) {
      const int bit = mu % 2 == 1 ? (mu - 1) / 2 : wide + mu / 2 - 1;
      place += 2 * (index >> bit & 1) * weight;
    }
    line.emplace_back(place, index);
  }
  std::sort(line.begin(), line.end());
  return line;
}

TEST_F(Life, WideSpacesUseSixtyFourBitCoordinates) {
  // 3^21 > 2^32: coordinates of the Cantor set do not fit in 32 bits, yet it has only 2^21 cells.
  const NbbFractal& cantor = find_fractal("cantor");
  const auto line = cantor_line(21);
  const FractalConfig wide{cantor, 21, 27, {.map = MapKind::kCompact}};
  const FractalConfig other{cantor, 21, 1, {.map = MapKind::kCompact, .halo = false}};
  for (const FractalConfig& config : {wide, other}) {
    const auto engine = make(config);
    std::vector<std::uint8_t> cells(line.size());
    for (std::size_t i = 0; i < line.size(); ++i) cells[line[i].second] = i % 7 < 3 || i % 11 == 0;
    engine->write_cells(0, cells);
    // On a line, only the adjacent cell on either side can be a neighbour.
    for (int generation = 0; generation < 3; ++generation) {
      std::vector<std::uint8_t> next(line.size());
      for (std::size_t i = 0; i < line.size(); ++i) {
        const auto lives = [&](std::size_t j) {
          const std::uint64_t apart =
              std::max(line[i].first, line[j].first) - std::min(line[i].first, line[j].first);
          return apart == 1 && cells[line[j].second] != 0;
        };
        const int living = (i > 0 && lives(i - 1)) + (i + 1 < line.size() && lives(i + 1));
        next[line[i].second] = cells[line[i].second] ? living == 0 : living <= 1;
      }
      cells.swap(next);
    }
    engine->step(3, parse_rule("B01/S0"));
    std::vector<std::uint8_t> found(line.size());
    engine->read_cells(0, found);
    EXPECT_TRUE(found == cells) << describe(config);
    EXPECT_EQ(engine->cell(Coord64{10460353202, 0}).has_value(), true) << "3^21 - 1";
    EXPECT_EQ(engine->cell(Coord64{5230176601, 0}), std::nullopt) << "a hole in the middle";
  }
}

TEST_F(Life, ReportsBytesAndGenerations) {
  const NbbFractal& gasket = find_fractal("sierpinski-gasket");
  const auto report = [&](MapKind map, const Work& work) {
    return make({gasket, 6, 8, {.map = map}})->run(2, work);
  };
  const StepReport box = report(MapKind::kBoundingBox, {.workload = Workload::kLife});
  EXPECT_EQ(box.generations, 2u);
  EXPECT_EQ(box.allocated_bytes, 2u * 64 * 64);
  EXPECT_EQ(box.bytes_moved, 2u * 2 * 729) << "each cell is read and written";
  const StepReport lambda = report(MapKind::kLambda, {.workload = Workload::kSingleWrite});
  EXPECT_EQ(lambda.allocated_bytes, 2u * 64 * 64);
  EXPECT_EQ(lambda.bytes_moved, 2u * 729);
  const StepReport compact = report(MapKind::kCompact, {.workload = Workload::kReduction});
  EXPECT_EQ(compact.allocated_bytes, 2u * 27 * 64);
  EXPECT_EQ(compact.bytes_moved, 2u * 729);
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
      transfer_cells(*start, *there);
      EXPECT_EQ(there->census().hash, expected.hash);
      EXPECT_EQ(there->generation(), 2u);
      const auto cpu = make_fractal_engine({fractal, 4, 1, {.map = MapKind::kBoundingBox}}, {});
      transfer_cells(*there, *cpu);
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
        // Writing the range into another engine changes only that range.
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

// Here the digits of a group need more than one table look-up, and the last words are partly empty.
TEST_F(Life, BitsEqualBytesOnLargerLevels) {
  const struct {
    const char* fractal;
    int level;
  } large[] = {{"sierpinski-gasket", 13},
               {"sierpinski-carpet", 7},
               {"vicsek", 9},
               {"x-fractal", 9},
               {"h-fractal", 7},
               {"empty-bottles", 7},
               {"candy", 6},
               {"chandelier", 10},
               {"cantor", 21}};
  const LifeRule rule = parse_rule("B2357/S0246");
  for (const auto& of : large) {
    SCOPED_TRACE(of.fractal);
    const NbbFractal& fractal = find_fractal(of.fractal);
    const auto bytes = make({fractal, of.level, 1, {.map = MapKind::kCompact}});
    const auto bits = make({fractal, of.level, 1, {.map = MapKind::kCompact, .storage = CellStorage::kBits}});
    bytes->reset({.seed = 5, .density = 0.3});
    bits->reset({.seed = 5, .density = 0.3});
    EXPECT_EQ(bits->census().hash, bytes->census().hash);
    bytes->step(4, rule);
    bits->step(4, rule);
    const Census expected = bytes->census();
    EXPECT_GT(expected.population, 0u);
    const Census found = bits->census();
    EXPECT_EQ(found.population, expected.population);
    EXPECT_EQ(found.hash, expected.hash);
    const Work sum{.workload = Workload::kReduction};
    EXPECT_EQ(bits->run(1, sum).sum, bytes->run(1, sum).sum);
    // Round trip from bytes to bits.
    const auto again =
        make({fractal, of.level, 1, {.map = MapKind::kCompact, .storage = CellStorage::kBits}});
    transfer_cells(*bytes, *again);
    EXPECT_EQ(again->census().hash, expected.hash);
    transfer_cells(*bits, *bytes);
    EXPECT_EQ(bytes->census().hash, expected.hash);
  }
}

// Compares the cells and the picture for several step sizes and rules, whatever number of generations per
// launch the backend uses.
TEST_F(Life, GenerationsAtOnceAreThoseMadeOneByOne) {
  const struct {
    const char* fractal;
    int level;
  } large[] = {{"sierpinski-gasket", 12},
               {"vicsek", 7},
               {"x-fractal", 7},
               {"sierpinski-carpet", 5},
               {"empty-bottles", 5},
               {"h-fractal", 5},
               {"candy", 4},
               {"chandelier", 9},
               {"cantor", 17}};
  for (const auto& of : large) {
    const FractalConfig config{
        find_fractal(of.fractal), of.level, 1, {.map = MapKind::kCompact, .storage = CellStorage::kBits}};
    const auto at_once = make(config);
    const auto single = make(config);
    Viewport view;
    for (std::uint64_t i = 0; i <= 37; ++i) {
      view.x_edges.push_back(static_cast<std::int64_t>(config.fractal.width(of.level) * i / 37));
      view.y_edges.push_back(static_cast<std::int64_t>(config.fractal.height(of.level) * i / 37));
    }
    const auto picture = [&](FractalEngine& engine) {
      ImageView image;
      engine.resolve(view, MemorySpace::kHost, image);
      const auto* pixels = static_cast<const std::uint16_t*>(image.pixels);
      return std::vector<std::uint16_t>(pixels, pixels + view.width() * view.height());
    };
    for (const char* notation : {"B2/S23", "B3/S23", "B0123/S2", "B1357/S02468", "B368/S0128"}) {
      SCOPED_TRACE(std::string(of.fractal) + ", " + notation);
      const LifeRule rule = parse_rule(notation);
      at_once->reset({.seed = 11, .density = 0.4});
      single->reset({.seed = 11, .density = 0.4});
      std::uint32_t made = 0;
      for (const std::uint32_t times : {2u, 3u, 16u, 33u}) {
        at_once->step(times, rule);
        for (std::uint32_t i = 0; i < times; ++i) single->step(1, rule);
        made += times;
        EXPECT_EQ(at_once->generation(), made);
        ASSERT_EQ(at_once->census().hash, single->census().hash) << "after " << made << " generations";
        ASSERT_EQ(picture(*at_once), picture(*single)) << "after " << made << " generations";
      }
    }
  }
}

// Custom fractals use table-driven kernels. Includes a fractal with two groups per word and one with nearly
// all points.
TEST_F(Life, BitsOfAnyFractalEqualTheReference) {
  std::vector<Coord32> nearly_all;
  for (std::uint32_t i = 0; i < 64; ++i) {
    if (i != 27) nearly_all.push_back({i % 8, i / 8});
  }
  const NbbFractal fractals[] = {
      {"corner", 2, 2, {{1, 1}, {0, 1}, {1, 0}}},
      {"two slots", 4, 3, {{1, 0}, {2, 0}, {3, 0}, {0, 1}, {1, 1}, {3, 1}, {0, 2}, {1, 2}, {2, 2}, {3, 2}}},
      {"pair", 2, 1, {{0, 0}, {1, 0}}},
      {"tall", 1, 5, {{0, 0}, {0, 1}, {0, 4}}},
      {"nearly all", 8, 8, nearly_all},
      {"odd", 5, 2, {{4, 0}, {0, 1}, {1, 1}, {2, 0}, {4, 1}, {3, 1}}}};
  for (const NbbFractal& fractal : fractals) {
    for (int level = 0; fractal.cells(level) <= 70000; ++level) {
      const FractalConfig config{
          fractal, level, 1, {.map = MapKind::kCompact, .storage = CellStorage::kBits}};
      SCOPED_TRACE(describe(config));
      ReferenceLife reference(fractal, level);
      reference.reset({3, 0.45});
      reference.step(5, parse_rule("B2/S23"));
      const auto engine = make(config);
      engine->reset({3, 0.45});
      engine->step(5, parse_rule("B2/S23"));
      std::vector<std::uint8_t> cells(engine->cell_count());
      engine->read_cells(0, cells);
      ASSERT_EQ(cells, reference.cells());
    }
  }
}

TEST_F(Life, OtherFractalsAreNotCarriedOver) {
  const auto a = make({find_fractal("vicsek"), 2, 1, {.map = MapKind::kLambda}});
  const auto b = make({find_fractal("x-fractal"), 2, 1, {.map = MapKind::kLambda}});
  EXPECT_THROW(transfer_cells(*a, *b), InputError);
}

}  // namespace
}  // namespace loom
