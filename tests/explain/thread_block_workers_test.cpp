#include <gtest/gtest.h>

#include "app/explain/colour_by.h"
#include "app/explain/thread_space.h"
#include "compute/backend/engine_factory.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app::explain {
namespace {

FractalConfig gasket(MapKind map, std::uint32_t tiles = 0) {
  FractalConfig config{find_fractal("sierpinski-gasket"), 6, 4, {.map = map}};
  keep_method_valid(config);
  config.method.tiles = tiles;
  return config;
}

// Every thread of a recorded launch has the worker of the span that contains its tile, found by linear
// search.
TEST(ThreadBlockWorkers, AreThoseOfTheSpans) {
  for (const MapKind map : {MapKind::kBoundingBox, MapKind::kLambda, MapKind::kCompact}) {
    const FractalConfig config = gasket(map);
    const auto engine = make_fractal_engine(config, select_backend(BackendChoice::kCpu));
    engine->reset({});
    const Timeline timeline = engine->record_timeline({});
    const auto workers = ThreadBlockWorkers::of(config, timeline);
    ASSERT_TRUE(workers);
    EXPECT_FALSE(workers->gpu());
    const ThreadSpace space(config);
    const Colouring colouring{.by = ColourBy::kWorker, .workers = workers};
    for (std::uint64_t i = 0; i < *space.threads(); ++i) {
      const ThreadLocation place = space.location_of(space.thread_by_number(i));
      const std::uint64_t tile = place.ref.tile.y * space.shape().tiles_x + place.ref.tile.x;
      std::optional<std::uint32_t> expected;
      for (const TimelineSpan& span : timeline.spans) {
        if (tile >= span.block && tile < span.block + span.count) expected = span.worker;
      }
      ASSERT_TRUE(expected) << tile;
      EXPECT_EQ(workers->worker_of(space, place), expected);
      EXPECT_EQ(colour_key(space, place, colouring), (ColourKey{ColourKey::Kind::kNumber, *expected, 0}));
    }
  }
}

// On a GPU, spans are numbered by thread block, which holds several tiles. A thread block without a recorded
// span has no worker.
TEST(ThreadBlockWorkers, OfAGpuAreThoseOfThreadBlocks) {
  const FractalConfig config = gasket(MapKind::kLambda, 3);
  const ThreadSpace space(config);
  ASSERT_EQ(space.launch().tiling.tiles(), 3u);
  Timeline timeline;
  timeline.launches.push_back({"life_expanded_kernel", space.launch().thread_blocks(), {}, {}});
  timeline.launches[0].occupancy.kernel.threads = 128;
  timeline.workers.resize(4);
  for (std::uint64_t block = 1; block < space.launch().thread_blocks(); ++block) {
    TimelineSpan span;
    span.block = block;
    span.worker = static_cast<std::uint32_t>(block % 4);
    timeline.spans.push_back(span);
  }
  const auto workers = ThreadBlockWorkers::of(config, timeline);
  ASSERT_TRUE(workers && workers->gpu());
  for (std::uint64_t i = 0; i < *space.threads(); ++i) {
    const ThreadLocation place = space.location_of(space.thread_by_number(i));
    const std::uint64_t block = place.thread_block.y * space.launch().blocks_x + place.thread_block.x;
    const auto worker = workers->worker_of(space, place);
    if (block == 0) {
      EXPECT_FALSE(worker);
    } else {
      EXPECT_EQ(worker, block % 4);
    }
  }
}

TEST(ThreadBlockWorkers, AreUnknownWhereTheLaunchWasNoSingleOne) {
  Timeline timeline;
  EXPECT_FALSE(ThreadBlockWorkers::of(gasket(MapKind::kLambda), timeline));
  timeline.launches.resize(2);
  EXPECT_FALSE(ThreadBlockWorkers::of(gasket(MapKind::kLambda), timeline));
}

TEST(ThreadBlockWorkers, GiveNoColourWhereNothingWasRecorded) {
  const ThreadSpace space(gasket(MapKind::kLambda));
  const ThreadLocation place = space.location_of({});
  EXPECT_EQ(colour_key(space, place, {.by = ColourBy::kWorker}), ColourKey{});
}

}  // namespace
}  // namespace loom::app::explain
