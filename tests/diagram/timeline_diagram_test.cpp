#include <gtest/gtest.h>

#include <algorithm>

#include "app/explain/diagram/diagrams.h"
#include "compute/backend/engine_factory.h"
#include "compute/geometry/nbb_catalog.h"
#include "texts.h"

namespace loom::app::diagram {
namespace {

/// Two workers with two slots each; the second has a second wave.
Timeline made_up() {
  Timeline timeline;
  timeline.clock = "made up";
  TimelineLaunch launch;
  launch.kernel = "life";
  launch.blocks = 5;
  timeline.launches.push_back(launch);
  const auto span = [&](std::uint32_t worker, std::uint64_t block, std::uint64_t begin, std::uint64_t end) {
    TimelineSpan one;
    one.begin = begin;
    one.end = end;
    one.block = block;
    one.worker = worker;
    timeline.spans.push_back(one);
  };
  span(0, 0, 0, 500);
  span(0, 1, 0, 400);
  span(1, 2, 10, 300);
  span(1, 3, 20, 1000);
  span(1, 4, 320, 900);
  timeline.workers = {{.spans = 2, .busy = 900, .first_begin = 0, .last_end = 500},
                      {.spans = 3, .busy = 1850, .first_begin = 10, .last_end = 1000}};
  return timeline;
}

std::size_t data_fills(const Diagram& diagram, float above) {
  std::size_t fills = 0;
  for (const Diagram::Shape& shape : diagram.shapes()) {
    const auto* const fill = std::get_if<Fill>(&shape);
    fills +=
        fill != nullptr && std::holds_alternative<glm::u8vec3>(fill->paint) && fill->box.corner.y < above;
  }
  return fills;
}

// If all spans are wide enough, each has its own rectangle. The legend lists every wave.
TEST(TimelineSketch, HasEverySpan) {
  const Diagram diagram = timeline_diagram(made_up(), {.width = 60, .height = 20, .least = 0.01f});
  EXPECT_EQ(data_fills(diagram, 21.5f), 5u);
  EXPECT_TRUE(says(diagram, "wave 2"));
  EXPECT_FALSE(says(diagram, "wave 3"));
  EXPECT_TRUE(says(diagram, "life: 5 work items"));
}

// Spans that are too narrow to be visible are merged with adjacent spans.
TEST(TimelineSketch, JoinsWhatIsTooNarrow) {
  Timeline timeline = made_up();
  timeline.spans.clear();
  for (std::uint64_t i = 0; i < 10000; ++i) {
    TimelineSpan one;
    one.begin = i * 10;
    one.end = i * 10 + 9;
    one.block = i;
    timeline.spans.push_back(one);
  }
  for (TimelineSpan& span : timeline.spans) span.work = SpanWork::kPixels;
  timeline.spans.back().work = SpanWork::kMirror;  // two kinds of work, so that colours show the work
  timeline.workers = {{.spans = 10000, .busy = 90000, .first_begin = 0, .last_end = 99999}, {}};
  const Diagram diagram = timeline_diagram(timeline, {.width = 60, .height = 20, .least = 0.05f});
  const std::size_t fills = data_fills(diagram, 21.5f);
  EXPECT_LT(fills, 10u);
  EXPECT_GE(fills, 2u);
}

TEST(TimelineSketch, DrawsWhatTheCpuDid) {
  FractalConfig config{.fractal = catalog().front(), .level = 8, .tile_size = 4};
  const auto engine = make_fractal_engine(config, select_backend(BackendChoice::kCpu, 0));
  engine->reset({});
  const Diagram diagram = timeline_diagram(engine->record_timeline({}), {});
  EXPECT_GE(data_fills(diagram, 21.5f), 1u);
  EXPECT_TRUE(says(diagram, "Work of each CPU thread"));
  ASSERT_EQ(diagram.tables().size(), 1u);
  EXPECT_GE(diagram.tables().front().rows.size(), 5u);
}

// Several grids are drawn below the lanes, one band per level; a single grid is not.
TEST(TimelineSketch, DrawsWhichGridLaunchedWhich) {
  Timeline timeline = made_up();
  EXPECT_FALSE(says(timeline_diagram(timeline, {}), "level 0"));
  for (std::size_t i = 2; i < timeline.spans.size(); ++i) {
    timeline.spans[i].parent = i < 4 ? 0 : 2;
    timeline.spans[i].level = i < 4 ? 1 : 2;
  }
  const Diagram diagram = timeline_diagram(timeline, {.least = 0.01f});
  EXPECT_TRUE(says(diagram, "level 2"));
  EXPECT_TRUE(says(diagram, "below the task that created it"));
  EXPECT_TRUE(says(diagram, "2 groups of tasks by other tasks"));
  // Rectangles of spans and grids, and of three levels and two waves in the legend.
  EXPECT_EQ(data_fills(diagram, 1000), 5u + 3 + 3 + 2);
}

// A point inside a rectangle finds its span; a point between rectangles finds none.
TEST(TimelineSketch, FindsTheSpanAtAPlace) {
  const Timeline timeline = made_up();
  const TimelineDrawing drawing = timeline_drawing(timeline, {.width = 100, .height = 20});
  const auto at = [&](std::uint64_t time, float share_of_height) {
    const glm::vec2 place{0.1f * static_cast<float>(time), share_of_height * drawing.lanes.size.y};
    return drawing.span_at(timeline, drawing.lanes.corner + place);
  };
  EXPECT_EQ(at(100, 0.1f), 0u);
  EXPECT_EQ(at(100, 0.3f), 1u);
  EXPECT_EQ(at(450, 0.3f), std::nullopt);  // block 1 has ended
  EXPECT_EQ(at(100, 0.6f), 2u);
  EXPECT_EQ(at(400, 0.6f), 4u);
  EXPECT_EQ(at(100, 0.49f), std::nullopt);  // between two lanes
  EXPECT_EQ(drawing.span_at(timeline, {0, 5}), std::nullopt);
}

TEST(TimelineSketch, SaysWhereNothingRan) {
  EXPECT_TRUE(says(timeline_diagram({}, {}), "No span"));
}

}  // namespace
}  // namespace loom::app::diagram
