#include "app/life/scene/chronicle.h"

#include <gtest/gtest.h>

#include "app/life/run/cell_past.h"
#include "app/life/scene/engine_host.h"
#include "app/life/scene/life_settings.h"
#include "app/life/scene/setting_steps.h"

namespace loom::app::chronicle_tested {
namespace {

constexpr std::chrono::duration<double, std::milli> kForever{1e12};
const BackendSelection kCpu{BackendKind::kCpu, 0, "test"};
const RandomStart kStart{7, 0.4};
const Work kLife{};
const Work kConway{.rule = {1u << 3, (1u << 2) | (1u << 3)}};

FractalConfig scene_of(int level = 5) {
  FractalConfig config = default_life_settings().config;
  set_level(config, level);
  return config;
}

LifeDone replayed(EngineHost& host, Replay way) {
  LifeJob job;
  job.replay = std::make_shared<const Replay>(std::move(way));
  host.begin(job);
  return *host.finish(kForever);
}

FractalConfig by_bounding_box() {
  FractalConfig config = scene_of();
  config.method = {.map = MapKind::kBoundingBox};
  return config;
}

/// A chronicle beside an engine that does what it is told, once and in order.
struct Played {
  Chronicle chronicle;
  std::unique_ptr<FractalEngine> life = make_fractal_engine(by_bounding_box(), kCpu);
  std::vector<std::pair<Moment, Census>> states;

