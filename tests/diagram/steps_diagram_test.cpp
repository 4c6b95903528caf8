#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "app/explain/diagram/diagrams.h"
#include "app/explain/fragments.h"
#include "compute/core/error.h"
#include "compute/engine/fractal_config.h"
#include "compute/geometry/nbb_catalog.h"
#include "texts.h"

namespace loom::app::diagram {
namespace {

FractalConfig config_of(MapKind map, MapArithmetic arithmetic, int level = 6, std::uint32_t tile_size = 4) {
  FractalConfig config{.fractal = catalog().front(), .level = level, .tile_size = tile_size};
  config.method.map = map;
  config.method.arithmetic = arithmetic;
  keep_method_valid(config);
  return config;
}

std::string pair(Coord64 c) {
  return fmt::format("({}, {})", c.x, c.y);
}

// For every arithmetic, the diagram shows the tile position that the map of the engine gives.
TEST(StepsDiagram, SaysTheTilesPlaceByEveryArithmetic) {
  for (const MapKind map : {MapKind::kLambda, MapKind::kCompact}) {
    for (const MapArithmetic arithmetic : arithmetics_of(map)) {
      if (!is_exact(arithmetic)) continue;
      const FractalConfig config = config_of(map, arithmetic);
      ASSERT_EQ(config.method.arithmetic, arithmetic);
      const explain::ThreadSpace threads(config);
      const Coord64 omega{5, 7};
      const StepsDiagram steps = steps_diagram(threads, {.tile = omega});
      const Coord64 place = threads.location_of({omega, 0}).place;
      if (arithmetic == MapArithmetic::kTensor3) {
        EXPECT_TRUE(says(steps.diagram, "plus the x of each thread"));
        continue;
      }
      const bool said =
          says(steps.diagram, pair(place)) || (says(steps.diagram, fmt::format("{}", place.x)) &&
                                               says(steps.diagram, fmt::format("{}", place.y)));
      EXPECT_TRUE(said) << to_string(config.method);
      EXPECT_TRUE(says(steps.diagram, "ω " + pair(omega))) << to_string(config.method);
    }
  }
}

TEST(StepsDiagram, ARowALevelWithItsSquare) {
  const explain::ThreadSpace threads(config_of(MapKind::kLambda, MapArithmetic::kLoop));
  const StepsDiagram steps = steps_diagram(threads, {.tile = {5, 7}});
  const explain::LambdaSteps lambda = explain::lambda_steps(threads, {5, 7});
  ASSERT_EQ(steps.squares.size(), lambda.steps.size());
  std::set<int> tags;
  for (const Hotspot& hotspot : steps.diagram.hotspots()) tags.insert(hotspot.tag);
  for (std::size_t i = 0; i < lambda.steps.size(); ++i) {
    ASSERT_TRUE(steps.squares[i]);
    EXPECT_EQ(steps.squares[i]->corner, lambda.steps[i].square.corner);
    EXPECT_TRUE(tags.contains(static_cast<int>(i)));
    EXPECT_TRUE(says(steps.diagram, pair(lambda.steps[i].sum)));
  }
  EXPECT_TRUE(says(steps.diagram, lambda.formula_x));
}

// Shows nu of each of the eight neighbours, or that the neighbour lies outside.
TEST(StepsDiagram, NuOfTheChosenNeighbour) {
  const explain::ThreadSpace threads(config_of(MapKind::kCompact, MapArithmetic::kLoop));
  const Coord64 omega{3, 1};
  const Coord64 place = explain::lambda_steps(threads, omega).place;
  std::set<std::string> names;
  for (int neighbour = 0; neighbour < 8; ++neighbour) {
    names.insert(neighbour_name(neighbour));
    const StepsDiagram steps = steps_diagram(threads, {.tile = omega, .neighbour = neighbour});
    const glm::ivec2 by = neighbour_offset(neighbour);
    const Coord64 at{place.x + static_cast<std::uint64_t>(by.x), place.y + static_cast<std::uint64_t>(by.y)};
    if (at.x >= threads.tiled().grid_x || at.y >= threads.tiled().grid_y) {
      EXPECT_TRUE(says(steps.diagram, "outside the square"));
    } else {
      EXPECT_TRUE(says(steps.diagram, explain::nu_steps(threads, at).formula_x)) << neighbour;
    }
  }
  EXPECT_EQ(names.size(), 8u);
}

// Each product shows four matrices of 16 x 16 elements, each element with the lane that holds it.
TEST(StepsDiagram, MatricesHaveEveryElementAndItsLane) {
  const explain::ThreadSpace threads(config_of(MapKind::kLambda, MapArithmetic::kTensor1));
  const StepsDiagram steps = steps_diagram(threads, {.tile = {5, 7}});
  const explain::Fragments fragments = explain::lambda_fragments(threads, {5, 7});
  std::size_t elements = 0;
  for (const Hotspot& hotspot : steps.diagram.hotspots())
    elements += hotspot.tip.find("in lane") != std::string::npos;
  EXPECT_EQ(elements, 4 * 256 * fragments.products.size());
  const auto has_tip = [&](const std::string& tip) {
    return std::any_of(steps.diagram.hotspots().begin(), steps.diagram.hotspots().end(),
                       [&](const Hotspot& hotspot) { return hotspot.tip.starts_with(tip); });
  };
  const explain::FragmentHolder holder = explain::holder_in_b(2, 1);
  EXPECT_TRUE(has_tip(fmt::format("B[2][1] = {:g}: in lane {}, element {}", fragments.products[0].b.at(2, 1),
                                  holder.lane, holder.element)));
}

// With plain FP16 weights, exactly the wrong numbers have the warning colour.
TEST(StepsDiagram, WrongNumbersStandOut) {
  FractalConfig config{.fractal = find_fractal("sierpinski-carpet"), .level = 8, .tile_size = 1};
  config.method.map = MapKind::kLambda;
  config.method.arithmetic = MapArithmetic::kTensorFp16;
  const explain::ThreadSpace threads(config);
  const Coord64 omega{threads.shape().tiles_x - 1, threads.shape().tiles_y - 1};
  const explain::Fragments fragments = explain::lambda_fragments(threads, omega);
  std::size_t wrong = 0;
  for (const explain::FragmentProduct& product : fragments.products) {
    for (const explain::FragmentMatrix* matrix : {&product.a, &product.b, &product.c, &product.d}) {
      wrong += static_cast<std::size_t>(std::count(matrix->wrong.begin(), matrix->wrong.end(), true));
    }
  }
  ASSERT_GT(wrong, 0u);
  std::size_t marked = 0;
  const StepsDiagram steps = steps_diagram(threads, {.tile = omega});
  for (const Diagram::Shape& shape : steps.diagram.shapes()) {
    const auto* const text = std::get_if<Text>(&shape);
    marked += text != nullptr && text->paint == Paint(ColourRole::kWarning);
  }
  EXPECT_EQ(marked, wrong);
}

TEST(StepsDiagram, StaysWithinItsSize) {
  const explain::ThreadSpace threads(config_of(MapKind::kCompact, MapArithmetic::kShuffle));
  const StepsDiagram steps = steps_diagram(threads, {.tile = {0, 0}});
  for (const Diagram::Shape& shape : steps.diagram.shapes()) {
    if (const auto* const fill = std::get_if<Fill>(&shape)) {
      EXPECT_LE(fill->box.end().x, steps.diagram.size().x);
      EXPECT_LE(fill->box.end().y, steps.diagram.size().y);
    }
  }
}

TEST(StepsDiagram, RefusesATileThatIsNotThere) {
  const explain::ThreadSpace lambda(config_of(MapKind::kLambda, MapArithmetic::kLoop));
  EXPECT_THROW((void)steps_diagram(lambda, {.tile = {1000, 0}}), InputError);
  const explain::ThreadSpace box(config_of(MapKind::kBoundingBox, MapArithmetic::kLoop));
  EXPECT_THROW((void)steps_diagram(box, {.tile = {1000, 0}}), InputError);
}

}  // namespace
}  // namespace loom::app::diagram
