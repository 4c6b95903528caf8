// The built-in maps as text are the built-in maps.

#include <gtest/gtest.h>

#include "app/exercises/exercise.h"
#include "compute/geometry/transforms.h"
#include "map_code/run_for_test.h"

namespace loom::test {
namespace {

TEST(MapTexts, ReturnThePointsOfTheBuiltInMaps) {
  for (const NbbFractal& fractal : catalog()) {
    if (!fractal.is_uniform()) continue;
    const NbbTransform<std::uint32_t> transform(fractal.shape());
    // The table of the gasket has 2 x 3 levels at once.
    for (int level = 0; level <= 4 || fractal.cells(level) <= 1000; ++level) {
      for (const app::MapTextChoice& one : app::map_texts()) {
        const MapResult result = run_map(fractal, {.code = app::map_text(one.value, fractal),
                                                   .level = level,
                                                   .time_limit = std::chrono::milliseconds(60000),
                                                   .keep_points = true});
        ASSERT_EQ(result.outcome, MapOutcome::kRan)
            << one.name << " " << fractal.name() << ": " << to_string(result.problems.front());
        EXPECT_TRUE(result.coverage.is_exact()) << one.name << " " << fractal.name() << " level " << level;
        std::uint64_t width = 1;
        std::uint64_t height = 1;
        for (int mu = 1; mu <= level; ++mu) (mu % 2 == 1 ? width : height) *= fractal.shape().k;
        for (std::uint64_t i = 0; i < result.points.size(); ++i) {
          const MapThread thread = thread_of(result.launch, i);
          const Coord<std::uint32_t> place{
              static_cast<std::uint32_t>(thread.block_x * result.launch.block_x + thread.thread_x),
              static_cast<std::uint32_t>(thread.block_y * result.launch.block_y + thread.thread_y)};
          MapPoint expected;
          if (one.value == app::MapText::kBoundingBox) {
            if (place.x < fractal.width(level) && place.y < fractal.height(level) &&
                is_member(transform, level, place))
              expected = {static_cast<std::int32_t>(place.x), static_cast<std::int32_t>(place.y)};
          } else if (place.x < width && place.y < height) {
            const Coord<std::uint32_t> cell = uniform_lambda_map(transform, level, place);
            expected = {static_cast<std::int32_t>(cell.x), static_cast<std::int32_t>(cell.y)};
          }
          ASSERT_EQ(result.points[i], expected) << one.name << " " << fractal.name() << " level " << level;
        }
      }
    }
  }
}

}  // namespace
}  // namespace loom::test
