#include "backend.h"

namespace loom {
namespace {

using tests::describe;
using tests::pixels_of;

class Frame : public tests::EngineTest {};

Viewport view_of(int pixels, std::int64_t cells_a_pixel) {
  Viewport view;
  for (int i = 0; i <= pixels; ++i) {
    view.x_edges.push_back(i * cells_a_pixel);
    view.y_edges.push_back(i * cells_a_pixel);
  }
  return view;
}

TEST_F(Frame, EqualsTheSeparateCallsOnEveryMethod) {
  const std::vector<CellEdit> edits = {{{0, 0}, true},  {{3, 7}, true}, {{15, 0}, true},
                                       {{0, 0}, false}, {{1, 1}, true}, {{99, 99}, true}};
  const Work works[] = {{}, {.workload = Workload::kSingleWrite}, {.workload = Workload::kReduction}};
  for (const FractalConfig& config : all_methods(find_fractal("sierpinski-gasket"), 4, MethodSet::kAll)) {
    SCOPED_TRACE(describe(config));
    const auto whole = make(config);
    const auto parts = make(config);
    whole->reset({4, 0.5});
    parts->reset({4, 0.5});
    for (const Work& work : works) {
      for (const std::int64_t cells_a_pixel : {1, 5}) {  // gather and scatter
        const Viewport view = view_of(static_cast<int>(16 / cells_a_pixel), cells_a_pixel);
        const FrameReport frame = whole->frame({.edits = edits,
                                                .generations = 3,
                                                .work = work,
                                                .viewport = &view,
                                                .space = MemorySpace::kHost,
                                                .probe = Coord64{1, 1}});
        EXPECT_EQ(frame.edited, parts->edit(edits));
        const StepReport step = parts->run(3, work);
        ImageView image;
        const StepReport resolve = parts->resolve(view, MemorySpace::kHost, image);
        EXPECT_EQ(pixels_of(frame.image), pixels_of(image));
        EXPECT_EQ(frame.probed, parts->cell({1, 1}));
        EXPECT_EQ(frame.step.sum, step.sum);
        EXPECT_EQ(frame.step.generations, 3u);
        EXPECT_EQ(frame.step.bytes_moved, step.bytes_moved);
        EXPECT_EQ(frame.step.allocated_bytes, step.allocated_bytes);
        EXPECT_EQ(frame.resolve.allocated_bytes, resolve.allocated_bytes);
        EXPECT_FALSE(frame.cancelled);
        EXPECT_EQ(whole->generation(), parts->generation());
        ASSERT_EQ(whole->census().hash, parts->census().hash);
      }
    }
  }
}

TEST_F(Frame, FramesThatAreBegunTogetherEndAsThoseDoneOneByOne) {
  const Viewport view = view_of(3, 5);
  std::vector<FractalConfig> configs = all_methods(find_fractal("sierpinski-gasket"), 4, MethodSet::kMaps);
  configs.erase(configs.begin() + std::min<std::ptrdiff_t>(4, std::ssize(configs)), configs.end());
  std::vector<std::unique_ptr<FractalEngine>> panes;
  for (const FractalConfig& config : configs) {
    panes.push_back(make(config));
    panes.back()->reset({4, 0.5});
  }
  const auto alone = make(configs.front());
  alone->reset({4, 0.5});
  for (int frame = 0; frame < 3; ++frame) {
    FrameRequest request{.generations = 2, .viewport = &view, .probe = Coord64{1, 1}};
    for (const auto& pane : panes) {
      pane->begin_frame(request);
      request.after = pane.get();
    }
    request.after = nullptr;
    const FrameReport expected = alone->frame(request);
    for (const auto& pane : panes) {
      SCOPED_TRACE(describe(pane->config()));
      const FrameReport done = pane->end_frame();
      EXPECT_EQ(done.step.generations, 2u);
      EXPECT_EQ(pixels_of(done.image), pixels_of(expected.image));
      EXPECT_EQ(done.probed, expected.probed);
      EXPECT_GE(done.step.milliseconds, 0);
      EXPECT_EQ(pane->generation(), alone->generation());
      ASSERT_EQ(pane->census().hash, alone->census().hash);
    }
  }
}

TEST_F(Frame, AnEngineGoesWithAFrameThatNobodyEnds) {
  const Viewport view = view_of(3, 5);
  for (int i = 0; i < 20; ++i) {
    const auto engine = make({find_fractal("sierpinski-gasket"), 8, 16, {.map = MapKind::kCompact}});
    engine->begin_frame({.generations = 50, .viewport = &view});
  }
}

TEST_F(Frame, DoesOnlyWhatIsRequested) {
  const auto engine = make({find_fractal("vicsek"), 3, 3, {.map = MapKind::kCompact}});
  engine->reset({1, 0.5});
  const Census before = engine->census();
  const FrameReport nothing = engine->frame({});
  EXPECT_EQ(nothing.edited, 0u);
  EXPECT_EQ(nothing.step.generations, 0u);
  EXPECT_EQ(nothing.image.width, 0);
  EXPECT_EQ(nothing.probed, std::nullopt);
  EXPECT_EQ(engine->census().hash, before.hash);
  FrameRequest hole;
  hole.probe = Coord64{0, 0};  // a hole of the Vicsek fractal
  EXPECT_EQ(engine->frame(hole).probed, std::nullopt);
  hole.probe = Coord64{1000, 0};
  EXPECT_EQ(engine->frame(hole).probed, std::nullopt);
}

TEST_F(Frame, ACancelledFrameSaysSoAndShowsNothing) {
  const auto engine = make({find_fractal("vicsek"), 3, 3, {.map = MapKind::kLambda}});
  engine->reset({1, 0.5});
  const Census before = engine->census();
  ProgressMonitor watch;
  watch.cancel();
  engine->set_monitor(&watch);
  const Viewport view = view_of(27, 1);
  for (const std::uint32_t generations : {0u, 5u}) {
    const FrameReport frame = engine->frame({.edits = {},
                                             .generations = generations,
                                             .work = {},
                                             .viewport = &view,
                                             .space = MemorySpace::kHost,
                                             .probe = Coord64{1, 1}});
    EXPECT_TRUE(frame.cancelled);
    EXPECT_EQ(frame.step.generations, 0u);
    EXPECT_EQ(frame.image.width, 0);
    EXPECT_EQ(frame.probed, std::nullopt);
  }
  engine->set_monitor(nullptr);
  EXPECT_EQ(engine->census().hash, before.hash);
}

TEST_F(Frame, EditsInASpanEqualSingleOnesAndTheLastOfACellCounts) {
  const NbbFractal& fractal = find_fractal("sierpinski-carpet");
  std::vector<CellEdit> edits;
  std::uint64_t state = 12345;
  for (int i = 0; i < 3000; ++i) {  // 82 x 82 positions, including holes, positions outside and repeats
    state = state * 6364136223846793005 + 1442695040888963407;
    edits.push_back({{(state >> 33) % 82, (state >> 43) % 82}, (state >> 60) % 2 == 0});
  }
  for (const FractalConfig& config : all_methods(fractal, 4, MethodSet::kMaps)) {
    SCOPED_TRACE(describe(config));
    const auto at_once = make(config);
    const auto one_by_one = make(config);
    std::uint64_t cells = 0;
    for (const CellEdit& edit : edits) {
      const std::uint64_t edited = one_by_one->edit({&edit, 1});
      EXPECT_EQ(edited, one_by_one->cell(edit.cell).has_value() ? 1u : 0u);
      cells += edited;
    }
    EXPECT_EQ(at_once->edit(edits), cells);
    EXPECT_LT(cells, edits.size());
    const Census census = at_once->census();
    EXPECT_GT(census.population, 0u);
    EXPECT_EQ(census.hash, one_by_one->census().hash);
    // By definition, the last edit of a cell wins.
    for (std::size_t i = edits.size() - 50; i < edits.size(); ++i) {
      bool last = true;
      for (std::size_t j = i + 1; j < edits.size(); ++j) last = last && !(edits[j].cell == edits[i].cell);
      const auto cell = at_once->cell(edits[i].cell);
      if (cell && last) {
        EXPECT_EQ(*cell, edits[i].state);
      }
    }
  }
}

}  // namespace
}  // namespace loom
