#include "app/workspaces/life/scene/cell_history.h"

#include <gtest/gtest.h>

#include "app/workspaces/life/run/edit_history.h"
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

const LifeFrameOutcome& replayed(AsyncEngine<LifeEngine>& async_engine, StateRestore way) {
  LifeFrameRequest request;
  request.restore = std::make_shared<const StateRestore>(std::move(way));
  async_engine.begin(request);
  return *async_engine.finish(kNoTimeout);
}

FractalConfig by_bounding_box() {
  FractalConfig config = scene_of();
  config.method = {.map = MapKind::kBoundingBox};
  return config;
}

/// A cell history and an engine; both get the same generations and edits, one after the other.
struct Played {
  CellHistory cell_history;
  std::unique_ptr<FractalEngine> life = make_fractal_engine(by_bounding_box(), kCpu);
  std::vector<std::pair<StateId, Census>> states;

  Played() {
    life->reset(kStart);
    cell_history.begin(scene_of().fractal, 5, {.start = kStart});
    note();
  }
  void note() { states.emplace_back(cell_history.now(), life->census()); }
  void run(std::uint32_t times, const Work& work) {
    for (std::uint32_t i = 0; i < times; ++i) {
      life->run(1, work);
      cell_history.run(1, work);
      note();
    }
  }
  void flip(Coord64 cell) {
    const bool alive = life->cell(cell).value();
    const std::vector<CellEdit> edits{{cell, !alive}};
    life->edit(edits);
    cell_history.edit(edits, {{cell, alive}});
    note();
  }
};

TEST(CellHistory, TheCurrentStateStaysWhenEditsOfUndoneStatesFillTheBudget) {
  CellHistory history(1024);
  history.begin(scene_of().fractal, 5, {.start = kStart});
  const std::vector<CellEdit> edits(40, CellEdit{{0, 3}, true});
  history.edit(edits, edits);
  const StateId current = history.now();
  history.edit(edits, edits);
  const StateId undone = history.now();
  ASSERT_TRUE(history.overflows());
  history.set_current(current);
  const auto bits = std::make_shared<const CellBits>();
  history.keep({undone, 0, bits});
  ASSERT_TRUE(history.exists(current)) << "the edits of the current state are still needed";
  EXPECT_TRUE(history.exists(undone));
  history.edit({{{0, 3}, true}}, {{{0, 3}, false}});
  EXPECT_FALSE(history.exists(undone)) << "a new edit discards the redo states";
  history.keep({current, 0, bits});
  EXPECT_EQ(history.restore_of(history.now()).base.bits, bits) << "the history now starts at the snapshot";
}

TEST(CellHistory, EveryStateOfBeforeCanBeMadeAgain) {
  Played played;
  played.run(9, kLife);
  played.flip({0, 3});
  played.flip({5, 31});
  played.run(4, kConway);
  played.flip({0, 0});
  played.run(3, kLife);
  AsyncEngine<LifeEngine> async_engine(first_engine(scene_of(), kCpu, {99, 0.9}));
  ASSERT_EQ(played.states.size(), 20u);
  for (const auto& [state_id, census] : played.states) {
    ASSERT_TRUE(played.cell_history.exists(state_id));
    replayed(async_engine, played.cell_history.restore_of(state_id));
    EXPECT_EQ(async_engine.engine().census().hash, census.hash) << state_id;
    EXPECT_EQ(async_engine->generation(), played.cell_history.generation_of(state_id));
  }
}

TEST(CellHistory, KeptCellsShortenTheWayAndChangeNothing) {
  Played played;
  played.run(200, kLife);
  AsyncEngine<LifeEngine> async_engine(first_engine(scene_of(), kCpu, kStart));
  StateRestore way = played.cell_history.restore_of(played.states[150].first);
  EXPECT_EQ(way.times(), 150u);
  way.keep = 64;
  const LifeFrameOutcome& done = replayed(async_engine, std::move(way));
  ASSERT_EQ(done.result.snapshots.size(), 64u);
  for (const CellSnapshot& one : done.result.snapshots) {
    played.cell_history.keep(one);
    const auto& state = played.states[one.generation];
    EXPECT_EQ(one.state_id, state.first);
    EXPECT_EQ(census_of(*one.bits).hash, state.second.hash);
  }
  for (std::size_t generation = 149; generation >= 86; --generation) {
    const StateRestore back = played.cell_history.restore_of(played.states[generation].first);
    EXPECT_EQ(back.times(), 0u) << generation;
    replayed(async_engine, back);
    EXPECT_EQ(async_engine.engine().census().hash, played.states[generation].second.hash);
  }
}

