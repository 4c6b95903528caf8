#include "app/bench/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/bench/axis_text.h"
#include "app/bench/presets.h"
#include "compute/core/error.h"
#include "compute/fractal/nbb_catalog.h"

namespace loom::app::bench {
namespace {

Axes gasket_axes(const std::string& levels) {
  Axes axes;
  axes.fractals = {find_fractal("sierpinski-gasket")};
  axes.levels = parse_levels(levels);
  axes.maps = parse_maps("all");
  axes.arithmetics = parse_arithmetics("all");
  axes.intra_blocks = parse_intra_blocks("all");
  axes.halos = parse_halos("all");
  axes.blocks = parse_blocks("all");
  axes.workloads = parse_workloads("life");
  axes.backends = {BackendSelection{BackendKind::kCpu, 0, "as asked"}};
  return axes;
}

/// The axes of a preset as the subcommand makes them, on the CPU.
Axes preset_axes(const std::string& name) {
  const AxisTexts& texts = find_preset(name).axes;
  Axes axes = gasket_axes(texts.level);
  axes.maps = parse_maps(texts.map);
  axes.arithmetics = parse_arithmetics(texts.arithmetic.empty() ? "loop" : texts.arithmetic);
  axes.intra_blocks = parse_intra_blocks(texts.intra_block.empty() ? "sub-box" : texts.intra_block);
  axes.halos = parse_halos("on");
  return axes;
}

std::size_t count_map(const std::vector<BenchCase>& cases, MapKind map) {
  return static_cast<std::size_t>(
      std::count_if(cases.begin(), cases.end(), [map](const BenchCase& c) { return c.config.map == map; }));
}

TEST(Sweep, TheBoundingBoxHasNoArithmeticIntraBlockOrHalo) {
  Axes axes = gasket_axes("8");
  const auto cases = expand(axes);
  const std::size_t blocks = 6;  // 1, 2, 4, 8, 16, 32
  const std::size_t methods = kMapArithmetics.size() * kIntraBlocks.size();
  EXPECT_EQ(count_map(cases, MapKind::kBoundingBox), blocks);
  EXPECT_EQ(count_map(cases, MapKind::kLambda), blocks * methods);
  EXPECT_EQ(count_map(cases, MapKind::kCompact), blocks * methods * 2);
}

TEST(Sweep, NoConfigurationComesTwiceAndEachIsValid) {
  const auto cases = expand(gasket_axes("0..7"));
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_NO_THROW(validate(cases[i].config));
    for (std::size_t j = i + 1; j < cases.size(); ++j)
      ASSERT_FALSE(cases[i].config == cases[j].config) << i << " " << j;
  }
}

TEST(Sweep, LowLevelsLackLargeBlocks) {
  Axes axes = gasket_axes("0..2");
  axes.maps = {MapKind::kBoundingBox};
  EXPECT_EQ(expand(axes).size(), 1u + 2u + 3u);
  axes.blocks = parse_blocks("4");
  EXPECT_EQ(expand(axes).size(), 1u);
}

TEST(Sweep, WhatNoCombinationAllowsIsRefused) {
  Axes axes = gasket_axes("0..2");
  axes.blocks = parse_blocks("3");
  EXPECT_THROW(expand(axes), InputError);
  axes = gasket_axes("63");
  EXPECT_THROW(expand(axes), InputError);
  axes = gasket_axes("1");
  axes.maps.clear();
  EXPECT_THROW(expand(axes), InputError);
}

TEST(Sweep, ALevelThatOneFractalLacksIsLeftOutThere) {
  Axes axes = gasket_axes("30");
  axes.fractals.push_back(find_fractal("candy"));  // 12^30 does not fit in 64 bits
  axes.maps = {MapKind::kBoundingBox};
  axes.blocks = parse_blocks("1");
  ASSERT_EQ(expand(axes).size(), 1u);
  EXPECT_EQ(expand(axes).front().config.fractal.name(), "sierpinski-gasket");
}

TEST(Sweep, IsCountedWithoutBeingBuilt) {
  Axes axes = gasket_axes("0..9");
  axes.repeats = 3;
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
  // Levels 0 to 4 allow 1 to 5 block sizes, each level above 6.
  const std::size_t to_16 = 1 + 2 + 3 + 4 + 5 + 6 * 12;
  const std::size_t to_20 = to_16 + 6 * 4;
  EXPECT_EQ(expand(preset_axes("paper-lambda")).size(), 2 * to_16);
  // Bounding box once; lambda and compact with two arithmetics and two intra-block mappings each.
  EXPECT_EQ(expand(preset_axes("paper-compact")).size(), to_20 * (1 + 4 + 4));
}

TEST(Presets, AnUnknownOneIsAnsweredWithTheAllowedOnes) {
  EXPECT_THROW(find_preset("paper"), InputError);
}

}  // namespace
}  // namespace loom::app::bench
