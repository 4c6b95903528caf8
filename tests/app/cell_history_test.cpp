#include <gtest/gtest.h>

#include <algorithm>

#include "app/workspaces/life/scene/cell_source.h"
#include "app/workspaces/life/scene/life_engine.h"
#include "app/workspaces/life/scene/life_settings.h"

namespace loom::app::chronicle_tested {
namespace {

const BackendSelection kCpu{{}, "test"};
const RandomStart kStart{7, 0.4};
const Work kLife{};
const Work kConway{.rule = {1u << 3, (1u << 2) | (1u << 3)}};

FractalConfig scene_of(int level = 5) {
  FractalConfig config = default_life_settings().config;
  set_level(config, level);
  return config;
}

const LifeFrameOutcome& make(AsyncEngine<LifeEngine>& async_engine, const CellSource& cells,
                             const CellSnapshot* near = nullptr, std::uint64_t keep = 0) {
  LifeFrameRequest request;
  request.cells = cells;
  if (near != nullptr) request.near = *near;
  request.keep = keep;
  async_engine.begin(request);
  return *async_engine.finish(kNoTimeout);
}

FractalConfig by_bounding_box() {
  FractalConfig config = scene_of();
  config.method = {.map = MapKind::kBoundingBox};
  return config;
}

/// A history and an engine; both get the same generations and edits, one after the other.
struct Played {
  EditHistory history;
  CellSource cells{kStart};
  std::unique_ptr<FractalEngine> life = make_fractal_engine(by_bounding_box(), kCpu);
  std::vector<std::pair<CellSource, Census>> states;

