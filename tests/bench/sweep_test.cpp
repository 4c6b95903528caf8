#include "app/bench/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/bench/axes.h"
#include "app/bench/plan.h"
#include "app/bench/results.h"
#include "compute/backend/fastest_method.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/map/map_method.h"
#include "measure_whole.h"

namespace loom::app::bench {
namespace {

MapAxes gasket_axes(const std::string& levels) {
  MapAxes axes;
  axes.fractals = {find_fractal("sierpinski-gasket")};
  axes.levels = parse_levels(levels);
  axes.maps = parse_names("map", "all", kMapKinds);
  axes.method = {{"arithmetic", {"all"}}, {"intra-block", {"all"}}, {"halo", {"all"}}};
  axes.tile_sizes = parse_tile_sizes("all");
  axes.workloads = parse_names("workload", "life", kWorkloads);
  axes.backends = {BackendSelection{{}, "selected"}};
  return axes;
}

/// The axes of a preset on the CPU, as the bench subcommand builds them.
Axes preset_axes(const std::string& name) {
  const Preset& preset = find_preset(name);
  AxisTexts texts = default_axes(preset.kind);
  override_texts(texts, preset.axes);
  texts["backend"] = "cpu";
  return parse_axes(preset.kind, texts, {});
}

std::size_t count_map(const std::vector<MapCase>& cases, MapKind map) {
  return static_cast<std::size_t>(std::count_if(
      cases.begin(), cases.end(), [map](const MapCase& c) { return c.config.method.map == map; }));
}

TEST(Sweep, TheBoundingBoxHasNoArithmeticIntraBlockOrHalo) {
  MapAxes axes = gasket_axes("8");
  const auto cases = expand(axes);
  const std::size_t tile_sizes = 6;  // 1, 2, 4, 8, 16, 32
  const std::size_t intra_blocks = kIntraBlocks.size();
  EXPECT_EQ(count_map(cases, MapKind::kBoundingBox), tile_sizes);
  // With tensor-2, four tiles of 1024 threads exceed a thread block: 32 x 32 in sub-boxes is left out.
  EXPECT_EQ(count_map(cases, MapKind::kLambda),
            tile_sizes * arithmetics_of(MapKind::kLambda).size() * intra_blocks - 1);
  EXPECT_EQ(count_map(cases, MapKind::kCompact),
            tile_sizes * arithmetics_of(MapKind::kCompact).size() * intra_blocks * 2);
}

TEST(Sweep, ThreeDimensionalFractalsFollowTheOthers) {
  MapAxes axes = gasket_axes("2..3");
  axes.fractals = parse_fractals("sierpinski-gasket,menger-sponge");
  axes.solids = parse_solids("sierpinski-gasket,menger-sponge");
  ASSERT_EQ(axes.fractals.size(), 1u);
  ASSERT_EQ(axes.solids.size(), 1u);
  EXPECT_TRUE(parse_solids("all").empty());
  axes.method = {{"arithmetic", {"loop", "table"}}, {"intra-block", {"all"}}, {"halo", {"all"}}};
  const auto solids = expand_solids(axes);
  const auto count = [&](MapKind map) {
    return std::ranges::count_if(solids, [&](const SolidCase& one) { return one.config.method.map == map; });
  };
  // Two levels with the tile sizes 1, 3 and 9.
  EXPECT_EQ(count(MapKind::kBoundingBox), 6);
  EXPECT_EQ(count(MapKind::kLambda), 6 * 2 * static_cast<int>(kIntraBlocks.size()));
  EXPECT_EQ(count(MapKind::kCompact), 6 * 2 * static_cast<int>(kIntraBlocks.size()) * 2);
  const Axes all{.of = axes, .repeats = 2};
  const auto cases = expand(all);
  EXPECT_EQ(cases.size(), 2 * (expand(axes).size() + solids.size()));
  EXPECT_EQ(count_cases(all), cases.size());
  EXPECT_TRUE(std::holds_alternative<SolidCase>(cases.back()));
  EXPECT_EQ(std::get<SolidCase>(cases.back()).repeat, 1);
  EXPECT_EQ(short_text(solids.front()), "level 2, bounding-box, tile size 1");
  const auto entry = describe(cases.back());
  EXPECT_EQ(entry["fractal"], "menger-sponge");
  EXPECT_EQ(entry["depth"], 27u);
  EXPECT_EQ(entry["cells"], 8000u);

  // What exists in two dimensions only is left out beside a valid value, and otherwise refused.
  axes.method = {{"arithmetic", {"all"}}};
  axes.maps = {MapKind::kLambda};
  EXPECT_EQ(expand_solids(axes).size(), 6u * 2);
  axes.fractals.clear();
  axes.method = {{"arithmetic", {"shuffle"}}};
  EXPECT_THROW(expand_solids(axes), InputError);
  axes.method.clear();
  axes.devices = {1, 2};
  EXPECT_THROW(expand_solids(axes), InputError);
}

TEST(Sweep, MeasuresThreeDimensionalFractals) {
  const SolidCase one{.config = {*find_solid("menger-sponge"), 3, 9, fastest_solid_method(MapKind::kLambda)},
                      .backend = {{}, "selected"}};
  const Row entry = test::measure_whole(one, {.max_seconds = 0.05});
  ASSERT_TRUE(entry.measured());
  EXPECT_EQ(entry.count("threads_launched"), 8000u);
  EXPECT_EQ(entry.count("threads_active"), 8000u);
  EXPECT_EQ(entry.count("bytes_held"), 2u * 27 * 27 * 27);
  EXPECT_EQ(entry.count("bytes_moved"), 2u * 8000);
  EXPECT_GT(entry.number("median_ms"), 0);
  EXPECT_DOUBLE_EQ(entry.number("cells_per_second"), 8000 / entry.number("median_ms") * 1000);
  EXPECT_DOUBLE_EQ(entry.number("bytes_per_second"), 16000 / entry.number("median_ms") * 1000);
  const auto json = to_json(entry);
  EXPECT_EQ(json["depth"], 27);
  EXPECT_EQ(read_row(JsonReader(json, "entry"), SweepKind::kMaps), entry);
}

TEST(Sweep, AutoIsWhatIsFastestOnEachBackend) {
  MapAxes axes = gasket_axes("8");
  axes.method.clear();
  axes.backends.push_back({cuda_device(0), "selected"});
  const auto cases = expand(axes);
  EXPECT_EQ(cases.size(), 6u * kMapKinds.size() * 2);
  for (const MapCase& one : cases) {
    if (one.config.method.map == MapKind::kBoundingBox) continue;
    const MapMethod fastest = fastest_method(one.config.method.map);
    EXPECT_EQ(one.config.method.arithmetic, fastest.arithmetic);
    EXPECT_EQ(one.config.method.intra_block, fastest.intra_block);
    if (one.config.method.map == MapKind::kCompact) {
      EXPECT_EQ(one.config.method.halo, fastest.halo);
    }
  }
}

TEST(Sweep, AllTilesAreThosePossibleAndEachOnce) {
  MapAxes axes = gasket_axes("6");
  axes.maps = {MapKind::kLambda};
  axes.method["arithmetic"] = {"loop"};
  axes.method["intra-block"] = {"sub-box"};
  axes.tile_sizes = parse_tile_sizes("4");
  axes.method["tiles"] = {"all"};
  std::vector<std::uint32_t> tiles;
  for (const MapCase& one : expand(axes)) tiles.push_back(one.config.method.tiles);
  EXPECT_EQ(tiles, (std::vector<std::uint32_t>{1, 3, 9}));  // the grid has 9 x 9 tiles
  axes.method["tiles"] = {"auto", "9"};
  EXPECT_EQ(expand(axes).size(), 1u) << "auto selects 9";
}

TEST(Sweep, OnlyReductionsHaveAReductionMethod) {
  MapAxes axes = gasket_axes("4");
  axes.maps = {MapKind::kBoundingBox};
  axes.tile_sizes = parse_tile_sizes("1");
  axes.workloads = parse_names("workload", "all", kWorkloads);
  axes.reductions = parse_names("reduction", "all", kReductionMethods);
  std::size_t reductions = 0;
  const auto cases = expand(axes);
  for (const MapCase& one : cases) reductions += one.workload == Workload::kReduction;
  EXPECT_EQ(reductions, kReductionMethods.size());
  EXPECT_EQ(cases.size(), kWorkloads.size() - 1 + kReductionMethods.size());
}

TEST(Sweep, WhatIsLeftWithoutAValidValueStaysToBeSkippedWithTheReason) {
  MapAxes axes = gasket_axes("6");
  axes.maps = parse_names("map", "lambda,compact", kMapKinds);
  axes.method["arithmetic"] = {"tensor"};
  axes.method["intra-block"] = {"lookup"};
  axes.method["halo"] = {"on"};
  axes.tile_sizes = parse_tile_sizes("4");
  const auto cases = expand(axes);
  ASSERT_EQ(cases.size(), 2u);
  Sampling sampling;
  sampling.max_samples = 1;
  const Row lambda = test::measure_whole(cases.front(), sampling);
  EXPECT_FALSE(lambda.measured());
  EXPECT_NE(lambda.skipped().find("nearest that runs"), std::string::npos) << lambda.skipped();
  EXPECT_NO_THROW(validate(cases.back().config));
  axes.method["arithmetic"] = {"tensor", "loop"};
  for (const MapCase& one : expand(axes)) EXPECT_NO_THROW(validate(one.config));
  axes.maps = {MapKind::kLambda};
  axes.method["arithmetic"] = {"tensor"};
  EXPECT_THROW(expand(axes), InputError) << "no configuration is valid";
}

TEST(Sweep, NoConfigurationComesTwiceAndEachIsValid) {
  const auto cases = expand(gasket_axes("0..7"));
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_NO_THROW(validate(cases[i].config));
    for (std::size_t j = i + 1; j < cases.size(); ++j)
      ASSERT_FALSE(cases[i].config == cases[j].config) << i << " " << j;
  }
}

TEST(Sweep, LowLevelsLackLargeTiles) {
  MapAxes axes = gasket_axes("0..2");
  axes.maps = {MapKind::kBoundingBox};
  EXPECT_EQ(expand(axes).size(), 1u + 2u + 3u);
  axes.tile_sizes = parse_tile_sizes("4");
  EXPECT_EQ(expand(axes).size(), 1u);
}

TEST(Sweep, WhatNoCombinationAllowsIsRefused) {
  MapAxes axes = gasket_axes("0..2");
  axes.tile_sizes = parse_tile_sizes("3");
  EXPECT_THROW(expand(axes), InputError);
  axes = gasket_axes("63");
  EXPECT_THROW(expand(axes), InputError);
  axes = gasket_axes("1");
  axes.maps.clear();
  EXPECT_THROW(expand(axes), InputError);
}

TEST(Sweep, ALevelThatOneFractalLacksIsLeftOutThere) {
  MapAxes axes = gasket_axes("30");
  axes.fractals.push_back(find_fractal("candy"));  // 12^30 does not fit in 64 bits
  axes.maps = {MapKind::kBoundingBox};
  axes.tile_sizes = parse_tile_sizes("1");
  ASSERT_EQ(expand(axes).size(), 1u);
  EXPECT_EQ(expand(axes).front().config.fractal.name(), "sierpinski-gasket");
}

TEST(Sweep, IsCountedWithoutBeingBuilt) {
  Axes axes{gasket_axes("0..9"), 3};
  EXPECT_EQ(count_cases(axes), expand(axes).size());
  axes.repeats = 1'000'000;
  EXPECT_GT(count_cases(axes), 100'000'000u);
}

TEST(Sweep, AboveTheLimitItNeedsConfirmation) {
  EXPECT_NO_THROW(check_sweep_size(100'000, false));
  EXPECT_NO_THROW(check_sweep_size(100'001, true));
  try {
    check_sweep_size(100'001, false);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("100001"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("--yes"), std::string::npos);
  }
}

TEST(Presets, ExpandToThePapersSpaces) {
  // Levels 0 to 4 allow 1 to 5 tile sizes, each higher level 6.
  const std::size_t to_16 = 1 + 2 + 3 + 4 + 5 + 6 * 12;
  const std::size_t to_20 = to_16 + 6 * 4;
  EXPECT_EQ(expand(preset_axes("paper-lambda")).size(), 2 * to_16 * kWorkloads.size());
  // Six variants of lambda with single write, two kinds of reduction, and life.
  EXPECT_EQ(expand(preset_axes("paper-tensor")).size(), 6 * to_16 * 4);
  // The bounding box once; lambda and compact each with loop, table and tensor arithmetic.
  EXPECT_EQ(expand(preset_axes("paper-compact")).size(), to_20 * (1 + 3 + 3));
}

TEST(Presets, AnUnknownOneIsAnsweredWithTheAllowedOnes) {
  EXPECT_THROW(find_preset("paper"), InputError);
}

}  // namespace
}  // namespace loom::app::bench