  Played() {
    life->reset(kStart);
    chronicle.begin(scene_of().fractal, 5, {.start = kStart});
    note();
  }
  void note() { states.emplace_back(chronicle.now(), life->census()); }
  void run(std::uint32_t times, const Work& work) {
    for (std::uint32_t i = 0; i < times; ++i) {
      life->run(1, work);
      chronicle.run(1, work);
      note();
    }
  }
  void flip(Coord64 cell) {
    const bool alive = life->cell(cell).value();
    const std::vector<CellEdit> edits{{cell, !alive}};
    life->edit(edits);
    chronicle.edit(edits, {{cell, alive}});
    note();
  }
};

TEST(Chronicle, EveryStateOfBeforeCanBeMadeAgain) {
  Played played;
  played.run(9, kLife);
  played.flip({0, 3});
  played.flip({5, 31});
  played.run(4, kConway);
  played.flip({0, 0});
  played.run(3, kLife);
  EngineHost host(scene_of(), kCpu, {99, 0.9});
  ASSERT_EQ(played.states.size(), 20u);
  for (const auto& [moment, census] : played.states) {
    ASSERT_TRUE(played.chronicle.exists(moment));
    replayed(host, played.chronicle.way_to(moment));
    EXPECT_EQ(host.engine().census().hash, census.hash) << moment;
    EXPECT_EQ(host.generation(), played.chronicle.generation_of(moment));
  }
}

TEST(Chronicle, KeptCellsShortenTheWayAndChangeNothing) {
  Played played;
  played.run(200, kLife);
  EngineHost host(scene_of(), kCpu, kStart);
  Replay way = played.chronicle.way_to(played.states[150].first);
  EXPECT_EQ(way.times(), 150u);
  way.keep = 64;
  const LifeDone done = replayed(host, std::move(way));
  ASSERT_EQ(done.kept.size(), 64u);
  for (const KeptCells& one : done.kept) {
    played.chronicle.keep(one);
    const auto& state = played.states[one.generation];
    EXPECT_EQ(one.moment, state.first);
    EXPECT_EQ(census_of(*one.bits).hash, state.second.hash);
  }
  for (std::size_t generation = 149; generation >= 86; --generation) {
    const Replay back = played.chronicle.way_to(played.states[generation].first);
    EXPECT_EQ(back.times(), 0u) << generation;
    replayed(host, back);
    EXPECT_EQ(host.engine().census().hash, played.states[generation].second.hash);
  }
}

TEST(Chronicle, AStepBackPassesEditsAndEndsAtTheStart) {
  Played played;
  played.run(2, kLife);
  played.flip({0, 3});
  Moment moment = played.chronicle.now();
  for (const std::uint64_t generation : {1u, 0u}) {
    const auto before = played.chronicle.before_generation(moment);
    ASSERT_TRUE(before.has_value());
    EXPECT_EQ(played.chronicle.generation_of(*before), generation);
    moment = *before;
  }
  EXPECT_EQ(moment, played.states[0].first);
  EXPECT_FALSE(played.chronicle.before_generation(moment).has_value());
}

TEST(Chronicle, OneEditIsTakenBackByItsCells) {
  Played played;
  played.run(3, kLife);
  const Moment before = played.chronicle.now();
  played.flip({0, 3});
  played.flip({0, 4});
  const Moment after = played.chronicle.now();
  const auto back = played.chronicle.patch_to(before);
  ASSERT_TRUE(back.has_value());
  ASSERT_EQ(back->size(), 2u);
  EXPECT_EQ(back->front().cell, (Coord64{0, 4}));
  played.chronicle.go(before);
  const auto again = played.chronicle.patch_to(after);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->front().cell, (Coord64{0, 3}));
  EXPECT_NE(again->front().alive, back->back().alive);
  played.chronicle.go(after);
  played.run(1, kLife);
  EXPECT_FALSE(played.chronicle.patch_to(before).has_value()) << "a generation lies between";
}

TEST(Chronicle, WhatIsDoneInsteadForgetsWhatWasUndone) {
  Played played;
  played.run(10, kLife);
  const Moment fourth = played.states[4].first;
  const Moment tenth = played.states[10].first;
  played.chronicle.go(fourth);
  EXPECT_TRUE(played.chronicle.exists(tenth));
  played.chronicle.run(1, kLife);
  EXPECT_FALSE(played.chronicle.exists(tenth));
  EXPECT_TRUE(played.chronicle.exists(fourth));
  EXPECT_EQ(played.chronicle.generation_of(played.chronicle.now()), 5u);
  EXPECT_GT(played.chronicle.now(), tenth) << "no number is used twice";
  EngineHost host(scene_of(), kCpu, {99, 0.9});
  replayed(host, played.chronicle.way_to(played.chronicle.now()));
  EXPECT_EQ(host.engine().census().hash, played.states[5].second.hash);
}

TEST(Chronicle, StaysWithinItsBudget) {
  const auto bits =
      std::make_shared<const CellBits>(CellBits{.count = 8000, .bytes = std::vector<std::uint8_t>(1000)});
  Chronicle chronicle(10000);
  chronicle.begin(scene_of().fractal, 5, {.start = kStart});
  for (int i = 0; i < 500; ++i) {
    chronicle.run(1, kLife);
    chronicle.keep({chronicle.now(), chronicle.generation_of(chronicle.now()), bits});
    EXPECT_LE(chronicle.bytes(), chronicle.budget());
  }
  // The newest are at hand, and older ones now and then.
  EXPECT_LE(chronicle.generations_to_do(chronicle.now()), 1u);
  EXPECT_LT(chronicle.generations_to_do(chronicle.now() - 100), 100u);
  for (int i = 0; i < 4000; ++i) {
    const Coord64 cell{0, static_cast<std::uint64_t>(i % 32)};
    chronicle.edit({{cell, true}}, {{cell, false}});
    if (!chronicle.overflows()) continue;
    chronicle.keep({chronicle.now(), chronicle.generation_of(chronicle.now()), bits});
    EXPECT_FALSE(chronicle.overflows());
    EXPECT_TRUE(chronicle.exists(chronicle.now()));
  }
  EXPECT_LE(chronicle.bytes(), chronicle.budget());
}

TEST(Chronicle, SaysWhatGrewFromAStartAlone) {
  Played played;
  EXPECT_EQ(played.chronicle.grown()->generation, 0u);
  played.run(12, kConway);
  const auto grown = played.chronicle.grown();
  ASSERT_TRUE(grown.has_value());
  EXPECT_EQ(grown->generation, 12u);
  EXPECT_EQ(grown->work.rule, kConway.rule);
  played.flip({0, 3});
  EXPECT_FALSE(played.chronicle.grown().has_value()) << "an edit";
  Played other;
  other.run(2, kLife);
  other.run(1, kConway);
  EXPECT_FALSE(other.chronicle.grown().has_value()) << "two rules";
}

/// So many generations on that way that they are never done here.
LifeJob long_replay(Replay way) {
  way.parts.push_back({.edits = {}, .times = 40000000, .work = kLife, .first = 2});
  LifeJob job;
  job.replay = std::make_shared<const Replay>(std::move(way));
  return job;
}

TEST(Replay, CancelledLeavesTheCellsAsTheyWere) {
  EngineHost host(scene_of(9), kCpu, kStart);
  const Census before = host.engine().census();
  const LifeJob job = long_replay({.base = {.start = {1, 0.5}}, .parts = {}});
  host.begin(job);
  ASSERT_TRUE(host.busy()) << "so many generations are done beside the frames";
  host.cancel();
  const LifeDone done = *host.finish(kForever);
  EXPECT_TRUE(done.cancelled);
  EXPECT_EQ(host.engine().census().hash, before.hash);
  EXPECT_EQ(host.generation(), 0u);
}

TEST(Replay, CancelledWhereNothingWasCopiedLeavesWhatItBeganWith) {
  EngineHost host(scene_of(9), kCpu, kStart);
  CellPast past;
  past.begin(host, kStart);
  const Census before = host.engine().census();
  LifeJob job = long_replay({.base = {.start = {77, 0.5}}, .parts = {}, .comes_back = false});
  job.goes_to = 1;
  host.begin(job);
  ASSERT_FALSE(host.finish(std::chrono::milliseconds(100)).has_value()) << "it has begun, and is not done";
  host.cancel();
  const LifeDone done = *host.finish(kForever);
  EXPECT_TRUE(done.cancelled);
  EXPECT_EQ(host.generation(), 0u);
  EXPECT_NE(host.engine().census().hash, before.hash);
  ASSERT_TRUE(done.restart.has_value());
  EXPECT_EQ(done.restart->seed, 77u);
  past.take(done, host);
  ASSERT_TRUE(past.chronicle().grown().has_value()) << "the way back begins with it";
  EXPECT_EQ(past.chronicle().grown()->start.seed, 77u);
}

// Undo wishes for a field, and another one is chosen before that is built: what is known of the cells is of
// the one that runs.
TEST(CellPast, FollowsTheFieldThatRunsWhateverWasWishedFor) {
  EngineHost first(scene_of(5), kCpu, kStart);
  CellPast past;
  past.begin(first, kStart);
  const Moment of_first = past.chronicle().now();
  LifeDone built;
  built.of_build = built.built = built.new_field = true;
  EngineHost second(scene_of(6), kCpu, kStart);
  past.take(built, second);
  past.want(of_first);
  EngineHost third(scene_of(4), kCpu, kStart);
  past.take(built, third);
  EXPECT_FALSE(past.wants());
  EXPECT_TRUE(past.chronicle().is_of(past.chronicle().now(), third.config().fractal, 4));

  past.want(of_first);
  past.take(built, first);
  EXPECT_TRUE(past.wants()) << "its cells come next";
}

TEST(CellPast, KeepsNoCellsThatWouldFillItsBudget) {
  EngineHost host(scene_of(9), kCpu, kStart);
  CellPast past;
  past.begin(host, kStart);
  LifeDone done;
  done.work = kLife;
  done.frame.step.generations = 1000;
  past.take(done, host);
  const std::uint64_t most = Chronicle::kBudget / 2 * 8;  // a bit a cell
  const double slow_ms = 100;
  EXPECT_TRUE(past.should_keep_now(most, slow_ms));
  EXPECT_TRUE(past.should_keep_before(most, slow_ms));
  EXPECT_FALSE(past.should_keep_now(2 * most, slow_ms));
  EXPECT_FALSE(past.should_keep_before(2 * most, slow_ms));
}

}  // namespace
}  // namespace loom::app::chronicle_tested
