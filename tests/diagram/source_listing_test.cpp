#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "app/explain/diagram/diagrams.h"
#include "app/explain/map_steps.h"
#include "compute/engine/fractal_config.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app::diagram {
namespace {

FractalConfig config_of(const NbbFractal& fractal, MapKind map, MapArithmetic arithmetic) {
  FractalConfig config{.fractal = fractal, .level = 5, .tile_size = 1};
  config.method.map = map;
  config.method.arithmetic = arithmetic;
  keep_method_valid(config);
  return config;
}

std::string value_at(const SourceListing& code, const std::string& text) {
  const auto found = std::find_if(code.lines.begin(), code.lines.end(), [&](const SourceLine& line) {
    return line.text.find(text) != std::string::npos && !line.value.empty();
  });
  return found == code.lines.end() ? "" : found->value;
}

void expect_a_function(const SourceListing& code) {
  ASSERT_FALSE(code.lines.empty());
  int depth = 0;
  for (const SourceLine& line : code.lines) {
    depth += static_cast<int>(std::count(line.text.begin(), line.text.end(), '{'));
    depth -= static_cast<int>(std::count(line.text.begin(), line.text.end(), '}'));
  }
  EXPECT_EQ(depth, 0) << code.file;
  EXPECT_TRUE(code.lines.back().text.ends_with("}")) << code.lines.back().text;
}

// The listing contains the whole function of each arithmetic, for every fractal. Fails if a function is
// renamed.
TEST(SourceListing, IsAWholeFunctionForEveryArithmetic) {
  for (const NbbFractal& fractal : catalog()) {
    for (const MapKind map : {MapKind::kLambda, MapKind::kCompact}) {
      for (const MapArithmetic arithmetic : arithmetics_of(map)) {
        const explain::ThreadSpace threads(config_of(fractal, map, arithmetic));
        expect_a_function(lambda_source(threads, {0, 0}, -1));
        expect_a_function(nu_source(threads, {0, threads.tiled().grid_y - 1}, -1));
      }
    }
    expect_a_function(lambda_source(
        explain::ThreadSpace(config_of(fractal, MapKind::kBoundingBox, MapArithmetic::kLoop)), {0, 0}, -1));
  }
}

// Fails if a kernel, or the function of its thread blocks, is renamed or moved.
TEST(SourceListing, KernelsAreWholeForEveryMapTileAndHalo) {
  std::set<std::string> kernels;
  for (const MapKind map : kMapKinds) {
    for (const std::uint32_t tile : {1u, 4u, 8u, 16u}) {
      for (const bool halo : {false, true}) {
        FractalConfig config = config_of(catalog().front(), map, MapArithmetic::kLoop);
        config.tile_size = tile;
        config.method.halo = halo;
        keep_method_valid(config);
        const std::string text = kernel_source(explain::ThreadSpace(config));
        const std::size_t kernel = text.find("__global__");
        ASSERT_NE(kernel, std::string::npos) << text;
        EXPECT_NE(text.find("_block", kernel), std::string::npos) << text;
        EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'))
            << text;
        const std::size_t name = text.find("life_", kernel);
        kernels.insert(text.substr(name, text.find('(', name) - name));
      }
    }
  }
  EXPECT_GE(kernels.size(), 4u);
}

// The values next to the source lines are those of the map steps.
TEST(SourceListing, LoopHasTheSteppersNumbers) {
  const explain::ThreadSpace threads(config_of(catalog().front(), MapKind::kCompact, MapArithmetic::kLoop));
  const Coord64 omega{25, 7};
  const explain::LambdaSteps lambda = explain::lambda_steps(threads, omega);
  ASSERT_EQ(lambda.steps.size(), 5u);
  for (std::size_t i = 0; i < lambda.steps.size(); ++i) {
    const SourceListing code = lambda_source(threads, omega, static_cast<int>(i));
    const explain::LambdaStep& step = lambda.steps[i];
    EXPECT_EQ(value_at(code, "beta = "), fmt::format("beta = {}", step.digit));
    EXPECT_EQ(value_at(code, "cell.x +="), fmt::format("cell.x = {}", step.sum.x));
    EXPECT_EQ(value_at(code, "cell.y +="), fmt::format("cell.y = {}", step.sum.y));
    EXPECT_EQ(value_at(code, "weight_x *="), fmt::format("weight_x = {}", 2 << i));
    const std::string call = i == 4       ? "if (levels & 1)"
                             : i % 2 == 0 ? "add_level(omega.x)"
                                          : "add_level(omega.y)";
    EXPECT_EQ(value_at(code, call), fmt::format("level {}", i + 1));
  }
  const explain::NuSteps nu = explain::nu_steps(threads, lambda.place);
  ASSERT_TRUE(nu.present);
  for (std::size_t i = 0; i < nu.steps.size(); ++i) {
    const SourceListing code = nu_source(threads, lambda.place, static_cast<int>(i));
    EXPECT_EQ(value_at(code, "replica = "), fmt::format("replica = {}", nu.steps[i].replica));
    EXPECT_EQ(value_at(code, "result.present ="), "present");
  }
  EXPECT_EQ(value_at(nu_source(threads, {31, 0}, -1), "result.present ="), "a hole");
}

TEST(SourceListing, TableHasTheEntriesThatAreRead) {
  const explain::ThreadSpace threads(config_of(catalog().front(), MapKind::kCompact, MapArithmetic::kTable));
  const Coord64 omega{25, 7};
  const explain::TableSteps steps = explain::table_lambda_steps(threads, omega);
  for (std::size_t i = 0; i < steps.lookups.size(); ++i) {
    const SourceListing code = lambda_source(threads, omega, static_cast<int>(i));
    const explain::TableLookup& read = steps.lookups[i];
    EXPECT_EQ(value_at(code, read.from_x ? "lambda_x_.take" : "lambda_y_.take"),
              fmt::format("entry {} = ({}, {}), place = ({}, {})", read.number.x, read.entry.x, read.entry.y,
                          read.sum.x, read.sum.y));
  }
}

// For tensor arithmetics, the listed results of the products equal those of the map, for every fractal.
TEST(SourceListing, TensorFormsHaveTheFragmentsNumbers) {
  for (const NbbFractal& fractal : catalog()) {
    for (const MapArithmetic arithmetic :
         {MapArithmetic::kTensor1, MapArithmetic::kTensor2, MapArithmetic::kTensor3}) {
      FractalConfig config = config_of(fractal, MapKind::kLambda, arithmetic);
      if (config.method.arithmetic != arithmetic) continue;  // tensor-3 does not support this tile size
      const explain::ThreadSpace threads(config);
      const Coord64 omega{threads.shape().tiles_x - 1, threads.shape().tiles_y / 2};
      const explain::ThreadLocation first = threads.location_of({omega, 0});
      const SourceListing code = lambda_source(threads, omega, -1);
      if (arithmetic == MapArithmetic::kTensor3) {
        EXPECT_EQ(value_at(code, "sum.x +="), fmt::format("x = {}", first.cell.x));
        EXPECT_EQ(value_at(code, "sum.y +="), fmt::format("y = {}", first.cell.y));
      } else {
        EXPECT_EQ(value_at(code, "arithmetic.join("),
                  fmt::format("x = {}, y = {}", first.place.x, first.place.y));
        const explain::LambdaSteps steps = explain::lambda_steps(threads, omega);
        const auto offset = steps.steps.back().offset;
        EXPECT_EQ(value_at(code, "tau = arithmetic.offset"),
                  fmt::format("mu = 5: tau = ({}, {})", offset.x, offset.y));
      }
    }
    const explain::ThreadSpace threads(config_of(fractal, MapKind::kCompact, MapArithmetic::kTensor));
    const TiledFractal& tiled = threads.tiled();
    for (std::uint64_t y = 0; y < std::min<std::uint64_t>(tiled.grid_y, 9); ++y) {
      for (std::uint64_t x = 1; x < 9; ++x) {
        const Coord64 centre{x - 1, y};
        const explain::NuSteps steps = explain::nu_steps(threads, {x, y});
        const SourceListing code = nu_source(threads, {x, y}, -1, centre);
        EXPECT_EQ(value_at(code, ".present ="), steps.present ? "present" : "a hole");
        if (steps.present) {
          EXPECT_EQ(value_at(code, "arithmetic.join("),
                    fmt::format("x = {}, y = {}", steps.omega.x, steps.omega.y));
        }
      }
    }
  }
}

}  // namespace
}  // namespace loom::app::diagram
