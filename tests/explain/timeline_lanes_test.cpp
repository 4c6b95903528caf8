#include "app/explain/timeline_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "compute/backend/engine_factory.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app::explain {
namespace {

/// Adds a span and updates the sums of its worker.
void add(Timeline& timeline, TimelineSpan span) {
  TimelineWorker& worker = timeline.workers.at(span.worker);
  worker.first_begin = worker.spans == 0 ? span.begin : std::min(worker.first_begin, span.begin);
  worker.last_end = std::max(worker.last_end, span.end);
  worker.busy += span.end - span.begin;
  ++worker.spans;
  timeline.spans.push_back(span);
}

/// Two multiprocessors with two slots each, five thread blocks: the fifth runs alone at the end.
Timeline two_waves() {
  Timeline timeline;
  timeline.clock = "made up";
  timeline.workers.resize(2);
  timeline.launches.push_back({"kernel", 5, {}, {}});
  timeline.launches[0].occupancy = {.kernel = {.threads = 1024, .registers = 32, .shared_bytes = 0},
                                    .processor_threads = 2048,
                                    .blocks = 2,
                                    .by_threads = 2,
                                    .by_blocks = 32,
                                    .by_registers = 2,
                                    .by_shared_memory = 32};
  timeline.launches[0].recorded_occupancy = timeline.launches[0].occupancy;
  add(timeline, {.begin = 0, .end = 100, .block = 0, .worker = 0});
  add(timeline, {.begin = 0, .end = 110, .block = 1, .worker = 1});
  add(timeline, {.begin = 10, .end = 90, .block = 2, .worker = 0});
  add(timeline, {.begin = 10, .end = 120, .block = 3, .worker = 1});
  add(timeline, {.begin = 95, .end = 200, .block = 4, .worker = 0});
  return timeline;
}

TEST(TimelineLanes, PutEachBlockIntoASlotThatIsFree) {
  const Timeline timeline = two_waves();
  const std::vector<Lane> lanes = timeline_lanes(timeline);
  ASSERT_EQ(lanes.size(), 2u);
  EXPECT_EQ(lanes[0].slots, 2u);
  EXPECT_EQ(lanes[1].slots, 2u);
  ASSERT_EQ(lanes[0].spans.size(), 3u);
  const LaneSpan& last = lanes[0].spans[2];
  EXPECT_EQ(last.span, 4u);
  EXPECT_EQ(last.slot, 1u);  // the slot of block 2, which ended at 90; block 0 uses the other slot until 100
  EXPECT_EQ(last.wave, 1u);
  EXPECT_EQ(lanes[0].spans[0].wave, 0u);
}

TEST(TimelineLanes, CountWavesTailAndUse) {
  const TimelineStats figures = timeline_stats(two_waves());
  EXPECT_EQ(figures.duration, 200u);
  EXPECT_EQ(figures.spans, 5u);
  EXPECT_EQ(figures.slots, 2u);
  EXPECT_EQ(figures.max_concurrency, 2u);
  EXPECT_EQ(figures.tail, 80u);
  EXPECT_DOUBLE_EQ(figures.tail_fraction(), 0.4);
  ASSERT_TRUE(figures.waves);
  EXPECT_DOUBLE_EQ(*figures.waves, 1.25);
  EXPECT_EQ(figures.busy, 100u + 110 + 80 + 110 + 105);
  EXPECT_DOUBLE_EQ(figures.slot_utilization, 505.0 / (2 * 2 * 200));
  EXPECT_DOUBLE_EQ(figures.mean_concurrency, 505.0 / (2 * 200));
}

TEST(TimelineLanes, SayWhatShowsMoreThanOneSpan) {
  Timeline timeline = two_waves();
  EXPECT_EQ(single_span_remark(timeline), "");
  timeline.spans.resize(1);
  EXPECT_NE(single_span_remark(timeline).find("larger level"), std::string_view::npos);
  timeline.spans_left_out = 4;
  EXPECT_EQ(single_span_remark(timeline), "");
}

// Each device-side launch has its own waves, so there is no total.
TEST(TimelineLanes, CountNoWavesWhereTheDeviceLaunches) {
  Timeline timeline = two_waves();
  timeline.spans.back().parent = 0;
  EXPECT_FALSE(timeline_stats(timeline).waves);
}

TEST(TimelineLanes, KeepAThreadBlockOfSeveralSpansInItsSlot) {
  Timeline timeline;
  timeline.workers.resize(1);
  timeline.launches.push_back({"ask_level_kernel", 2, {}, {}});
  add(timeline, {.begin = 0, .end = 10, .block = 0, .work = SpanWork::kBorder});
  add(timeline, {.begin = 0, .end = 20, .block = 1, .work = SpanWork::kBorder});
  add(timeline, {.begin = 21, .end = 25, .block = 1, .work = SpanWork::kLeaf});
  add(timeline, {.begin = 26, .end = 30, .block = 0, .work = SpanWork::kFill});
  const std::vector<Lane> lanes = timeline_lanes(timeline);
  ASSERT_EQ(lanes[0].slots, 2u);
  std::vector<std::uint32_t> slots;
  for (const LaneSpan& span : lanes[0].spans) {
    slots.push_back(span.slot);
    EXPECT_EQ(span.wave, 0u);
  }
  EXPECT_EQ(slots, (std::vector<std::uint32_t>{0, 1, 1, 0}));
}

TEST(TimelineGrids, LieUnderTheSpanThatLaunchedThem) {
  Timeline timeline;
  timeline.workers.resize(2);
  timeline.launches.push_back({"dp_region_kernel", 6, {}, {}});
  add(timeline, {.begin = 0, .end = 10, .block = 0, .worker = 0, .level = 0});
  add(timeline, {.begin = 0, .end = 12, .block = 1, .worker = 1, .level = 0});
  add(timeline, {.begin = 20, .end = 30, .block = 0, .worker = 0, .parent = 1, .level = 1});
  add(timeline, {.begin = 21, .end = 35, .block = 1, .worker = 1, .parent = 1, .level = 1});
  add(timeline, {.begin = 40, .end = 41, .block = 0, .worker = 1, .parent = 2, .level = 2});
  const std::vector<GridInterval> grids = timeline_grids(timeline);
  ASSERT_EQ(grids.size(), 3u);
  EXPECT_EQ(grids[0].depth, 0u);
  EXPECT_EQ(grids[0].spans, 2u);
  EXPECT_FALSE(grids[0].parent_grid);
  EXPECT_EQ(grids[1].depth, 1u);
  EXPECT_EQ(grids[1].parent_span, 1u);
  EXPECT_EQ(grids[1].parent_grid, 0u);
  EXPECT_EQ(grids[1].begin, 20u);
  EXPECT_EQ(grids[1].end, 35u);
  EXPECT_EQ(grids[1].busy, 24u);
  EXPECT_EQ(grids[2].depth, 2u);
  EXPECT_EQ(grids[2].parent_grid, 1u);
}

TEST(TimelineGap, IsWhereTheMiddleIsMissing) {
  Timeline timeline = two_waves();
  EXPECT_FALSE(timeline_gap(timeline));
  timeline.spans.erase(timeline.spans.begin() + 2, timeline.spans.begin() + 4);
  timeline.spans_left_out = 2;
  const auto gap = timeline_gap(timeline);
  ASSERT_TRUE(gap);
  EXPECT_EQ(gap->begin, 0u);
  EXPECT_EQ(gap->end, 95u);
}

TEST(TimelineFacts, NameTheLimitAndTheTail) {
  std::map<std::string, std::string> rows;
  for (const TimelineRow& fact : timeline_rows(two_waves())) rows[fact.name] = fact.text;
  EXPECT_NE(rows["launch"].find("limited by threads and registers"), std::string::npos) << rows["launch"];
  EXPECT_EQ(rows["waves"], "1.25: 5 thread blocks, 4 at once");
  EXPECT_NE(rows["tail effect"].find("80 ns, 40.0 %"), std::string::npos) << rows["tail effect"];
  EXPECT_EQ(rows["time"].find("reading the clock"), std::string::npos);
}

TEST(TimelineFacts, SayWhereRecordingShows) {
  Timeline timeline = two_waves();
  timeline.plain_milliseconds = 1;
  timeline.milliseconds = 1.5;
  std::map<std::string, std::string> rows;
  for (const TimelineRow& fact : timeline_rows(timeline)) rows[fact.name] = fact.text;
  EXPECT_NE(rows["time"].find("reading the clock"), std::string::npos) << rows["time"];
}

TEST(TimelineFacts, WriteTimesWithTheirUnit) {
  EXPECT_EQ(duration_text(0), "0 ns");
  EXPECT_EQ(duration_text(999), "999 ns");
  EXPECT_EQ(duration_text(31740), "31.74 µs");
  EXPECT_EQ(duration_text(5200000), "5.2 ms");
  EXPECT_EQ(duration_text(2500000000), "2.5 s");
}

// In a real CPU timeline, each thread runs one span at a time.
TEST(TimelineLanes, OfRealThreadsHaveOneSlot) {
  const FractalConfig config{find_fractal("sierpinski-gasket"), 10, 16, {.map = MapKind::kBoundingBox}};
  const auto engine = make_fractal_engine(config, select_backend(BackendChoice::kCpu));
  const Timeline timeline = engine->record_timeline({});
  std::size_t spans = 0;
  for (const Lane& lane : timeline_lanes(timeline)) {
    EXPECT_LE(lane.slots, 1u);
    spans += lane.spans.size();
    for (std::size_t i = 1; i < lane.spans.size(); ++i) {
      EXPECT_LE(timeline.spans[lane.spans[i - 1].span].end, timeline.spans[lane.spans[i].span].begin);
      EXPECT_EQ(lane.spans[i].wave, i);
    }
  }
  EXPECT_EQ(spans, timeline.spans.size());
  const TimelineStats figures = timeline_stats(timeline);
  EXPECT_GT(figures.duration, 0u);
  EXPECT_LE(figures.slot_utilization, 1.0);
  EXPECT_LE(figures.tail, figures.duration);
  EXPECT_FALSE(figures.waves);
}

}  // namespace
}  // namespace loom::app::explain
