#include "app/explain/show_me.h"

#include <gtest/gtest.h>

#include "app/explain/map_steps.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app::explain {
namespace {

using Scene = ShowMe::Scene;

double end_of(const ShowMe& show_me, Scene scene) {
  for (const ShowMe::Chapter& one : show_me.chapters()) {
    if (one.scene == scene) return one.end - 1e-6;
  }
  return -1;
}

TEST(ShowMe, LastsOneMinuteWithoutGaps) {
  const ShowMe show_me(find_fractal("sierpinski-gasket"));
  double at = 0;
  for (const ShowMe::Chapter& one : show_me.chapters()) {
    EXPECT_DOUBLE_EQ(one.begin, at);
    EXPECT_GT(one.end, one.begin);
    EXPECT_FALSE(one.sentence.empty());
    at = one.end;
  }
  EXPECT_DOUBLE_EQ(at, ShowMe::kSeconds);
  EXPECT_EQ(show_me.chapter_at(-1).scene, Scene::kFractal);
  EXPECT_EQ(show_me.chapter_at(1e9).scene, Scene::kNeighbour);
}

TEST(ShowMe, DrawsTilesAndCellsWhereTheMapsPutThem) {
  for (const NbbFractal& fractal : catalog()) {
    SCOPED_TRACE(fractal.name());
    const ShowMe show_me(fractal);
    const ThreadSpace& lambda = show_me.lambda();
    EXPECT_EQ(show_me.cells().size(), fractal.cells(lambda.config().level));
    EXPECT_EQ(show_me.cells().size() + show_me.holes().size(),
              fractal.width(lambda.config().level) * fractal.height(lambda.config().level));
    for (std::size_t i = 0; i < show_me.unfolding().tiles(); ++i) {
      const Coord64 omega = show_me.unfolding().omega(i);
      const Coord64 place = lambda_steps(lambda, omega).place;
      const auto launched = show_me.tile_place(i, end_of(show_me, Scene::kLaunch));
      EXPECT_NEAR(launched.x, static_cast<double>(omega.x), 1e-3);
      EXPECT_NEAR(launched.y, static_cast<double>(omega.y), 1e-3);
      const auto unfolded = show_me.tile_place(i, end_of(show_me, Scene::kUnfold));
      EXPECT_NEAR(unfolded.x, static_cast<double>(place.x), 1e-3);
      EXPECT_NEAR(unfolded.y, static_cast<double>(place.y), 1e-3);
    }
    for (std::size_t i = 0; i < show_me.cells().size(); ++i) {
      const ShowMe::Cell& cell = show_me.cells()[i];
      const ThreadSpace& compact = show_me.compact();
      EXPECT_EQ(compact.location_of(*compact.thread_of(cell.point)).address, cell.byte);
      EXPECT_DOUBLE_EQ(show_me.share_in_memory(i, end_of(show_me, Scene::kUnfold)), 0);
      EXPECT_DOUBLE_EQ(show_me.share_in_memory(i, end_of(show_me, Scene::kMemory)), 1);
    }
    if (show_me.cells().size() < 2) continue;
    const auto apart = [](std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; };
    EXPECT_LE(apart(show_me.centre().point.x, show_me.neighbour().point.x), 1u);
    EXPECT_LE(apart(show_me.centre().point.y, show_me.neighbour().point.y), 1u);
  }
}

}  // namespace
}  // namespace loom::app::explain
