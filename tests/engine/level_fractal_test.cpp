#include <gtest/gtest.h>

#include "backend.h"
#include "compute/check/reference_life.h"
#include "compute/engine/pixel_lookup.h"
#include "compute/engine/work_costs.h"
#include "compute/workload/rule_text.h"
#include "random_level_fractal.h"

namespace loom::tests {
namespace {

using LevelFractals = EngineTest;

TEST_F(LevelFractals, CheckValues) {
  struct Check {
    const char* fractal;
    int level;
    const char* rule;
    double density;
    std::uint64_t population;
    std::uint64_t hash;
  };
  for (const Check& check : {Check{"carpet-vicsek", 5, "B3/S23", 0.4, 799, 0xd8ce08c26c871b83},
                             Check{"mirrored-gasket", 7, "B2/S23", 0.5, 646, 0x572bd6a99d3cfc9d}}) {
    for (const FractalConfig& config :
         all_methods(find_fractal(check.fractal), check.level, MethodSet::kAll)) {
      SCOPED_TRACE(describe(config));
      const auto engine = make(config);
      engine->reset({1, check.density});
      engine->step(20, parse_rule(check.rule));
      ASSERT_EQ(engine->census().population, check.population);
      ASSERT_EQ(engine->census().hash, check.hash);
    }
  }
}

TEST_F(LevelFractals, EveryMethodEqualsTheReference) {
  for (const NbbFractal& fractal : level_catalog()) {
    for (int level = 0; level <= level_of_points(fractal, 700); ++level) {
      ReferenceLife reference(fractal, level);
      reference.reset({42, 0.4});
      reference.step(6, parse_rule("B23/S234"));
      const std::vector<std::uint8_t> expected = reference.cells();
      for (const FractalConfig& config : all_methods(fractal, level, MethodSet::kAllTiles)) {
        SCOPED_TRACE(describe(config));
        const auto engine = make(config);
        engine->reset({42, 0.4});
        engine->step(6, parse_rule("B23/S234"));
        std::vector<std::uint8_t> cells(engine->cell_count());
        engine->read_cells(0, cells);
        ASSERT_EQ(cells, expected);
      }
    }
  }
}

/// 10,000 random fractals on the CPU and 1,000 on the GPU: one random method each, by every workload.
TEST_F(LevelFractals, RandomOnesEqualTheReference) {
  const std::uint64_t count = backend_.device.on_host ? 10'000 : 1'000;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const NbbFractal fractal = random_level_fractal(seed);
    std::mt19937_64 random(seed);
    const int level =
        static_cast<int>(random() % (static_cast<std::uint64_t>(level_of_points(fractal, 10'000)) + 1));
    const auto configs = all_methods(fractal, level, MethodSet::kAllTiles);
    const FractalConfig& config = configs[random() % configs.size()];
    SCOPED_TRACE(describe(config) + " tiles " + std::to_string(config.method.tiles));
    const auto engine = make(config);
    ReferenceLife reference(fractal, level);
    reference.reset({seed, 0.45});
    engine->reset({seed, 0.45});
    ASSERT_EQ(engine->run(1, {.workload = Workload::kReduction}).sum, reference.reduction_sum());
    const LifeRule rule = parse_rule("B23/S234");
    reference.step(3, rule);
    engine->step(3, rule);
    std::vector<std::uint8_t> cells(engine->cell_count());
    engine->read_cells(0, cells);
    ASSERT_EQ(cells, reference.cells());
    ASSERT_EQ(engine->census().hash, reference.census().hash);
    ASSERT_EQ(engine->count_threads().threads_active, config.method.storage == CellStorage::kBits
                                                          ? engine->count_threads().threads_active
                                                          : reference.cell_count());
    engine->run(1, {.workload = Workload::kSingleWrite});
    reference.single_write(3);
    engine->read_cells(0, cells);
    ASSERT_EQ(cells, reference.cells());
  }
}

/// Bit planes of mixed fractals: life, sums, hashes, written cells and pictures equal the reference's and
/// those of byte storage.
TEST_F(LevelFractals, BitPlanesOfMixedOnesEqualTheReferenceAndBytes) {
  int tested = 0;
  int several_groups = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const NbbFractal fractal = random_low_level_fractal(seed);
    const int level = level_of_points(fractal, 20'000);
    FractalConfig config{.fractal = fractal,
                         .level = level,
                         .method = {.map = MapKind::kCompact, .storage = CellStorage::kBits}};
    const TiledFractal tiled = make_tiled_fractal(fractal, level, 1);
    if (tiled.is_uniform() || !method_problem(config.method, tiled).empty()) continue;
    SCOPED_TRACE(describe(config));
    ++tested;
    const auto bits = make(config);
    config.method.storage = CellStorage::kBytes;
    const auto bytes = make(config);
    if (bits->count_threads().threads_active > 1) ++several_groups;
    ReferenceLife reference(fractal, level);
    const LifeRule rule = parse_rule(seed % 2 == 0 ? "B23/S234" : "B2/S23");
    reference.reset({seed, 0.45});
    for (FractalEngine* const engine : {bits.get(), bytes.get()}) engine->reset({seed, 0.45});
    ASSERT_EQ(bits->run(1, {.workload = Workload::kReduction}).sum, reference.reduction_sum());
    reference.step(5, rule);
    for (FractalEngine* const engine : {bits.get(), bytes.get()}) engine->step(5, rule);
    const std::vector<std::uint8_t> expected = reference.cells();
    std::vector<std::uint8_t> cells(bits->cell_count());
    bits->read_cells(0, cells);
    ASSERT_EQ(cells, expected);
    ASSERT_EQ(bits->census().hash, bytes->census().hash);
    ASSERT_EQ(bits->census().hash, reference.census().hash);

    Viewport viewport;
    const int step = 1 + static_cast<int>(seed % 3);
    for (std::int64_t x = 0; x <= static_cast<std::int64_t>(tiled.width) + step; x += step)
      viewport.x_edges.push_back(x);
    for (std::int64_t y = 0; y <= static_cast<std::int64_t>(tiled.height) + step; y += step)
      viewport.y_edges.push_back(y);
    ImageView image;
    bytes->resolve(viewport, MemorySpace::kHost, image);
    const std::vector<std::uint16_t> picture = pixels_of(image);
    bits->resolve(viewport, MemorySpace::kHost, image);
    ASSERT_EQ(pixels_of(image), picture);

    bits->write_cells(0, expected);
    bits->read_cells(0, cells);
    ASSERT_EQ(cells, expected);
    for (FractalEngine* const engine : {bits.get(), bytes.get()})
      engine->run(1, {.workload = Workload::kSingleWrite});
    ASSERT_EQ(bits->census().hash, bytes->census().hash);
  }
  EXPECT_GT(tested, 100);
  EXPECT_GT(several_groups, 50);
}

TEST_F(LevelFractals, PicturesShowTheReferencesCells) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const NbbFractal fractal = random_level_fractal(seed);
    const int level = level_of_points(fractal, 3000);
    ReferenceLife reference(fractal, level);
    reference.reset({seed, 0.5});
    const auto width = static_cast<int>(reference.width());
    const auto height = static_cast<int>(reference.height());
    std::vector<std::uint16_t> expected(reference.width() * reference.height());
    const std::vector<std::uint8_t> cells = reference.cells();
    for (std::uint64_t i = 0; i < cells.size(); ++i) {
      const Coord64 place = reference.place(i);
      expected[place.y * reference.width() + place.x] = density_value(1, cells[i]);
    }
    Viewport viewport;
    for (int x = 0; x <= width; ++x) viewport.x_edges.push_back(x);
    for (int y = 0; y <= height; ++y) viewport.y_edges.push_back(y);
    for (const FractalConfig& config : all_methods(fractal, level, MethodSet::kMaps)) {
      SCOPED_TRACE(describe(config));
      const auto engine = make(config);
      engine->reset({seed, 0.5});
      ImageView image;
      engine->resolve(viewport, MemorySpace::kHost, image);
      ASSERT_EQ(pixels_of(image), expected);
      // Four cells per pixel: the counts of cells and of living cells by the definition.
      Viewport coarse;
      for (int x = 0; x <= (width + 1) / 2; ++x) coarse.x_edges.push_back(2 * x);
      for (int y = 0; y <= (height + 1) / 2; ++y) coarse.y_edges.push_back(2 * y);
      const std::size_t wide = coarse.x_edges.size() - 1;
      std::vector<std::uint64_t> all(wide * (coarse.y_edges.size() - 1));
      std::vector<std::uint64_t> living(all.size());
      for (std::uint64_t i = 0; i < cells.size(); ++i) {
        const Coord64 place = reference.place(i);
        ++all[place.y / 2 * wide + place.x / 2];
        living[place.y / 2 * wide + place.x / 2] += cells[i];
      }
      std::vector<std::uint16_t> densities;
      for (std::size_t i = 0; i < all.size(); ++i) densities.push_back(density_value(all[i], living[i]));
      engine->resolve(coarse, MemorySpace::kHost, image);
      ASSERT_EQ(pixels_of(image), densities);
    }
  }
}

TEST_F(LevelFractals, SeveralDevicesAreRefused) {
  try {
    BackendSelection two = backend_;
    two.others = {backend_.device};
    make_fractal_engine({.fractal = find_fractal("carpet-vicsek"),
                         .level = 3,
                         .tile_size = 3,
                         .method = {.map = MapKind::kCompact}},
                        two);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("cannot be distributed"), std::string::npos);
  }
}

}  // namespace
}  // namespace loom::tests
