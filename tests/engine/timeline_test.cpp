#include <algorithm>
#include <map>
#include <set>

#include "backend.h"
#include "compute/backend/engine_factory.h"
#include "compute/map/dispatch.h"
#include "compute/map/tiling.h"

namespace loom {
namespace {

using tests::describe;

/// Checks the invariants of every timeline.
void expect_consistent(const Timeline& timeline) {
  std::uint64_t kept = 0;
  std::uint64_t all = 0;
  std::uint64_t earliest = ~std::uint64_t{0};
  ASSERT_FALSE(timeline.workers.empty());
  EXPECT_GT(timeline.resolution, 0u);
  std::vector<TimelineWorker> sums(timeline.workers.size());
  std::uint64_t before = 0;
  for (std::uint32_t i = 0; i < timeline.spans.size(); ++i) {
    const TimelineSpan& span = timeline.spans[i];
    ASSERT_LT(span.worker, timeline.workers.size());
    ASSERT_LT(span.launch, timeline.launches.size());
    EXPECT_LE(span.begin, span.end);
    EXPECT_LE(before, span.begin);
    before = span.begin;
    if (span.parent != kNoParent) {
      ASSERT_LT(span.parent, i);
      EXPECT_LE(timeline.spans[span.parent].begin, span.begin);
    }
    TimelineWorker& sum = sums[span.worker];
    sum.first_begin = sum.spans == 0 ? span.begin : std::min(sum.first_begin, span.begin);
    sum.last_end = std::max(sum.last_end, span.end);
    sum.busy += span.end - span.begin;
    ++sum.spans;
    ++kept;
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const TimelineWorker& worker = timeline.workers[i];
    all += worker.spans;
    if (worker.spans > 0) earliest = std::min(earliest, worker.first_begin);
    EXPECT_LE(sums[i].spans, worker.spans);
    EXPECT_LE(sums[i].busy, worker.busy);
    if (timeline.spans_left_out > 0) continue;
    EXPECT_EQ(sums[i].spans, worker.spans);
    EXPECT_EQ(sums[i].busy, worker.busy);
    EXPECT_EQ(sums[i].first_begin, worker.first_begin);
    EXPECT_EQ(sums[i].last_end, worker.last_end);
  }
  EXPECT_EQ(earliest, 0u);
  EXPECT_EQ(all, kept + timeline.spans_left_out);
}

/// The maximum number of overlapping spans per worker. At equal times, ends count before begins.
std::map<std::uint32_t, std::int64_t> most_at_once(const Timeline& timeline) {
  std::map<std::uint32_t, std::vector<std::pair<std::uint64_t, int>>> changes;
  for (const TimelineSpan& span : timeline.spans) {
    changes[span.worker].push_back({span.begin, 1});
    changes[span.worker].push_back({span.end, -1});
  }
  std::map<std::uint32_t, std::int64_t> most;
  for (auto& [worker, steps] : changes) {
    std::sort(steps.begin(), steps.end());
    std::int64_t now = 0;
    for (const auto& [time, change] : steps) most[worker] = std::max(most[worker], now += change);
  }
  return most;
}

class LifeTimeline : public tests::EngineTest {
 protected:
  bool on_gpu() const { return backend_.device.kind == BackendKind::kCuda; }
  /// The number of work items of the launch: thread blocks on the GPU, rho x rho tiles on the CPU.
  std::uint64_t pieces_of(const FractalConfig& config) const {
    const TiledFractal fractal = make_tiled_fractal(config.fractal, config.level, config.tile_size);
    const LaunchShape shape = launch_shape(config.method, fractal);
    return on_gpu() ? gpu_launch(config.method, fractal, shape).thread_blocks() : shape.tiles();
  }
};

TEST_F(LifeTimeline, HasEveryBlockOnceAndLeavesTheCellsAlone) {
  for (const char* name : {"sierpinski-gasket", "candy"}) {
    const NbbFractal fractal = find_fractal(name);
    const int level = fractal.shape().s_x == 2 ? 6 : 3;
    for (const FractalConfig& config : all_methods(fractal, level, MethodSet::kAllTiles)) {
      if (config.method.storage == CellStorage::kBits) continue;  // rejected, see OfBitsIsRefused
      SCOPED_TRACE(describe(config) + " tiles " + std::to_string(config.method.tiles));
      const auto engine = make(config);
      engine->reset({.seed = 3, .density = 0.4});
      engine->step(2, {});
      const Census before = engine->census();
      const Timeline timeline = engine->record_timeline({});
      EXPECT_EQ(engine->census().hash, before.hash);
      EXPECT_EQ(engine->generation(), 2u);
      expect_consistent(timeline);
      EXPECT_EQ(timeline.spans_left_out, 0u);
      std::set<std::uint64_t> seen;
      for (const TimelineSpan& span : timeline.spans) {
        EXPECT_EQ(span.work, SpanWork::kBlocks);
        for (std::uint64_t i = 0; i < span.count; ++i) EXPECT_TRUE(seen.insert(span.block + i).second);
      }
      const std::uint64_t pieces = pieces_of(config);
      ASSERT_EQ(seen.size(), pieces);
      EXPECT_EQ(*seen.rbegin(), pieces - 1);
      // Recording a generation does not affect later generations.
      const auto other = make(config);
      other->reset({.seed = 3, .density = 0.4});
      other->step(4, {});
      engine->step(2, {});
      EXPECT_EQ(engine->census().hash, other->census().hash);
    }
  }
}

// Does not hold under a tool that slows instructions down: finished warps free resources for the next
// thread block, and the warp that reads the end time would read it too late.
TEST_F(LifeTimeline, NoWorkerDoesMoreAtOnceThanItCan) {
  for (const MapKind map : {MapKind::kBoundingBox, MapKind::kLambda, MapKind::kCompact}) {
    for (const std::uint32_t tile_size : {4u, 8u, 16u}) {
      const FractalConfig config{find_fractal("sierpinski-gasket"), 10, tile_size, {.map = map}};
      SCOPED_TRACE(describe(config));
      const Timeline timeline = make(config)->record_timeline({});
      expect_consistent(timeline);
      ASSERT_EQ(timeline.launches.size(), 1u);
      const std::int64_t can = on_gpu() ? timeline.launches[0].recorded_occupancy.blocks : 1;
      EXPECT_GE(can, 1);
      for (const auto& [worker, most] : most_at_once(timeline)) EXPECT_LE(most, can) << "worker " << worker;
      EXPECT_EQ(timeline.launches[0].blocks,
                on_gpu() ? pieces_of(config) : static_cast<std::uint64_t>(timeline.spans.size()));
    }
  }
}

TEST_F(LifeTimeline, OfBitsIsRefused) {
  for (const MapKind map : {MapKind::kCompact, MapKind::kBoundingBox}) {
    const auto engine =
        make({find_fractal("sierpinski-gasket"), 6, 1, {.map = map, .storage = CellStorage::kBits}});
    EXPECT_THROW(engine->record_timeline({}), InputError);
  }
}

// CUDA's occupancy calculator gives the same number of blocks as the occupancy rules.
TEST_F(LifeTimeline, SaysWhatLimitsTheOccupancy) {
  if (!on_gpu()) GTEST_SKIP() << "the CPU has no occupancy";
  for (const FractalConfig& config :
       all_methods(find_fractal("sierpinski-gasket"), 6, MethodSet::kAllTiles)) {
    if (config.method.storage == CellStorage::kBits) continue;
    SCOPED_TRACE(describe(config) + " tiles " + std::to_string(config.method.tiles));
    const Timeline timeline = make(config)->record_timeline({});
    for (const Occupancy& occupancy :
         {timeline.launches[0].occupancy, timeline.launches[0].recorded_occupancy}) {
      const std::uint32_t least = std::min(
          {occupancy.by_threads, occupancy.by_blocks, occupancy.by_registers, occupancy.by_shared_memory});
      EXPECT_EQ(occupancy.blocks, least);
      EXPECT_NE(limited_by(occupancy), "other");
    }
  }
}

TEST_F(LifeTimeline, KeepsTheFirstAndTheLastOfTooMany) {
  const FractalConfig config{
      find_fractal("sierpinski-gasket"), 10, 1, {.map = MapKind::kBoundingBox, .tiles = 1}};
  const auto engine = make(config);
  const Timeline all = engine->record_timeline({});
  std::set<std::uint64_t> blocks;
  const Timeline some = engine->record_timeline({.rule = {}, .max_spans = 11});
  expect_consistent(some);
  for (const TimelineSpan& span : some.spans) blocks.insert(span.block);
  const std::uint64_t spans = all.spans.size() + all.spans_left_out;
  ASSERT_GT(spans, 11u);
  EXPECT_EQ(some.spans.size(), 11u);
  EXPECT_EQ(some.spans_left_out, spans - 11);
  EXPECT_EQ(*blocks.begin(), 0u);
  const std::uint64_t step = *std::next(blocks.begin());  // blocks per span
  for (std::uint64_t i = 0; i < 6; ++i) EXPECT_TRUE(blocks.contains(i * step));
  for (std::uint64_t i = 0; i < 5; ++i) EXPECT_TRUE(blocks.contains((spans - 1 - i) * step));
}

TEST_F(LifeTimeline, RefusesToKeepLessThanTwoSpans) {
  const auto engine = make({find_fractal("sierpinski-gasket"), 4, 4, {}});
  EXPECT_THROW(engine->record_timeline({.rule = {}, .max_spans = 1}), InputError);
}

class MandelbrotTimeline : public tests::EngineTest {
 protected:
  void SetUp() override {
    EngineTest::SetUp();
    if (!IsSkipped()) engine_ = make_mandelbrot_engine(backend_);
  }
  bool on_gpu() const { return backend_.device.kind == BackendKind::kCuda; }
  std::vector<std::uint32_t> dwells() const {
    std::vector<std::uint32_t> result(engine_->view().pixels());
    engine_->read_dwells(0, result);
    return result;
  }
  /// The number of spans per level and kind of work.
  static std::map<std::pair<std::uint32_t, SpanWork>, std::uint64_t> counts(const Timeline& timeline) {
    std::map<std::pair<std::uint32_t, SpanWork>, std::uint64_t> result;
    for (const TimelineSpan& span : timeline.spans) ++result[{span.level, span.work}];
    return result;
  }
  std::unique_ptr<MandelbrotEngine> engine_;
};

TEST_F(MandelbrotTimeline, HasEveryRegionOnceAndTheSameImage) {
  const MandelbrotView view{.window = {}, .width = 256, .height = 192};
  for (const MandelbrotMethod method : {MandelbrotMethod::kAsk, MandelbrotMethod::kDp}) {
    for (const RegionScheme scheme : kRegionSchemes) {
      for (const MandelbrotOptimisations& optimisations : {MandelbrotOptimisations{}, kNoOptimisations}) {
        MandelbrotConfig config{.method = method, .scheme = scheme, .g = 4, .r = 2, .b = 8};
        config.optimisations = optimisations;
        SCOPED_TRACE(std::string(name_of(method)) + "-" + std::string(name_of(scheme)) + " " +
                     to_string(optimisations));
        const MandelbrotReport report = engine_->compute(config, view);
        const std::vector<std::uint32_t> expected = dwells();
        const Timeline timeline = engine_->record_timeline(config, view, {});
        EXPECT_TRUE(dwells() == expected);
        expect_consistent(timeline);
        EXPECT_EQ(timeline.spans_left_out, 0u);
        auto found = counts(timeline);
        ASSERT_GT(report.levels.size(), 2u);
        const bool in_parts = on_gpu() && scheme == RegionScheme::kMbr;
        for (std::uint32_t level = 0; level < report.levels.size(); ++level) {
          const MandelbrotLevel& counted = report.levels[level];
          const auto of = [&](SpanWork work) { return found[{level, work}]; };
          EXPECT_EQ(of(SpanWork::kBorder), on_gpu() ? counted.regions : 0);
          EXPECT_EQ(of(SpanWork::kSplit), counted.splits);
          if (in_parts) {  // one span for the hand-over, and one per thread block that works on the region
            EXPECT_GE(of(SpanWork::kFill), 2 * counted.filled);
            EXPECT_GE(of(SpanWork::kLeaf), 2 * counted.leaves);
          } else {
            EXPECT_EQ(of(SpanWork::kFill), counted.filled);
            EXPECT_EQ(of(SpanWork::kLeaf), counted.leaves);
          }
        }
      }
    }
  }
}

// Spans of child launches (GPU) and child tasks (CPU) refer to the span that launched them.
TEST_F(MandelbrotTimeline, OfDynamicParallelismKnowsWhoLaunchedWhom) {
  const MandelbrotView view{.window = {}, .width = 256, .height = 256};
  for (const bool join : {false, true}) {
    MandelbrotConfig config{.method = MandelbrotMethod::kDp, .g = 4, .r = 2, .b = 8};
    config.optimisations.join = join;
    const Timeline timeline = engine_->record_timeline(config, view, {});
    expect_consistent(timeline);
    std::uint64_t children = 0;
    for (const TimelineSpan& span : timeline.spans) {
      if (span.level == 0) {
        EXPECT_EQ(span.parent, kNoParent);
        continue;
      }
      ASSERT_NE(span.parent, kNoParent);
      const TimelineSpan& parent = timeline.spans[span.parent];
      EXPECT_EQ(parent.level + 1, span.level);
      // With "join", the last block of a grid to finish launches for all, even if its own region is not
      // split.
      if (!join || !on_gpu()) {
        EXPECT_EQ(parent.work, SpanWork::kSplit);
      }
      EXPECT_GE(span.begin, parent.begin);
      ++children;
    }
    EXPECT_GT(children, 100u);
  }
}

TEST_F(MandelbrotTimeline, OfAskComesLevelAfterLevel) {
  const MandelbrotView view{.window = {}, .width = 256, .height = 256};
  const MandelbrotConfig config{.method = MandelbrotMethod::kAsk, .g = 4, .r = 2, .b = 8};
  const Timeline timeline = engine_->record_timeline(config, view, {});
  struct Extent {
    std::uint32_t level;
    std::uint64_t begin;
    std::uint64_t end;
  };
  std::map<std::uint32_t, Extent> launches;  // a level may have several
  std::set<std::uint32_t> levels;
  for (const TimelineSpan& span : timeline.spans) {
    if (span.work == SpanWork::kMirror) continue;
    Extent& extent =
        launches.try_emplace(span.launch, Extent{span.level, span.begin, span.end}).first->second;
    extent.end = std::max(extent.end, span.end);
    EXPECT_EQ(span.level, extent.level);
    levels.insert(span.level);
  }
  ASSERT_GT(levels.size(), 2u);
  const Extent* before = nullptr;
  for (const auto& [launch, extent] : launches) {
    EXPECT_TRUE(before == nullptr || (extent.level >= before->level && extent.begin >= before->end))
        << launch;
    before = &extent;
  }
}

TEST_F(MandelbrotTimeline, OfTheExhaustiveMethodHasEveryPixelsBlock) {
  const MandelbrotView view{.window = {}, .width = 250, .height = 130};
  const MandelbrotConfig config{.method = MandelbrotMethod::kExhaustive, .dwell_limit = 100};
  const Timeline timeline = engine_->record_timeline(config, view, {});
  expect_consistent(timeline);
  std::set<std::uint64_t> blocks;
  for (const TimelineSpan& span : timeline.spans) {
    EXPECT_EQ(span.work, SpanWork::kPixels);
    for (std::uint64_t i = 0; i < span.count; ++i) EXPECT_TRUE(blocks.insert(span.block + i).second);
  }
  EXPECT_EQ(blocks.size(), on_gpu() ? 16u * 9 : 130u);
  const Timeline some = engine_->record_timeline(config, view, {.rule = {}, .max_spans = 4});
  expect_consistent(some);
  EXPECT_EQ(some.spans.size(), 4u);
}

TEST_F(MandelbrotTimeline, KeepsNoMoreSpansThanWished) {
  const MandelbrotView view{.window = {}, .width = 256, .height = 256};
  for (const MandelbrotMethod method : {MandelbrotMethod::kAsk, MandelbrotMethod::kDp}) {
    const MandelbrotConfig config{.method = method, .g = 4, .r = 2, .b = 8};
    const Timeline timeline = engine_->record_timeline(config, view, {.rule = {}, .max_spans = 20});
    expect_consistent(timeline);
    EXPECT_LE(timeline.spans.size(), 20u);
    EXPECT_GT(timeline.spans_left_out, 100u);
  }
}

TEST_F(MandelbrotTimeline, RefusesWhatNoCopyIsCompiledFor) {
  if (!on_gpu()) GTEST_SKIP() << "the CPU records in both precisions";
  MandelbrotConfig config;
  config.precision = Precision::kDouble;
  EXPECT_THROW(engine_->record_timeline(config, {}, {}), InputError);
}

}  // namespace
}  // namespace loom