TEST(CellHistory, AStepBackPassesEditsAndEndsAtTheStart) {
  Played played;
  played.run(2, kLife);
  played.flip({0, 3});
  StateId state_id = played.cell_history.now();
  for (const std::uint64_t generation : {1u, 0u}) {
    const auto before = played.cell_history.previous_generation(state_id);
    ASSERT_TRUE(before.has_value());
    EXPECT_EQ(played.cell_history.generation_of(*before), generation);
    state_id = *before;
  }
  EXPECT_EQ(state_id, played.states[0].first);
  EXPECT_FALSE(played.cell_history.previous_generation(state_id).has_value());
}

TEST(CellHistory, OneEditIsTakenBackByItsCells) {
  Played played;
  played.run(3, kLife);
  const StateId before = played.cell_history.now();
  played.flip({0, 3});
  played.flip({0, 4});
  const StateId after = played.cell_history.now();
  const auto back = played.cell_history.patch_to(before);
  ASSERT_TRUE(back.has_value());
  ASSERT_EQ(back->size(), 2u);
  EXPECT_EQ(back->front().cell, (Coord64{0, 4}));
  played.cell_history.set_current(before);
  const auto again = played.cell_history.patch_to(after);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->front().cell, (Coord64{0, 3}));
  EXPECT_NE(again->front().state, back->back().state);
  played.cell_history.set_current(after);
  played.run(1, kLife);
  EXPECT_FALSE(played.cell_history.patch_to(before).has_value()) << "a generation separates the states";
}

TEST(CellHistory, WhatIsDoneInsteadForgetsWhatWasUndone) {
  Played played;
  played.run(10, kLife);
  const StateId fourth = played.states[4].first;
  const StateId tenth = played.states[10].first;
  played.cell_history.set_current(fourth);
  EXPECT_TRUE(played.cell_history.exists(tenth));
  played.cell_history.run(1, kLife);
  EXPECT_FALSE(played.cell_history.exists(tenth));
  EXPECT_TRUE(played.cell_history.exists(fourth));
  EXPECT_EQ(played.cell_history.generation_of(played.cell_history.now()), 5u);
  EXPECT_GT(played.cell_history.now(), tenth) << "state ids are never reused";
  AsyncEngine<LifeEngine> async_engine(first_engine(scene_of(), kCpu, {99, 0.9}));
  replayed(async_engine, played.cell_history.restore_of(played.cell_history.now()));
  EXPECT_EQ(async_engine.engine().census().hash, played.states[5].second.hash);
}

TEST(CellHistory, StaysWithinItsBudget) {
  const auto bits =
      std::make_shared<const CellBits>(CellBits{.count = 8000, .bytes = std::vector<std::uint8_t>(1000)});
  CellHistory cell_history(10000);
  cell_history.begin(scene_of().fractal, 5, {.start = kStart});
  for (int i = 0; i < 500; ++i) {
    cell_history.run(1, kLife);
    cell_history.keep({cell_history.now(), cell_history.generation_of(cell_history.now()), bits});
    EXPECT_LE(cell_history.bytes(), cell_history.budget());
  }
  // The newest state has a snapshot, and some older states do.
  EXPECT_LE(cell_history.generations_to_recompute(cell_history.now()), 1u);
  EXPECT_LT(cell_history.generations_to_recompute(cell_history.now() - 100), 100u);
  for (int i = 0; i < 4000; ++i) {
    const Coord64 cell{0, static_cast<std::uint64_t>(i % 32)};
    cell_history.edit({{cell, true}}, {{cell, false}});
    if (!cell_history.overflows()) continue;
    cell_history.keep({cell_history.now(), cell_history.generation_of(cell_history.now()), bits});
    EXPECT_FALSE(cell_history.overflows());
    EXPECT_TRUE(cell_history.exists(cell_history.now()));
  }
  EXPECT_LE(cell_history.bytes(), cell_history.budget());
}

TEST(CellHistory, SaysWhatGrewFromAStartAlone) {
  Played played;
  EXPECT_EQ(played.cell_history.recomputable()->generation, 0u);
  played.run(12, kConway);
  const auto recomputable = played.cell_history.recomputable();
  ASSERT_TRUE(recomputable.has_value());
  EXPECT_EQ(recomputable->generation, 12u);
  EXPECT_EQ(recomputable->work.rule, kConway.rule);
  played.flip({0, 3});
  EXPECT_FALSE(played.cell_history.recomputable().has_value()) << "the cells were edited";
  Played other;
  other.run(2, kLife);
  other.run(1, kConway);
  EXPECT_FALSE(other.cell_history.recomputable().has_value()) << "two rules were applied";
}

