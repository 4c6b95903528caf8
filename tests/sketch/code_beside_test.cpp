#include "app/sketch/code_beside.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/teach/stepper.h"
#include "app/teach/table_steps.h"
#include "compute/engine/fractal_config.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app::sketch {
namespace {

FractalConfig config_of(const NbbFractal& fractal, MapKind map, MapArithmetic arithmetic) {
  FractalConfig config{.fractal = fractal, .level = 5, .block = 1};
  config.method.map = map;
  config.method.arithmetic = arithmetic;
  keep_method_valid(config);
  return config;
}

std::string value_at(const CodeBeside& code, const std::string& text) {
  const auto found = std::find_if(code.lines.begin(), code.lines.end(), [&](const CodeLine& line) {
    return line.text.find(text) != std::string::npos && !line.value.empty();
  });
  return found == code.lines.end() ? "" : found->value;
}

void expect_a_function(const CodeBeside& code) {
  ASSERT_FALSE(code.lines.empty());
  int depth = 0;
  for (const CodeLine& line : code.lines) {
    depth += static_cast<int>(std::count(line.text.begin(), line.text.end(), '{'));
    depth -= static_cast<int>(std::count(line.text.begin(), line.text.end(), '}'));
  }
  EXPECT_EQ(depth, 0) << code.file;
  EXPECT_TRUE(code.lines.back().text.ends_with("}")) << code.lines.back().text;
}

// Each arithmetic's function is found whole, for every fractal: a renamed one would end the build here.
TEST(CodeBeside, IsAWholeFunctionForEveryArithmetic) {
  for (const NbbFractal& fractal : catalog()) {
    for (const MapKind map : {MapKind::kLambda, MapKind::kCompact}) {
      for (const MapArithmetic arithmetic : arithmetics_of(map)) {
        const teach::ThreadSpace threads(config_of(fractal, map, arithmetic));
        expect_a_function(code_of_lambda(threads, {0, 0}, -1));
        expect_a_function(code_of_nu(threads, {0, threads.blocked().grid_y - 1}, -1));
      }
    }
    expect_a_function(code_of_lambda(
        teach::ThreadSpace(config_of(fractal, MapKind::kBoundingBox, MapArithmetic::kLoop)), {0, 0}, -1));
  }
}

// Beside the lines stand the numbers of the stepper, row by row.
TEST(CodeBeside, LoopHasTheSteppersNumbers) {
  const teach::ThreadSpace threads(config_of(catalog().front(), MapKind::kCompact, MapArithmetic::kLoop));
  const Coord64 omega{25, 7};
  const teach::LambdaSteps lambda = teach::lambda_steps(threads, omega);
  ASSERT_EQ(lambda.steps.size(), 5u);
  for (std::size_t i = 0; i < lambda.steps.size(); ++i) {
    const CodeBeside code = code_of_lambda(threads, omega, static_cast<int>(i));
    const teach::LambdaStep& step = lambda.steps[i];
    EXPECT_EQ(value_at(code, "beta = "), fmt::format("beta = {}", step.digit));
    EXPECT_EQ(value_at(code, "cell.x +="), fmt::format("cell.x = {}", step.sum.x));
    EXPECT_EQ(value_at(code, "cell.y +="), fmt::format("cell.y = {}", step.sum.y));
    EXPECT_EQ(value_at(code, "weight_x *="), fmt::format("weight_x = {}", 2 << i));
    const std::string call = i == 4       ? "if (levels & 1)"
                             : i % 2 == 0 ? "add_level(omega.x)"
                                          : "add_level(omega.y)";
    EXPECT_EQ(value_at(code, call), fmt::format("level {}", i + 1));
  }
  const teach::NuSteps nu = teach::nu_steps(threads, lambda.place);
  ASSERT_TRUE(nu.present);
  for (std::size_t i = 0; i < nu.steps.size(); ++i) {
    const CodeBeside code = code_of_nu(threads, lambda.place, static_cast<int>(i));
    EXPECT_EQ(value_at(code, "replica = "), fmt::format("replica = {}", nu.steps[i].replica));
    EXPECT_EQ(value_at(code, "result.present ="), "present");
  }
  EXPECT_EQ(value_at(code_of_nu(threads, {31, 0}, -1), "result.present ="), "a hole");
}

TEST(CodeBeside, TableHasTheEntriesThatAreRead) {
  const teach::ThreadSpace threads(config_of(catalog().front(), MapKind::kCompact, MapArithmetic::kTable));
  const Coord64 omega{25, 7};
  const teach::TableSteps steps = teach::table_lambda_steps(threads, omega);
  for (std::size_t i = 0; i < steps.look_ups.size(); ++i) {
    const CodeBeside code = code_of_lambda(threads, omega, static_cast<int>(i));
    const teach::TableLookUp& read = steps.look_ups[i];
    EXPECT_EQ(value_at(code, read.from_x ? "lambda_x_.take" : "lambda_y_.take"),
              fmt::format("entry {} = ({}, {}), place = ({}, {})", read.number.x, read.entry.x, read.entry.y,
                          read.sum.x, read.sum.y));
  }
}

// Of the tensor forms: what the products give is what the map is, for every fractal and block.
TEST(CodeBeside, TensorFormsHaveTheFragmentsNumbers) {
  for (const NbbFractal& fractal : catalog()) {
    for (const MapArithmetic arithmetic :
         {MapArithmetic::kTensor1, MapArithmetic::kTensor2, MapArithmetic::kTensor3}) {
      FractalConfig config = config_of(fractal, MapKind::kLambda, arithmetic);
      if (config.method.arithmetic != arithmetic) continue;  // tensor-3 needs other blocks
      const teach::ThreadSpace threads(config);
      const Coord64 omega{threads.shape().blocks_x - 1, threads.shape().blocks_y / 2};
      const teach::ThreadPlace first = threads.place_of({omega, 0});
      const CodeBeside code = code_of_lambda(threads, omega, -1);
      if (arithmetic == MapArithmetic::kTensor3) {
        EXPECT_EQ(value_at(code, "sum.x +="), fmt::format("x = {}", first.cell.x));
        EXPECT_EQ(value_at(code, "sum.y +="), fmt::format("y = {}", first.cell.y));
      } else {
        EXPECT_EQ(value_at(code, "arithmetic.join("),
                  fmt::format("x = {}, y = {}", first.place.x, first.place.y));
        const teach::LambdaSteps steps = teach::lambda_steps(threads, omega);
        const auto offset = steps.steps.back().offset;
        EXPECT_EQ(value_at(code, "tau = arithmetic.offset"),
                  fmt::format("mu = 5: tau = ({}, {})", offset.x, offset.y));
      }
    }
    const teach::ThreadSpace threads(config_of(fractal, MapKind::kCompact, MapArithmetic::kTensor));
    const BlockedFractal& blocked = threads.blocked();
    for (std::uint64_t y = 0; y < std::min<std::uint64_t>(blocked.grid_y, 9); ++y) {
      for (std::uint64_t x = 1; x < 9; ++x) {
        const Coord64 centre{x - 1, y};
        const teach::NuSteps steps = teach::nu_steps(threads, {x, y});
        const CodeBeside code = code_of_nu(threads, {x, y}, -1, centre);
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
}  // namespace loom::app::sketch
