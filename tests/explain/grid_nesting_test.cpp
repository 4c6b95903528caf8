#include <gtest/gtest.h>

#include <algorithm>

#include "app/explain/timeline_lanes.h"
#include "compute/backend/engine_factory.h"

namespace loom::app::explain {
namespace {

/// A grid launched by the host, whose two blocks each launch a grid, and the grids that those launch.
Timeline nested() {
  Timeline timeline;
  timeline.workers.resize(2);
  timeline.launches.push_back({"dp_region_kernel", 10, {}, {}});
  const auto span = [&](std::uint64_t begin, std::uint64_t end, std::uint32_t parent, std::uint16_t level) {
    TimelineSpan one;
    one.begin = begin;
    one.end = end;
    one.parent = parent;
    one.level = level;
    timeline.spans.push_back(one);
  };
  span(0, 10, kNoParent, 0);  // 0
  span(0, 12, kNoParent, 0);  // 1
  span(15, 40, 0, 1);         // 2: launch latency 5
  span(20, 30, 1, 1);         // 3: launch latency 8, overlaps 2
  span(45, 50, 2, 2);         // 4: launch latency 5
  span(46, 60, 3, 2);         // 5: launch latency 16, goes to a lower row
  return timeline;
}

TEST(GridNesting, PutsGridsUnderWhatLaunchedThem) {
  const GridNesting nesting = nest_grids(nested());
  ASSERT_EQ(nesting.bands.size(), 3u);
  ASSERT_EQ(nesting.grids.size(), 5u);
  EXPECT_EQ(nesting.bands[0].grids, 1u);
  EXPECT_EQ(nesting.bands[0].spans, 2u);
  EXPECT_EQ(nesting.bands[1].grids, 2u);
  EXPECT_EQ(nesting.bands[1].rows, 2u);
  EXPECT_EQ(nesting.bands[2].rows, 2u);
  EXPECT_EQ(nesting.bands[2].begin, 45u);
  EXPECT_EQ(nesting.bands[2].end, 60u);
}

TEST(GridNesting, KeepsRowsFreeOfOverlapsAndInTheOrderOfTheirParents) {
  Timeline timeline = nested();
  TimelineSpan part;  // in the band of its parent, like part of a region, at a time when a row is free
  part.begin = 41;
  part.end = 44;
  part.parent = 2;
  part.level = 1;
  part.launch = 1;
  timeline.spans.insert(timeline.spans.begin() + 4, part);
  timeline.launches.push_back({"dp_part_kernel", 1, {}, {}});
  const GridNesting nesting = nest_grids(timeline);
  EXPECT_EQ(nesting.bands[1].grids, 3u);
  EXPECT_EQ(nesting.bands[1].rows, 2u);
  for (const PlacedGrid& a : nesting.grids) {
    EXPECT_LT(a.row, nesting.bands[a.band].rows);
    EXPECT_EQ(nesting.bands[a.band].level, a.box.level);
    for (const PlacedGrid& b : nesting.grids) {
      if (&a == &b || a.band != b.band || a.row != b.row) continue;
      EXPECT_TRUE(a.box.end <= b.box.begin || b.box.end <= a.box.begin);
    }
  }
  std::vector<std::uint32_t> rows;
  for (const PlacedGrid& grid : nesting.grids) {
    if (grid.box.level == 2) rows.push_back(grid.row);
  }
  EXPECT_EQ(rows, (std::vector<std::uint32_t>{0, 1}));
}

TEST(GridNesting, SaysWhatEachLaunchWaitedFor) {
  const GridNesting nesting = nest_grids(nested());
  const LaunchLatency device = device_launch_latency(nesting);
  EXPECT_EQ(device.launches, 4u);
  EXPECT_EQ(device.longest, 16u);
  EXPECT_EQ(device.median, 8u);
  EXPECT_EQ(device.sum, 5u + 8 + 5 + 16);
  EXPECT_EQ(host_launch_latency(nesting).launches, 0u);
}

// If the host launches level after level, the gaps between levels are the launch latency.
TEST(GridNesting, MeasuresTheHostsPausesBetweenLevels) {
  Timeline timeline;
  timeline.workers.resize(1);
  for (std::uint16_t level = 0; level < 3; ++level) {
    timeline.launches.push_back({"ask_level_kernel", 1, {}, {}});
    TimelineSpan span;
    span.begin = level * 100u;
    span.end = level * 100u + 70;
    span.launch = level;
    span.level = level;
    timeline.spans.push_back(span);
  }
  const GridNesting nesting = nest_grids(timeline);
  EXPECT_EQ(nesting.bands.size(), 3u);
  const LaunchLatency host = host_launch_latency(nesting);
  EXPECT_EQ(host.launches, 2u);
  EXPECT_EQ(host.sum, 60u);
  EXPECT_EQ(host.longest, 30u);
}

// Real CPU timelines: every grid occurs once. The grids of DP have parents, those of ASK have none.
TEST(GridNesting, OfRealMethodsHoldsEveryGridOnce) {
  const auto engine = make_mandelbrot_engine(select_backend(BackendChoice::kCpu));
  MandelbrotView view;
  view.width = view.height = 128;
  for (const MandelbrotMethod method : {MandelbrotMethod::kDp, MandelbrotMethod::kAsk}) {
    MandelbrotConfig config;
    config.method = method;
    config.g = 4;
    config.b = 4;
    const Timeline timeline = engine->record_timeline(config, view, {});
    const GridNesting nesting = nest_grids(timeline);
    ASSERT_GT(nesting.bands.size(), 2u);
    std::uint64_t spans = 0;
    std::uint64_t grids = 0;
    for (const GridBand& band : nesting.bands) {
      spans += band.spans;
      grids += band.grids;
      EXPECT_LE(band.rows, band.grids);
    }
    const auto mirrors = std::count_if(timeline.spans.begin(), timeline.spans.end(),
                                       [](const auto& span) { return span.work == SpanWork::kMirror; });
    EXPECT_EQ(spans + static_cast<std::uint64_t>(mirrors), timeline.spans.size());
    EXPECT_EQ(grids, nesting.grids.size());
    const bool dp = method == MandelbrotMethod::kDp;
    EXPECT_EQ(device_launch_latency(nesting).launches > 0, dp);
    EXPECT_EQ(host_launch_latency(nesting).launches > 0, !dp);
  }
}

}  // namespace
}  // namespace loom::app::explain