/// A restore with so many generations that it never completes in a test.
LifeFrameRequest long_replay(StateRestore way) {
  way.parts.push_back({.edits = {}, .times = 40000000, .work = kLife, .first = 2});
  LifeFrameRequest request;
  request.restore = std::make_shared<const StateRestore>(std::move(way));
  return request;
}

TEST(StateRestore, CancelledLeavesTheCellsAsTheyWere) {
  AsyncEngine<LifeEngine> async_engine(first_engine(scene_of(9), kCpu, kStart));
  const Census before = async_engine.engine().census();
  const LifeFrameRequest request = long_replay({.base = {.start = {1, 0.5}}, .parts = {}});
  async_engine.begin(request);
  ASSERT_TRUE(async_engine.busy()) << "a restore this long runs in the background";
  async_engine.cancel();
  const LifeFrameOutcome& done = *async_engine.finish(kNoTimeout);
  EXPECT_TRUE(done.cancelled);
  EXPECT_EQ(async_engine.engine().census().hash, before.hash);
  EXPECT_EQ(async_engine->generation(), 0u);
}

TEST(StateRestore, CancelledWhereNothingWasCopiedLeavesWhatItBeganWith) {
  AsyncEngine<LifeEngine> async_engine(first_engine(scene_of(9), kCpu, kStart));
  EditHistory history;
  history.begin(*async_engine, kStart);
  const Census before = async_engine.engine().census();
  LifeFrameRequest request =
      long_replay({.base = {.start = {77, 0.5}}, .parts = {}, .restores_on_cancel = false});
  request.target_state = 1;
  async_engine.begin(request);
  ASSERT_EQ(async_engine.finish(std::chrono::milliseconds(100)), nullptr) << "the restore is still running";
  async_engine.cancel();
  const LifeFrameOutcome& done = *async_engine.finish(kNoTimeout);
  EXPECT_TRUE(done.cancelled);
  EXPECT_EQ(async_engine->generation(), 0u);
  EXPECT_NE(async_engine.engine().census().hash, before.hash);
  ASSERT_TRUE(done.result.restart.has_value());
  EXPECT_EQ(done.result.restart->seed, 77u);
  history.take(done, *async_engine);
  ASSERT_TRUE(history.cell_history().recomputable().has_value())
      << "the history starts again at the new random start";
  EXPECT_EQ(history.cell_history().recomputable()->start.seed, 77u);
}

// Undo requests a field, and another one is chosen before it is built. The history must then describe the
// field that runs.
TEST(EditHistory, FollowsTheFieldThatRunsWhateverWasWishedFor) {
  const LifeEngine first(scene_of(5), kCpu);
  EditHistory history;
  history.begin(first, kStart);
  const StateId of_first = history.cell_history().now();
  LifeFrameOutcome built;
  built.request.build = LifeBuild{scene_of(), kCpu, kStart};
  built.result.built = built.result.new_field = true;
  const LifeEngine second(scene_of(6), kCpu);
  history.take(built, second);
  history.request(of_first);
  const LifeEngine third(scene_of(4), kCpu);
  history.take(built, third);
  EXPECT_FALSE(history.has_request());
  EXPECT_TRUE(history.cell_history().is_of(history.cell_history().now(), third.config().fractal, 4));

  history.request(of_first);
  history.take(built, first);
  EXPECT_TRUE(history.has_request()) << "the cells of the requested state are still missing";
}

TEST(EditHistory, KeepsNoCellsThatWouldFillItsBudget) {
  const LifeEngine engine(scene_of(9), kCpu);
  EditHistory history;
  history.begin(engine, kStart);
  LifeFrameOutcome done;
  done.request.work = kLife;
  done.result.frame.step.generations = 1000;
  history.take(done, engine);
  const std::uint64_t most = CellHistory::kBudget / 2 * 8;  // one bit per cell
  const double slow_ms = 100;
  EXPECT_TRUE(history.should_save_now(most, slow_ms));
  EXPECT_TRUE(history.should_save_before(most, slow_ms));
  EXPECT_FALSE(history.should_save_now(2 * most, slow_ms));
  EXPECT_FALSE(history.should_save_before(2 * most, slow_ms));
}

}  // namespace
}  // namespace loom::app::chronicle_tested