  Played() {
    life->reset(kStart);
    note();
  }
  void note() {
    history.follow(cells);
    states.emplace_back(cells, life->census());
  }
  void run(std::uint32_t times, const Work& work) {
    for (std::uint32_t i = 0; i < times; ++i) {
      life->run(1, work);
      cells.run(1, work);
      note();
    }
  }
  void flip(Coord64 cell) {
    const bool alive = life->cell(cell).value();
    const std::vector<CellEdit> edits{{cell, !alive}};
    life->edit(edits);
    cells.edit(edits, {{cell, alive}});
    note();
  }
};

TEST(EditHistory, UndoneStatesStayUntilAnotherChange) {
  Played played;
  played.run(10, kLife);
  const CellSource::Ref fourth(played.states[4].first);
  played.flip({0, 3});
  const CellSource::Ref edited(played.cells);
  played.cells = fourth.lock();
  played.history.follow(played.cells);
  played.states.clear();
  EXPECT_TRUE(edited.lock().is_known());
  played.cells.run(1, kConway);
  played.history.follow(played.cells);
  EXPECT_FALSE(edited.lock().is_known());
  EXPECT_TRUE(fourth.lock().is_known());
  EXPECT_EQ(played.history.now().generation(), 5u);
}

TEST(EditHistory, NewCellsKeepTheReplacedOnesKnown) {
  EditHistory history;
  CellSource cells(kStart);
  cells.edit({{{0, 3}, true}}, {{{0, 3}, false}});
  history.follow(cells);
  const CellSource::Ref replaced(cells);
  cells = CellSource(RandomStart{8, 0.4}).begun_after(history.now());
  history.follow(cells);
  EXPECT_TRUE(replaced.lock().is_known());
  EXPECT_EQ(replaced.lock().generations_to(cells), std::nullopt);
  cells = CellSource(kStart);
  history.follow(cells);
  EXPECT_FALSE(replaced.lock().is_known()) << "the history has begun anew";
  EXPECT_EQ(history.bytes(), 0u);
}

TEST(CellSource, EveryStateOfBeforeCanBeMadeAgain) {
  Played played;
  played.run(9, kLife);
  played.flip({0, 3});
  played.flip({5, 31});
  played.run(4, kConway);
  played.flip({0, 0});
  played.run(3, kLife);
  AsyncEngine<LifeEngine> async_engine(first_engine(scene_of(), kCpu, {99, 0.9}));
  ASSERT_EQ(played.states.size(), 20u);
  for (const bool backwards : {false, true}) {
    for (const auto& [cells, census] : played.states) {
      make(async_engine, cells);
      EXPECT_EQ(async_engine.engine().census().hash, census.hash) << cells.depth();
      EXPECT_EQ(async_engine->generation(), cells.generation());
      EXPECT_EQ(async_engine->cells(), cells);
    }
    if (!backwards) std::ranges::reverse(played.states);
  }
}

TEST(CellSource, KeptCellsShortenTheWayAndChangeNothing) {
  Played played;
  played.run(200, kLife);
  AsyncEngine<LifeEngine> async_engine(first_engine(scene_of(), kCpu, kStart));
  const CellSource& wanted = played.states[150].first;
  EXPECT_EQ(generations_to_make(CellSource(), wanted), 150u);
  const LifeFrameOutcome& done = make(async_engine, wanted, nullptr, 64);
  ASSERT_EQ(done.result.snapshots.size(), 64u);
  for (const CellSnapshot& one : done.result.snapshots) {
    played.history.keep(one);
    const auto& [cells, census] = played.states[one.cells.generation()];
    EXPECT_EQ(one.cells, cells);
    EXPECT_EQ(census_of(*one.bits).hash, census.hash);
  }
  for (std::size_t generation = 149; generation >= 86; --generation) {
    const auto& [cells, census] = played.states[generation];
    const CellSnapshot* const near = played.history.nearest(cells);
    ASSERT_NE(near, nullptr);
    EXPECT_EQ(generations_to_make(async_engine->cells(), cells, near), 0u) << generation;
    make(async_engine, cells, near);
    EXPECT_EQ(async_engine.engine().census().hash, census.hash);
  }
}

TEST(CellSource, AStepBackPassesEditsAndEndsAtTheStart) {
  Played played;
  played.run(2, kLife);
  played.flip({0, 3});
  CellSource cells = played.cells;
  for (const std::uint64_t generation : {1u, 0u}) {
    cells = cells.previous_generation();
    ASSERT_TRUE(cells.is_known());
    EXPECT_EQ(cells.generation(), generation);
  }
  EXPECT_EQ(cells, played.states[0].first);
  EXPECT_FALSE(cells.previous_generation().is_known());
}

TEST(CellSource, OneEditIsTakenBackByItsCells) {
  Played played;
  played.run(3, kLife);
  const CellSource before = played.cells;
  played.flip({0, 3});
  played.flip({0, 4});
  const CellSource after = played.cells;
  const auto back = after.patch_to(before);
  ASSERT_TRUE(back.has_value());
  ASSERT_EQ(back->size(), 2u);
  EXPECT_EQ(back->front().cell, (Coord64{0, 4}));
  const auto again = before.patch_to(after);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->front().cell, (Coord64{0, 3}));
  EXPECT_NE(again->front().state, back->back().state);
  played.run(1, kLife);
  EXPECT_FALSE(played.cells.patch_to(before).has_value()) << "a generation separates the states";
  CellSource read = before;
  read.edit({{{0, 3}, true}});
  EXPECT_FALSE(read.patch_to(before).has_value()) << "the previous state is not known";
}

TEST(CellSource, ManyEditsEndWithoutRecursion) {
  CellSource cells(kStart);
  for (int i = 0; i < 1'000'000; ++i) cells.edit({{{0, 3}, true}}, {{{0, 3}, false}});
  EXPECT_EQ(cells.depth(), 1'000'001u);
  cells = {};
  EXPECT_FALSE(cells.is_known());
}

TEST(EditHistory, StaysWithinItsBudget) {
  const auto bits =
      std::make_shared<const CellBits>(CellBits{.count = 8000, .bytes = std::vector<std::uint8_t>(1000)});
  EditHistory history(10000);
  CellSource cells(kStart);
  std::vector<CellSource> states;
  for (int i = 0; i < 500; ++i) {
    cells.run(1, kLife);
    states.push_back(cells);
    history.follow(cells);
    history.keep({cells, bits});
    EXPECT_LE(history.bytes(), history.budget());
  }
  // The newest state has a snapshot, and some older states do.
  EXPECT_EQ(history.generations_to_recompute(), 0u);
  const CellSnapshot* const near = history.nearest(states[400]);
  ASSERT_NE(near, nullptr);
  EXPECT_LT(*near->cells.generations_to(states[400]), 100u);
  int begun = 0;
  for (int i = 0; i < 4000; ++i) {
    const Coord64 cell{0, static_cast<std::uint64_t>(i % 32)};
    cells.edit({{cell, true}}, {{cell, false}});
    history.follow(cells);
    if (!history.overflows()) continue;
    cells = CellSource(bits, cells.generation());  // as LifeFrameRequest::begins_anew does
    ++begun;
    history.follow(cells);
    EXPECT_FALSE(history.overflows());
  }
  EXPECT_GT(begun, 10);
  EXPECT_EQ(history.now(), cells);
  EXPECT_LE(history.bytes(), history.budget());
}

TEST(CellSource, SaysWhatGrewFromAStartAlone) {
  Played played;
  EXPECT_TRUE(played.cells.is_start());
  played.run(12, kConway);
  EXPECT_TRUE(played.cells.is_plain());
  EXPECT_EQ(played.cells.generation(), 12u);
  EXPECT_EQ(played.cells.work().rule, kConway.rule);
  played.flip({0, 3});
  EXPECT_FALSE(played.cells.is_plain()) << "the cells were edited";
  Played other;
  other.run(2, kLife);
  other.run(1, kConway);
  EXPECT_FALSE(other.cells.is_plain()) << "two rules were applied";
}

/// So many generations that they never end in a test.
LifeFrameRequest endless(const RandomStart& start) {
  LifeFrameRequest request;
  request.cells = CellSource(start, kLife, 40000000);
  return request;
}

TEST(LifeEngine, CancelledMakingLeavesTheCellsAsTheyWere) {
  AsyncEngine<LifeEngine> async_engine(first_engine(scene_of(9), kCpu, kStart));
  const CellSource cells = async_engine->cells();
  const Census before = async_engine.engine().census();
  async_engine.begin(endless({1, 0.5}));
  ASSERT_TRUE(async_engine.busy()) << "this runs in the background";
  async_engine.cancel();
  const LifeFrameOutcome& done = *async_engine.finish(kNoTimeout);
  EXPECT_TRUE(done.cancelled);
  EXPECT_EQ(async_engine.engine().census().hash, before.hash);
  EXPECT_EQ(async_engine->generation(), 0u);
  EXPECT_EQ(async_engine->cells(), cells);
}

TEST(LifeEngine, BeginsAnewWithCopiedCells) {
  AsyncEngine<LifeEngine> async_engine(first_engine(scene_of(), kCpu, kStart));
  LifeFrameRequest request;
  request.edits = {{{0, 3}, true}, {{0, 4}, true}};
  request.generations = 2;
  request.take_cells = request.begins_anew = true;
  async_engine.begin(request);
  const LifeFrameOutcome& done = *async_engine.finish(kNoTimeout);
  EXPECT_EQ(async_engine->cells().bits(), done.result.cells);
  EXPECT_EQ(async_engine->cells().generation(), 2u);
  EXPECT_EQ(async_engine->cells(), async_engine->cells().beginning());
}

TEST(EditHistory, KeepsNoCellsThatWouldFillItsBudget) {
  EditHistory history;
  history.follow(CellSource(kStart, kLife, 1000));
  const std::uint64_t most = EditHistory::kBudget / 2 * 8;  // one bit per cell
  const double slow_ms = 100;
  EXPECT_TRUE(history.should_save_now(most, slow_ms));
  EXPECT_TRUE(history.should_save_before(most, slow_ms));
  EXPECT_FALSE(history.should_save_now(2 * most, slow_ms));
  EXPECT_FALSE(history.should_save_before(2 * most, slow_ms));
}

}  // namespace
}  // namespace loom::app::chronicle_tested
